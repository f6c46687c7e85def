"""Measures our search on the formulas that formulas.py wrote.

    ours.py [SIZE…]

Builds collection and index with the program that HYPATIA names, runs the topics, and writes `ours-SIZE.json` to
the cache: CPU times a query as the program tells them in the file beside its run. Where the program has no such
command yet, `not_measured` says which.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from common import CACHE, HYPATIA, MINI, SIZES, scores, write_json

# The system that is compared with approach0; without a name, the program chooses.
SYSTEM = os.environ.get("HYPATIA_BENCH_SYSTEM", "")


# The least time of so many passes counts, as for the peers.
PASSES = 5


class NotMeasured(Exception):
    pass


def call(*arguments):
    """Runs our program; its CPU time in seconds."""
    command = [HYPATIA, *map(str, arguments)]
    try:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise NotMeasured(f"{HYPATIA}: {error.strerror}") from None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise NotMeasured(f"hypatia {arguments[0]}: {(said.strip().splitlines() or ['failed'])[0]}")
    return usage.ru_utime + usage.ru_stime


def size_on_disk(path):
    path = Path(path)
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path.is_dir() else path.stat().st_size


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def mini_index():
    """The index of arqmath-mini, built anew, with vectors of the model that HYPATIA_ENCODE names."""
    CACHE.mkdir(parents=True, exist_ok=True)
    collection, index = CACHE / "mini.collection", CACHE / "mini.index"
    remove(collection)
    remove(index)
    call("collection", "build", MINI, "-o", collection)
    call("index", collection, "-o", index, *vectors())
    return index


def vectors():
    """Options of `hypatia index` for vectors, if HYPATIA_ENCODE names a model of the store (HYPATIA_MODELS)."""
    model = os.environ.get("HYPATIA_ENCODE")
    return ["--encode", model] if model else []


def cpu_times(sidecar):
    """CPU times a query, in milliseconds, of the file beside a run."""
    return json.loads(Path(sidecar).read_text(encoding="utf-8"))["cpu_milliseconds"]


def measure(size):
    collection, index, run = (CACHE / f"ours-{size}.{kind}" for kind in ("collection", "index", "run"))
    for path in (collection, index, run):
        remove(path)
    record = {"size": size}
    try:
        record["collection_cpu_s"] = round(call("collection", "build", CACHE / f"collection-{size}", "-o", collection), 2)
        record["index_cpu_s"] = round(call("index", collection, "-o", index), 2)
        record["index_bytes"] = size_on_disk(index)
        system = ["--system", SYSTEM] if SYSTEM else []
        asked = ["run", "--task", 2, *system, "--topics", CACHE / "topics-task2.xml", "--index", index,
                 "--format", "trec", "--ids", "visual", "--threads", 1, "--passes", PASSES, "-o", run]
        call(*asked)
        record["cpu_ms"] = cpu_times(f"{run}.json")
        if size == 1:
            record["scores"] = scores(run, 2)
    except NotMeasured as reason:
        record["not_measured"] = str(reason)
    print(f"ours, size {size}: {record.get('cpu_ms') or 'not measured: ' + record['not_measured']}", flush=True)
    write_json(CACHE / f"ours-{size}.json", record)


if __name__ == "__main__":
    for chosen in [int(argument) for argument in sys.argv[1:]] or SIZES:
        measure(chosen)
