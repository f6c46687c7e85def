"""How often queries as people type them find the right thread first.

    typed.py [--misses]

Reads `typed.jsonl`: one judged query per line, with its kind, its collection (the sample, or arqmath-mini where the
real data is there) and the ids of the right threads. Builds both indexes in the cache with the program that HYPATIA
names (with vectors of the model that HYPATIA_ENCODE names, if it is set), serves each, and asks the API for threads.
Prints, by collection and kind, the share of queries with a right thread first and among the first three; `--misses`
adds a line for every query without a right thread among the first three, and one for those where it is not the first.
"""

import collections
import contextlib
import json
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

from common import CACHE, HYPATIA, MINI
from ours import call, mini_index, remove, vectors

DEPTH = 10


def judged():
    lines = (Path(__file__).parent / "typed.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def sample_index():
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / "sample.index"
    remove(path)
    call("index", "--sample", "-o", path, *vectors())
    return path


@contextlib.contextmanager
def served(index):
    """The address of a server over an index."""
    server = subprocess.Popen([HYPATIA, "serve", "--index", str(index), "--port", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in server.stdout:
            if found := re.search(r"http://[0-9.:]+", line):
                yield found[0]
                break
        else:
            sys.exit("hypatia serve does not say where it serves")
    finally:
        server.terminate()
        server.wait()


def threads(address, query):
    """The ids of the threads that a query finds, best first."""
    parameters = urllib.parse.urlencode({"q": query, "group": "threads", "limit": DEPTH})
    with urllib.request.urlopen(f"{address}/api/v1/search?{parameters}") as answer:
        hits = json.load(answer)["hits"]
    return [int(hit.get("question_id") or hit["id"]) for hit in hits]


def main(arguments):
    rows = judged()
    shares = collections.defaultdict(list)
    indexes = {"sample": sample_index}
    if (MINI / "latex_representation.tsv").exists():
        indexes["mini"] = mini_index
    else:
        print("SKIPPED arqmath-mini: set HYPATIA_DATA")
    for collection, build in indexes.items():
        with served(build()) as address:
            for row in rows:
                if row["collection"] != collection:
                    continue
                found = threads(address, row["query"])
                ranks = [rank for rank, thread in enumerate(found, 1) if thread in row["right"]]
                best = ranks[0] if ranks else DEPTH + 1
                for key in ((collection, row["kind"]), (collection, "all"), ("all", row["kind"]), ("all", "all")):
                    shares[key].append(best)
                if best > 1 and "--misses" in arguments:
                    rank = best if ranks else "-"
                    print(f"{collection}\t{row['kind']}\t{rank}\t{row['query']!r}\t{row['right']}\t{found[:3]}")
    print("| collection | kind | queries | first | in three |\n| --- | --- | --- | --- | --- |")
    for (collection, kind), ranks in shares.items():
        first = sum(rank == 1 for rank in ranks) / len(ranks)
        three = sum(rank <= 3 for rank in ranks) / len(ranks)
        print(f"| {collection} | {kind} | {len(ranks)} | {first:.1%} | {three:.1%} |")


if __name__ == "__main__":
    main(sys.argv[1:])
