"""How good our systems are on arqmath-mini, as a table in Markdown.

    quality.py [SYSTEM…]

Builds collection and index in the cache with the program that HYPATIA names, runs each system (all that come with
the program, if none is named) over the topics of 2020 and 2021, and scores the runs: topics with a relevant item,
prime measures, depth 1000. A system that needs vectors is listed with what it lacks.
"""

import json
import subprocess
import sys

from common import CACHE, HYPATIA, MINI, YEARS, require_data, scores
from ours import NotMeasured, call, mini_index


def systems():
    """Names and tasks of the systems that come with the program."""
    said = subprocess.run([HYPATIA, "systems", "--format", "json"], check=True, capture_output=True, text=True).stdout
    return [(system["name"], str(system["task"])) for system in json.loads(said)]


def values(name, task, year, index):
    """The measures of a system on the topics of a year."""
    run = CACHE / f"quality-{task}-{year}.run"
    visual = ["--ids", "visual"] if task == "2" else []
    topics = MINI / "topics" / f"Topics_Task{task}_{year}.xml"
    call("run", "--task", task, "--system", name, "--topics", topics, "--index", index, "--format", "trec", *visual,
         "-o", run)
    value = scores(run, int(task), [year])[str(year)]
    return [value[measure] for measure in ("nDCG'", "MAP'", "P'@10")]


def main(names):
    require_data()
    index = mini_index()
    print("| system | task | " + " | ".join(str(year) for year in YEARS) + " |")
    print("| --- | --- |" + " --- |" * len(YEARS))
    for name, task in systems():
        if names and name not in names:
            continue
        try:
            cells = [" / ".join(f"{value:.3f}" for value in values(name, task, year, index)) for year in YEARS]
        except NotMeasured as reason:
            cells = [str(reason)]
        print(f"| `{name}` | {task} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
