"""Measures BM25 of tantivy, BMP and our program on the same tokens, in one run.

    engines.py [ANSWERS…]            60000 and 117000 by default

Documents are answers of `hypatia synth --seed 11`: title and tags of the question and the answer's text, LaTeX
left in, cut by `tokens()` of lucene.py, so that every engine sees the same words. Whole questions ask for 1,000
results, titles for 10. Times are CPU times of one thread; a query's is the least of several passes after warming
up. tantivy has one segment and searches without counting, which lets it pass over documents; ours is read from the
record of its run and includes making the query. BMP (`bmp`, blocks of 32, weights of BM25 in 8 bits) is asked for
with HYPATIA_BENCH_BMP=1. Prints a table and ends with 1 if ours takes more than 1.2 of tantivy's mean.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter

from common import CACHE, HYPATIA, times, write_json
from lucene import SYSTEM, names, plain, tokens
from ours import call, cpu_times

SIZES = [60_000, 117_000]
PASSES = 5
QUERIES = 60
LIMIT = 1.2
# What is asked for: the parts of a topic and the number of results.
KINDS = {"questions": (("Title", "Question", "Tags"), 1000), "titles": (("Title",), 10)}


def read_answers(folder, most):
    """(id, tokens) of the first answers, and the tokens of the topics by kind."""
    questions, answers = {}, []
    for _, row in ElementTree.iterparse(folder / "Posts.xml"):
        if row.tag == "row":
            if row.get("PostTypeId") == "1":
                questions[row.get("Id")] = f"{plain(row.get('Title'))} {names(row.get('Tags'))}"
            elif len(answers) < most:
                text = f"{questions.get(row.get('ParentId'), '')} {plain(row.get('Body'))}"
                answers.append((row.get("Id"), tokens(text)))
            row.clear()
    topics = ElementTree.parse(folder / "topics" / "Topics_Task1.xml").getroot().findall("Topic")[:QUERIES]
    asked = {
        kind: [tokens(" ".join(plain(topic.findtext(part) or "") for part in parts)) for topic in topics]
        for kind, (parts, _) in KINDS.items()
    }
    return answers, asked


def collection(size):
    """A made-up collection with at least so many answers."""
    folder = CACHE / f"engines-{size}"
    if not (folder / "topics" / "Topics_Task1.xml").exists():
        shutil.rmtree(folder, ignore_errors=True)
        call("synth", "--posts", size * 2, "--seed", 11, "-o", folder)
    return read_answers(folder, size)


def least(search, queries):
    """The least CPU time of each query over the passes, in seconds."""
    found = [float("inf")] * len(queries)
    for turn in range(PASSES + 1):
        for at, query in enumerate(queries):
            begin = time.thread_time()
            search(query)
            spent = time.thread_time() - begin
            if turn:
                found[at] = min(found[at], spent)
    return times(found)


def tantivy_times(answers, asked):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="white", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("white", analyzer)
    writer = index.writer(1_000_000_000, 1)
    for _, words in answers:
        writer.add_document(tantivy.Document(text=" ".join(words)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    record = {"segments": searcher.num_segments}
    for kind, (_, depth) in KINDS.items():
        made = []
        for words in asked[kind]:
            clauses = []
            for word, count in Counter(words).items():
                query = tantivy.Query.term_query(schema, "text", word, "freq")
                clauses.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, float(count))))
            made.append(tantivy.Query.boolean_query(clauses))
        record[kind] = least(lambda query: searcher.search(query, depth, count=False), made)
    return record


def bmp_times(answers, asked, path):
    """BMP over BM25's weights of words in 8 bits: what they are worth is rounded, so its results are not ours."""
    import bmp

    lengths = [len(words) for _, words in answers]
    mean, held = sum(lengths) / len(lengths), Counter(word for _, words in answers for word in set(words))
    idf = {word: math.log1p((len(answers) - df + 0.5) / (df + 0.5)) for word, df in held.items()}
    worth = lambda word, count, length: idf[word] * count / (count + 0.9 * (0.6 + 0.4 * length / mean))
    step = max(idf.values()) / 255
    indexer = bmp.Indexer(str(path), bsize=32, compress_range=False)
    for (name, words), length in zip(answers, lengths):
        weights = {word: round(worth(word, count, length) / step) for word, count in Counter(words).items()}
        indexer.add_document(name, {word: weight for word, weight in weights.items() if weight > 0})
    indexer.finish()
    searcher = bmp.Searcher(str(path))
    record = {}
    for kind, (_, depth) in KINDS.items():
        made = [{word: count for word, count in Counter(words).items() if word in held} for words in asked[kind]]
        record[kind] = least(lambda query: searcher.search(query, depth, 1.0, 1.0), made)
    return record


def our_times(size, answers, asked):
    folder = CACHE / f"ours-engines-{size}"
    index = folder / "index"
    if not (index / "index.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "documents").mkdir(parents=True)
        with open(folder / "documents" / "answers.jsonl", "w", encoding="utf-8") as out:
            for name, words in answers:
                record = {"kind": "question", "id": name, "markup": "text", "body": " ".join(words)}
                out.write(json.dumps(record) + "\n")
        call("collection", "build", folder / "documents", "-o", folder / "collection")
        call("index", folder / "collection", "-o", index)
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    record = {}
    for kind, (_, depth) in KINDS.items():
        with open(folder / "topics.xml", "w", encoding="utf-8") as out:
            out.write("<Topics>\n")
            for number, words in enumerate(asked[kind], 1):
                out.write(f'<Topic number="A.{number}"><Title>{" ".join(words)}</Title>'
                          "<Question></Question><Tags></Tags></Topic>\n")
            out.write("</Topics>\n")
        run = folder / f"{kind}.run"
        call("run", "--task", 1, "--system", folder / "system.toml", "--topics", folder / "topics.xml", "--index",
             index, "--format", "trec", "--threads", 1, "--passes", PASSES + 1, "--depth", depth, "-o", run)
        record[kind] = cpu_times(f"{run}.json")
    return record


def main(sizes):
    CACHE.mkdir(parents=True, exist_ok=True)
    missed, rows = [], []
    for size in sizes:
        answers, asked = collection(size)
        theirs = tantivy_times(answers, asked)
        ours = our_times(size, answers, asked)
        others = bmp_times(answers, asked, CACHE / f"bmp-{size}") if os.environ.get("HYPATIA_BENCH_BMP") else {}
        for kind in KINDS:
            ratio = ours[kind]["mean"] / theirs[kind]["mean"]
            if ratio > LIMIT:
                missed.append(f"{kind} at {size}")
            rows.append((f"{len(answers):,}", kind, theirs[kind]["p50"], theirs[kind]["mean"], ours[kind]["p50"],
                         ours[kind]["mean"], ratio, others.get(kind, {}).get("mean", math.nan)))
        write_json(CACHE / f"engines-{size}.json", {"tantivy": theirs, "ours": ours, "bmp": others})
    head = ("answers", "query", "tantivy p50", "mean", "ours p50", "mean", "ours/tantivy", "BMP mean")
    rows = [tuple(f"{cell:.2f}" if isinstance(cell, float) else cell for cell in row) for row in rows]
    widths = [max(len(str(row[column])) for row in [head, *rows]) for column in range(len(head))]
    print("CPU time a query in milliseconds, one thread")
    for row in [head, *rows]:
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths)))
    if missed:
        print(f"limits missed: {', '.join(missed)}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)
