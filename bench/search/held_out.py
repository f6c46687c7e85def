"""Our own ranking with weights learned on another year, beside other systems.

    held_out.py INDEX [SYSTEM.toml]

INDEX is an index of arqmath-mini with vectors (`hypatia index --encode MODEL`), and HYPATIA_MODELS names the store that
has the model. The weights of the system (systems/hypatia-1.toml) are learned on the topics of one year by `hypatia tune
--learn` and measured on the other year by `hypatia compare`, in both directions: topics with a relevant item, prime
measures, depth 1000. The ledger goes to the cache.
"""

import subprocess
import sys
from pathlib import Path

from common import CACHE, HYPATIA, MINI, ROOT, YEARS, require_data

PLACES = [f"posts.group.{group}.weight" for group in ("words", "text", "parts of formulas", "paths in formulas")]
PLACES += [f"posts.dense.{number}.{whose}" for number in (0, 1) for whose in ("own", "question")]
PLACES += [f"posts.rerank.evidence.{what}" for what in ("words", "formulas", "own_question")]


def topics(year):
    return MINI / "topics" / f"Topics_Task1_{year}.xml", MINI / "qrels" / f"task1_{year}.qrels"


def call(*arguments):
    subprocess.run([HYPATIA, *map(str, arguments)], check=True)


def main(index, system=ROOT / "systems" / "hypatia-1.toml"):
    require_data()
    CACHE.mkdir(parents=True, exist_ok=True)
    files = [option for year in YEARS for name, path in zip(("--topics", "--qrels"), topics(year)) for option in (name, path)]
    call("tune", "--system", system, "--index", index, *files, "--learn", ",".join(PLACES), "--held-out", CACHE,
         "--ledger", CACHE / "held_out.tuning.jsonl")
    for year in YEARS:
        path, qrels = topics(year)
        ours = CACHE / f"{Path(system).stem}-without-{path.stem}.toml"
        call("compare", "--systems", f"{ours},bm25,dense,hypatia-classic-1", "--topics", path, "--qrels", qrels,
             "--index", index, "--over", "relevant", "--format", "markdown")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
