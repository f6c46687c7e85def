"""Tries the word view of our systems over tantivy's postings, beside ours, on the same words.

    trial.py PROGRAM [ANSWERS]      60000 by default

PROGRAM is `hypatia-bench-tantivy`, built in this folder; HYPATIA names ours. Answers are those of engines.py: the
text of an answer, and apart from it title and tags of its question, which count for the answer, too. Words are looked
for with all that have the same stem (Porter; `pip install snowballstemmer`). Prints CPU times a query.
"""

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "search"))

from snowballstemmer import stemmer  # noqa: E402

from common import CACHE  # noqa: E402
from engines import KINDS, PASSES, QUERIES  # noqa: E402
from lucene import names, plain, tokens  # noqa: E402
from ours import call, cpu_times  # noqa: E402

SYSTEM = """
name = "word-view"
task = 1
about = "Words of an answer and of its question."

[posts]
returns = "answers"
query = { title = 1, body = 0, tags = 0 }

[[posts.group]]
name = "words"

[[posts.group.part]]
terms = "words"
own = { body = 1 }
question = { title = 1 }
stem = "porter"
model = { name = "bm25", k1 = 0.9, b = 0.4 }
"""


def read(folder, most):
    """Questions with their words, and answers with their question and words."""
    questions, answers = {}, []
    for _, row in ElementTree.iterparse(folder / "Posts.xml"):
        if row.tag == "row":
            if row.get("PostTypeId") == "1":
                questions[row.get("Id")] = tokens(f"{plain(row.get('Title'))} {names(row.get('Tags'))}")
            elif len(answers) < most:
                answers.append((row.get("Id"), row.get("ParentId"), tokens(plain(row.get("Body")))))
            row.clear()
    topics = ElementTree.parse(folder / "topics" / "Topics_Task1.xml").getroot().findall("Topic")[:QUERIES]
    asked = {
        kind: [" ".join(tokens(" ".join(plain(topic.findtext(part) or "") for part in parts))) for topic in topics]
        for kind, (parts, _) in KINDS.items()
    }
    return questions, answers, asked


def theirs(program, questions, answers, asked, path):
    stem = stemmer("porter").stemWord
    words = {word for texts in (questions.values(), (body for *_, body in answers)) for text in texts for word in text}
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"S\t{word}\t{stem(word)}\n" for word in sorted(words))
        for name, question, body in answers:
            out.write(f"D\t{name}\t{' '.join(body)}\t{' '.join(questions.get(question, []))}\n")
        for kind, queries in asked.items():
            out.writelines(f"Q\t{kind}\t{KINDS[kind][1]}\t{query}\n" for query in queries)
    said = subprocess.run([program, path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in said.splitlines()]


def ours(questions, answers, asked, folder):
    index = folder / "index"
    if not (index / "index.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "documents").mkdir(parents=True)
        with open(folder / "documents" / "posts.jsonl", "w", encoding="utf-8") as out:
            wanted = {question for _, question, _ in answers}
            for name in wanted & questions.keys():
                record = {"kind": "question", "id": name, "markup": "text", "title": " ".join(questions[name])}
                out.write(json.dumps(record) + "\n")
            for name, question, body in answers:
                record = {"kind": "answer", "id": name, "parent": question, "markup": "text", "body": " ".join(body)}
                out.write(json.dumps(record) + "\n")
        call("collection", "build", folder / "documents", "-o", folder / "collection")
        call("index", folder / "collection", "-o", index)
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    found = {}
    for kind, queries in asked.items():
        with open(folder / "topics.xml", "w", encoding="utf-8") as out:
            out.write("<Topics>\n")
            for number, words in enumerate(queries, 1):
                out.write(f'<Topic number="A.{number}"><Title>{words}</Title><Question></Question><Tags></Tags>'
                          "</Topic>\n")
            out.write("</Topics>\n")
        run = folder / f"{kind}.run"
        call("run", "--task", 1, "--system", folder / "system.toml", "--topics", folder / "topics.xml", "--index",
             index, "--format", "trec", "--threads", 1, "--passes", PASSES + 1, "--depth", KINDS[kind][1], "-o", run)
        found[kind] = cpu_times(f"{run}.json")
    return found


def main(program, size):
    folder = CACHE / f"engines-{size}"
    if not (folder / "topics" / "Topics_Task1.xml").exists():
        call("synth", "--posts", size * 2, "--seed", 11, "-o", folder)
    questions, answers, asked = read(folder, size)
    print(f"{len(answers):,} answers; CPU time a query in milliseconds, one thread")
    for record in theirs(program, questions, answers, asked, CACHE / "trial.tsv"):
        print(f"{record['query']:10} tantivy, {record['way']:8} p50 {record['p50']:8.2f}  mean {record['mean']:8.2f}")
    for kind, spent in ours(questions, answers, asked, CACHE / f"trial-{size}").items():
        print(f"{kind:10} ours              p50 {spent['p50']:8.2f}  mean {spent['mean']:8.2f}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60_000)
