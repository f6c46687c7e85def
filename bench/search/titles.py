"""Systems on topics of arqmath-mini as whole questions and as titles alone, as people would type them.

    titles.py [SYSTEM…]

Builds collection and index in the cache with the program that HYPATIA names, takes question and tags out of the
topics of 2020 and 2021, and lets `hypatia compare` test the systems (bm25, search and hypatia-classic-1, if none is
named) against the first: topics with a relevant item, prime measures, depth 1000.
"""

import re
import sys

from common import CACHE, MINI, YEARS, require_data
from ours import call, mini_index


def titles(year):
    """The topics of a year without question and tags."""
    text = (MINI / "topics" / f"Topics_Task1_{year}.xml").read_text()
    for element in ("Question", "Tags"):
        text = re.sub(f"<{element}>.*?</{element}>", f"<{element}></{element}>", text, flags=re.DOTALL)
    path = CACHE / f"titles-{year}.xml"
    path.write_text(text)
    return path


def main(names):
    require_data()
    index = mini_index()
    systems = names or ["bm25", "search", "hypatia-classic-1"]
    for kind in ("whole questions", "titles alone"):
        for year in YEARS:
            topics = MINI / "topics" / f"Topics_Task1_{year}.xml" if kind == "whole questions" else titles(year)
            report = CACHE / "titles.md"
            call("compare", "--systems", ",".join(systems), "--topics", topics, "--qrels",
                 MINI / "qrels" / f"task1_{year}.qrels", "--index", index, "--over", "relevant", "--format", "markdown",
                 "-o", report)
            print(f"## {kind}, {year}\n\n{report.read_text()}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
