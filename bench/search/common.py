"""What the parts of the comparison share: where things are, how the real data is read, how times are told."""

import csv
import html
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("HYPATIA_BENCH_CACHE") or ROOT / "target" / "bench-search").resolve()
DATA = Path(os.environ.get("HYPATIA_DATA") or ROOT / ".." / "shared" / "data")
MINI = DATA / "arqmath-mini"
HYPATIA = os.environ.get("HYPATIA") or str(
    Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "dist" / "hypatia")
YEARS = (2020, 2021)
SIZES = (1, 10)

csv.field_size_limit(10**9)
# Only entities with their semicolon: a bare "&times" may be a column of a table.
ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


def unescape(latex):
    return ENTITY.sub(lambda found: html.unescape(found[0]), latex)


def require_data():
    """Ends the program when the real data is not there."""
    if not (MINI / "latex_representation.tsv").exists():
        sys.exit(f"SKIPPED: there is no arqmath-mini in {DATA} (set HYPATIA_DATA)")


def read_table(path):
    """Rows of a table of the lab as dictionaries."""
    with open(path, newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def read_formulas(size):
    """(visual id, LaTeX) of the formulas that formulas.py wrote."""
    with open(CACHE / f"formulas-{size}.tsv", encoding="utf-8", newline="\n") as lines:
        return [tuple(line.rstrip("\n").split("\t")) for line in lines]


def qrels(task, year):
    return MINI / "qrels" / f"task{task}_{year}.qrels"


def judged_topics(task, year):
    """Topics with at least one item of grade 1 or more in arqmath-mini."""
    with open(qrels(task, year), encoding="utf-8") as lines:
        rows = [line.split() for line in lines]
    return {row[0] for row in rows if len(row) >= 4 and int(row[3]) >= 1}


def topics(task, year):
    """The topics of a year as elements of its XML file, in its order."""
    return ElementTree.parse(MINI / "topics" / f"Topics_Task{task}_{year}.xml").getroot().findall("Topic")


def times(seconds):
    """p50, mean, p95 and p99 of times in seconds, told in milliseconds."""
    ordered = sorted(seconds)
    # The smallest value that the share of all does not exceed.
    at = lambda share: ordered[min(len(ordered) - 1, max(0, -(-int(share * len(ordered)) // 100) - 1))]
    return {
        "p50": round(at(50) * 1000, 3), "mean": round(sum(ordered) / len(ordered) * 1000, 3),
        "p95": round(at(95) * 1000, 3), "p99": round(at(99) * 1000, 3), "queries": len(ordered),
    }


def scores(run, task, years=YEARS):
    """nDCG', MAP' and P'@10 of a run of visual ids or answers for each year, by `hypatia eval`."""
    found = {}
    for year in years:
        command = [HYPATIA, "eval", str(run), "--qrels", str(qrels(task, year)), "--task", str(task),
                   "--topics", "relevant", "--format", "json"]
        if task == 2:
            command += ["--ids", "visual"]
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except OSError:
            return None
        if result.returncode != 0:
            print(f"hypatia eval: {result.stderr.strip()[:300]}", file=sys.stderr)
            return None
        measures = json.loads(result.stdout)[0]["measures"]
        found[str(year)] = {name: round(value, 4) for name, value in measures.items()}
    return found


def write_json(path, record):
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    Path(path).write_text(text, encoding="utf-8")
