"""Features of the candidates of arqmath1-pool, ranked by each and by weights learned in five folds."""

import csv
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HYPATIA = os.environ["HYPATIA"]
DATA = Path(os.environ["HYPATIA_DATA"]) / "arqmath1-pool"
CACHE = Path(os.environ["HYPATIA_BENCH_CACHE"])
FEATURES = [
    "mss-slt", "precision-slt", "recall-slt", "mss-opt", "precision-opt", "recall-opt",
    "edit-slt", "edit-opt", "edit-unit-slt", "edit-unit-opt",
    "edit-kinds-slt", "edit-kinds-opt", "edit-unit-kinds-slt", "edit-unit-kinds-opt",
    "tuples-slt", "tuples-opt", "tuples-kinds-slt", "tuples-kinds-opt",
]
# Fused by reciprocal ranks: what needs no learning.
FUSED = ["edit-slt", "edit-opt", "mss-slt", "mss-opt", "recall-slt", "recall-opt"]
SEEDS = [1, 2, 3]


def hypatia(*arguments):
    return subprocess.run([HYPATIA, *map(str, arguments)], check=True, capture_output=True, text=True)


def rows(path):
    csv.field_size_limit(sys.maxsize)
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def prepare():
    """The pool as tables for `hypatia formula rank` and as judgments."""
    CACHE.mkdir(parents=True, exist_ok=True)
    pool, queries = rows(DATA / "pool.tsv"), rows(DATA / "queries.tsv")
    id_column = "visual_id" if "visual_id" in pool[0] else "visual"
    slt, opt = ("slt", "opt")
    with open(CACHE / "pool.tsv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, delimiter="\t")
        out.writerow(["topic", "id", "slt", "opt"])
        out.writerows([row["topic"], row[id_column], row[slt], row[opt]] for row in pool)
    with open(CACHE / "queries.tsv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, delimiter="\t")
        out.writerow(["topic", "slt", "opt"])
        out.writerows([row["topic"], row[slt], row[opt]] for row in queries)
    with open(CACHE / "pool.qrels", "w", encoding="utf-8") as file:
        file.writelines(f"{row['topic']}\t0\t{row[id_column]}\t{row['rel']}\n" for row in pool)
    return {(row["topic"], row[id_column]): int(row["grade"]) for row in pool}


def values(feature):
    run = CACHE / f"{feature}.tsv"
    hypatia("formula", "rank", "--queries", CACHE / "queries.tsv", "--candidates", CACHE / "pool.tsv", "--by", "topic",
            "--measure", feature, "--depth", 0, "--tag", feature, "-o", run)
    with open(run, encoding="utf-8") as file:
        fields = (line.split("\t") for line in file)
        return {(topic, doc): max(float(score), 0.0) for topic, _, doc, _, score, _ in fields}


def scores(run):
    out = hypatia("eval", run, "--qrels", CACHE / "pool.qrels", "--task", 2, "--ids", "visual", "--format", "json").stdout
    found = json.loads(out)[0]
    measures = found["measures"]
    return " / ".join(f"{measures[name]:.3f}".removeprefix("0") for name in ("nDCG'", "MAP'", "P'@10"))


def main():
    grades = prepare()
    table = {feature: values(feature) for feature in FEATURES}
    with open(CACHE / "features.txt", "w", encoding="utf-8") as file:
        file.writelines(f"# feature {number} {name}\n" for number, name in enumerate(FEATURES, 1))
        by_topic = defaultdict(list)
        for (topic, doc), grade in grades.items():
            by_topic[topic].append((doc, grade))
        for topic, docs in by_topic.items():
            for doc, grade in docs:
                line = " ".join(f"{number}:{table[name].get((topic, doc), 0)!r}" for number, name in enumerate(FEATURES, 1))
                file.write(f"{grade} qid:{topic} {line} # {doc}\n")
    print("| ranked by | nDCG' / MAP' / P'@10 |")
    print("| --- | --- |")
    for feature in FEATURES:
        print(f"| {feature} | {scores(CACHE / f'{feature}.tsv')} |")
    fused = CACHE / "fused.tsv"
    hypatia("fuse", *(CACHE / f"{feature}.tsv" for feature in FUSED), "--method", "rrf", "-o", fused)
    print(f"| RRF of {', '.join(FUSED)} | {scores(fused)} |")
    for seed in SEEDS:
        run = CACHE / f"folds-{seed}.tsv"
        hypatia("train", "rank", CACHE / "features.txt", "--folds", 5, "--seed", seed, "-o", run)
        print(f"| rank-SVM, five folds, seed {seed} | {scores(run)} |")


main()
