"""Measures approach0 (pya0) on the formulas that formulas.py wrote.

    approach0.py [SIZE…]     1: the formulas of arqmath-mini; 10: ten times as many (both)

The index lies in memory (HYPATIA_BENCH_MEMORY, /dev/shm), since it is made of very many small files; with
HYPATIA_BENCH_KEEP set it stays there for the next time. Formulas that approach0 cannot read are left out and
counted. Each query asks for 1000 results; its time is the CPU time of the process, the least of three
measured passes after one that warms up.

An answer of pya0 holds a snippet of each result, and making them takes longer than the search. So two times
are measured: `answer` is `pya0.search` as it is; `search` is the same with nothing in the place of the
function that writes the answer (quiet.c), and it is what we are compared with. (`index_memcache` changes
nothing: in this version it says at once that its limit is reached.)

Writes `approach0-SIZE.json` and the run `approach0-SIZE.run` to the cache.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pya0

from common import CACHE, SIZES, read_formulas, scores, times, unescape, write_json

MEMORY = Path(os.environ.get("HYPATIA_BENCH_MEMORY") or "/dev/shm")
HITS = 1000
PASSES = 3
QUIET = CACHE / "quiet.so"


def readable(latex):
    try:
        status, tree = pya0.parse(latex)
    except Exception:
        return False
    return status == "OK" and tree is not None


def build(size):
    """Builds the index if it is not there; its folder, and what building took."""
    folder = MEMORY / f"hypatia-approach0-{size}"
    whole = folder.with_suffix(".json")
    if whole.exists():
        return folder, json.loads(whole.read_text())
    shutil.rmtree(folder, ignore_errors=True)
    formulas = read_formulas(size)
    begin, wall, skipped = time.process_time(), time.monotonic(), 0
    index = pya0.index_open(str(folder), option="w")
    writer = pya0.index_writer(index)
    for visual, latex in formulas:
        # The document ends at the closing mark, and texts of C at a nought.
        if "[/imath]" in latex or "\0" in latex or not readable(latex):
            skipped += 1
            continue
        pya0.writer_add_doc(writer, f"[imath]{latex}[/imath]", url=visual)
        pya0.writer_maintain(writer)
    pya0.writer_flush(writer)
    pya0.writer_close(writer)
    pya0.index_close(index)
    record = {
        "peer": "approach0, pya0 0.3.7", "formulas": len(formulas), "skipped": skipped,
        "build_cpu_s": round(time.process_time() - begin, 1), "build_wall_s": round(time.monotonic() - wall, 1),
        "index": folder_size(folder),
    }
    write_json(whole, record)
    return folder, record


def folder_size(folder):
    """Bytes in files, bytes that they take, and how many they are."""
    length = taken = files = 0
    for path, _, names in os.walk(folder):
        for name in names:
            about = os.stat(os.path.join(path, name))
            length, taken, files = length + about.st_size, taken + about.st_blocks * 512, files + 1
    return {"bytes": length, "bytes_taken": taken, "files": files}


def queries():
    found = ElementTree.parse(CACHE / "topics-task2.xml").getroot().findall("Topic")
    return [(topic.get("number"), unescape(topic.findtext("Latex").strip())) for topic in found]


def search(index, latex):
    return pya0.search(index, [{"type": "tex", "str": latex}], topk=HITS)


def measure(folder):
    """The least CPU time of each query."""
    index = pya0.index_open(folder, option="r")
    asked = queries()
    least = [float("inf")] * len(asked)
    for turn in range(PASSES + 1):
        for at, (_, latex) in enumerate(asked):
            begin = time.process_time()
            search(index, latex)
            spent = time.process_time() - begin
            if turn > 0:
                least[at] = min(least[at], spent)
    pya0.index_close(index)
    return least


def measure_apart(folder, preload):
    """`measure` in a process of its own, into which a library is loaded first."""
    environment = dict(os.environ, LD_PRELOAD=str(preload)) if preload else None
    command = [sys.executable, __file__, "--measure", str(folder)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    return times(json.loads(result.stdout.splitlines()[-1]))


def write_run(folder, path):
    """Writes what is found, and tells how much that is."""
    index = pya0.index_open(str(folder), option="r")
    found = 0
    with open(path, "w", encoding="utf-8", newline="\n") as run:
        for topic, latex in queries():
            for hit in json.loads(search(index, latex), strict=False).get("hits", []):
                run.write(f"{topic}\tQ0\t{hit['field_url']}\t{hit['rank']}\t{hit['score']}\tapproach0\n")
                found += 1
    pya0.index_close(index)
    return found


def main(size):
    folder, record = build(size)
    print(f"approach0, {record['formulas']} formulas: index {record['index']} built in {record['build_cpu_s']} s of "
          f"CPU time, {record['skipped']} skipped", flush=True)
    run = CACHE / f"approach0-{size}.run"
    record["results"] = write_run(folder, run)
    record["unreadable_queries"] = [topic for topic, latex in queries() if not readable(latex)]
    record["cpu_ms"] = {"search": measure_apart(folder, QUIET), "answer": measure_apart(folder, None)}
    for name, value in record["cpu_ms"].items():
        print(f"    CPU ms a query, {name}: {value}", flush=True)
    if size == 1:
        record["scores"] = scores(run, 2)
        print(f"    {record['scores']}", flush=True)
    write_json(CACHE / f"approach0-{size}.json", record)
    if not os.environ.get("HYPATIA_BENCH_KEEP"):
        folder.with_suffix(".json").unlink()
        shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        for chosen in [int(argument) for argument in sys.argv[1:]] or SIZES:
            main(chosen)
