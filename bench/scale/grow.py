"""Measures building and searching on made-up collections of several sizes, and how times grow between them.

    grow.py [POSTS…]

`hypatia synth --seed 11` makes each collection once; it is kept in the cache with its index, which is built again
when the program writes another format (delete `POSTS/index` to build it anew). A topic's time is the CPU time of one
thread that the record beside a run has: the least of several passes, so without what only the first query pays.
Growth is the exponent e of time ~ posts^e between two sizes.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HYPATIA = os.environ["HYPATIA"]
CACHE = Path(os.environ["HYPATIA_BENCH_CACHE"]).resolve()
SIZES = [25_000, 250_000, 2_500_000]
PASSES = 3
# What an index of the full size has by default; smaller ones would have more.
FEATURES = ["--features", "parts", "--post-features", "parts,paths"]
# What is measured: the task, the topics (whole, or their titles alone), and the options of `hypatia run`.
WORK = {
    "bm25": (1, "whole", ["--system", "bm25"]),
    "hypatia-classic-1": (1, "whole", ["--system", "hypatia-classic-1"]),
    "search, titles": (1, "titles", ["--system", "search"]),
    "hypatia-classic-2": (2, "whole", ["--system", "hypatia-classic-2"]),
    "hypatia-classic-2 --exact": (2, "whole", ["--system", "hypatia-classic-2", "--exact"]),
}


def call(*arguments):
    """Runs the program: wall time and CPU time in seconds, and its highest memory in bytes."""
    begin = time.monotonic()
    process = subprocess.Popen([HYPATIA, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        last = (said.strip().splitlines() or ["failed"])[-1]
        sys.exit(f"hypatia {arguments[0]}: {last}")
    return {"wall_s": round(time.monotonic() - begin, 1), "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
            "memory": usage.ru_maxrss * 1024}


def size_of(path):
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


def once(path, make):
    """Makes a file or folder if it is not there, under another name until it is whole; what it cost is kept."""
    note = path.with_name(path.name + ".json")
    if not (path.exists() and note.exists()):
        part = path.with_name(path.name + ".part")
        for old in (path, part):
            shutil.rmtree(old, ignore_errors=True) if old.is_dir() else old.unlink(missing_ok=True)
        cost = make(part)
        part.rename(path)
        note.write_text(json.dumps({**cost, "bytes": size_of(path)}), encoding="utf-8")
    return json.loads(note.read_text(encoding="utf-8"))


def titles(source, target):
    """Topics with their titles alone, as people type them."""
    import xml.etree.ElementTree as ElementTree

    tree = ElementTree.parse(source)
    for topic in tree.getroot():
        for name in ("Question", "Tags"):
            found = topic.find(name)
            if found is not None:
                found.text = ""
    tree.write(target, encoding="utf-8")


def measure(posts):
    folder = CACHE / str(posts)
    folder.mkdir(parents=True, exist_ok=True)
    dump, collection, index = folder / "dump", folder / "collection", folder / "index"
    record = {"posts": posts}
    once(dump, lambda part: call("synth", "--posts", posts, "--seed", 11, "-o", part))
    record["collection"] = once(collection, lambda part: call("collection", "build", dump, "-o", part))
    record["index"] = once(index, lambda part: call("index", collection, "-o", part, *FEATURES))
    titles(dump / "topics" / "Topics_Task1.xml", folder / "titles.xml")
    record["queries"] = {}
    for name, (task, kind, options) in WORK.items():
        topics = folder / "titles.xml" if kind == "titles" else dump / "topics" / f"Topics_Task{task}.xml"
        run = folder / "measured.run"
        call("run", "--task", task, "--topics", topics, "--index", index, "--format", "trec",
             *(["--ids", "visual"] if task == 2 else []), "--threads", 1, "--passes", PASSES, *options, "-o", run)
        record["queries"][name] = json.loads(Path(f"{run}.json").read_text(encoding="utf-8"))["cpu_milliseconds"]
    (folder / "measured.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def show(records):
    head = ["", *(f"{record['posts']:,}" for record in records), "growth"]
    rows = []
    for name in ("collection", "index"):
        for unit, label in (("wall_s", "s"), ("cpu_s", "s of CPU"), ("memory", "GB of memory"), ("bytes", "GB")):
            values = [record[name][unit] for record in records]
            in_gb = unit in ("memory", "bytes")
            shown = [f"{value / 1e9:.2f}" if in_gb else f"{value:.0f}" for value in values]
            rows.append([f"{name}, {label}", *shown, growth(records, values)])
    for name in WORK:
        for part in ("p50", "p95"):
            values = [record["queries"][name][part] for record in records]
            rows.append([f"{name}, {part} ms", *(f"{value:.1f}" for value in values), growth(records, values)])
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        cells = [cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in
                 enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def growth(records, values):
    if len(records) < 2 or values[0] <= 0 or values[-1] <= 0:
        return ""
    return f"{math.log(values[-1] / values[0]) / math.log(records[-1]['posts'] / records[0]['posts']):.2f}"


if __name__ == "__main__":
    show([measure(posts) for posts in [int(argument) for argument in sys.argv[1:]] or SIZES])
