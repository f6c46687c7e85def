"""Counts the instructions of a query of each system over a small made-up collection, by callgrind.

    count.py [SYSTEM…]

A run of several passes less one of a single pass is what queries cost, without opening the index and what only the
first query pays. Counts are compared with those of counts.tsv, beside this file; a system that needs more than LIMIT
of them is a failure. UPDATE_EXPECT=1 writes the file again.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HYPATIA = os.environ["HYPATIA"]
CACHE = Path(os.environ["HYPATIA_BENCH_CACHE"]).resolve()
POSTS = 3000
PASSES = 3
LIMIT = 1.03
TASKS = {"bm25": 1, "hypatia-classic-1": 1, "search": 1, "hypatia-classic-2": 2}


def call(*arguments):
    subprocess.run([HYPATIA, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def prepare():
    """The collection's topics and its index, built anew: another program may write another format."""
    dump, collection, index = CACHE / "dump", CACHE / "collection", CACHE / "index"
    if not dump.exists():
        call("synth", "--posts", POSTS, "--seed", 11, "-o", dump)
    call("collection", "build", dump, "-o", collection)
    call("index", collection, "-o", index)
    return dump / "topics", index


def count(system, topics, index, passes):
    task = TASKS[system]
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", HYPATIA, "run", "--task", str(task),
               "--system", system, "--topics", str(topics / f"Topics_Task{task}.xml"), "--index", str(index),
               "--format", "trec", "--threads", "1", "--passes", str(passes), "-o", str(CACHE / "run")]
    command += ["--ids", "visual"] if task == 2 else []
    said = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"Collected : (\d+)", said)[1])


def main(systems):
    CACHE.mkdir(parents=True, exist_ok=True)
    topics, index = prepare()
    kept = HERE / "counts.tsv"
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    before = {name: int(number) for name, number in (line.split("\t") for line in lines)}
    counted, slower = dict(before), []
    for system in systems:
        number = (topics / f"Topics_Task{TASKS[system]}.xml").read_text(encoding="utf-8").count("<Topic ")
        one, several = (count(system, topics, index, passes) for passes in (1, PASSES))
        counted[system] = round((several - one) / (PASSES - 1) / number)
        ratio = counted[system] / before.get(system, counted[system])
        print(f"{system:20} {counted[system]:>12,} instructions a query  {ratio:.3f}", flush=True)
        slower += [system] if ratio > LIMIT else []
    if os.environ.get("UPDATE_EXPECT"):
        kept.write_text("".join(f"{name}\t{counted[name]}\n" for name in sorted(counted)), encoding="utf-8")
    elif slower:
        sys.exit(f"slower than before: {', '.join(slower)}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(TASKS))
