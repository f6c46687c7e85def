"""Prints what was measured as one table, and ends with 1 if a limit is missed.

    table.py [SIZE…]

Ratios are our CPU time to the peer's: mean, and p50 where both are known.
"""

import json
import sys

from common import CACHE, SIZES

# Our mean CPU time a query may be at most this part of the peer's.
LIMITS = {"formulas-1": 1 / 5, "formulas-10": 1 / 8, "bm25": 1.0}
MISSING = "not measured"


def read(name):
    path = CACHE / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def number(value):
    return MISSING if value is None else f"{value:.3f}"


def score(record):
    """nDCG' of both years."""
    found = record.get("scores")
    if not found:
        return MISSING
    return ", ".join(f"""{values["nDCG'"]:.3f} ({year})""" for year, values in found.items())


def main(sizes):
    rows, missed = [], []
    lucene = read("lucene.json")
    measured = [(f"formulas-{size}", "approach0", read(f"approach0-{size}.json"), read(f"ours-{size}.json")) for size in sizes]
    measured.append(("bm25", "Lucene", lucene, lucene.get("ours") or {}))
    for name, peer, theirs, ours in measured:
        their_times, our_times = (theirs.get("cpu_ms") or {}).get("search") or {}, ours.get("cpu_ms") or {}
        their_mean, our_mean = their_times.get("mean"), our_times.get("mean")
        ratio = our_mean / their_mean if our_mean is not None and their_mean else None
        verdict = "" if ratio is None else "met" if ratio <= LIMITS[name] else "MISSED"
        if verdict == "MISSED":
            missed.append(name)
        rows.append([name, peer, number(their_times.get("p50")), number(their_mean), number(their_times.get("p95")),
                     number(our_times.get("p50")), number(our_mean), number(our_times.get("p95")),
                     number(ratio), f"{LIMITS[name]:.3f}", verdict])
    head = ["what", "peer", "its p50", "its mean", "its p95", "our p50", "our mean", "our p95", "our/its mean", "limit", ""]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    print("CPU time a query in milliseconds, 1000 results (ours: p50 and p95 are as its program tells them)")
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(f"nDCG' of formulas-1: approach0 {score(measured[0][2])}; ours {score(measured[0][3])}")
    if lucene.get("ours"):
        wrong = lucene["ours"]["topics_that_differ"]
        print(f"rankings as Lucene's: {lucene['queries'] - wrong} of {lucene['queries']} topics")
        missed += ["rankings"] if wrong else []
    else:
        print(f"rankings as Lucene's: {MISSING}")
    if missed:
        print(f"limits missed: {', '.join(missed)}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)
