"""All systems over arqmath-mini, as docs/comparison.md and two charts.

    compare.py

Builds collection and index in the cache with the program that HYPATIA names, compares the systems of each task over
the topics of both years that have a relevant item, and writes the page.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "search"))
from common import CACHE, HYPATIA, MINI, ROOT, YEARS, qrels, require_data  # noqa: E402
from known import KNOWN, WHY  # noqa: E402

PASSES = os.environ.get("HYPATIA_BENCH_PASSES", "3")
MEASURES = ("nDCG'", "MAP'", "P'@10")
TITLES = {1: "Answers to questions", 2: "Formulas"}


def call(*arguments):
    """Runs our program; ends with what it says if it fails."""
    done = subprocess.run([HYPATIA, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"hypatia {arguments[0]} ended with {done.returncode}: {done.stderr.strip()[:2000]}")
    if done.stderr.strip():
        print(done.stderr.strip(), file=sys.stderr)
    return done.stdout


def index():
    """The index over arqmath-mini with all that any system searches; made anew if the program is newer."""
    CACHE.mkdir(parents=True, exist_ok=True)
    collection, made = CACHE / "mini.collection", CACHE / "mini.index"
    stamp = CACHE / "program"
    program = f"{Path(HYPATIA).stat().st_mtime_ns}\n"
    if made.exists() and stamp.exists() and stamp.read_text() == program:
        return made
    stamp.unlink(missing_ok=True)
    subprocess.run(["rm", "-rf", str(collection), str(made)], check=True)
    call("collection", "build", MINI, "-o", collection)
    call("index", collection, "-o", made, "--features", "all", "--post-features", "all")
    stamp.write_text(program)
    return made


def compare(task, made):
    """All systems of a task, as `hypatia compare` tells them."""
    topics = []
    for year in YEARS:
        topics += ["--topics", MINI / "topics" / f"Topics_Task{task}_{year}.xml", "--qrels", qrels(task, year)]
    return json.loads(call(
        "compare", "--systems", "all", "--task", task, *topics, "--index", made, "--over", "relevant",
        "--passes", PASSES, "-j", "1", "--format", "json", "--runs", CACHE / f"runs-{task}",
        "--chart", ROOT / "docs" / f"comparison-task{task}.svg"))


def triple(measures):
    return " / ".join(f"{measures[name]:.3f}".removeprefix("0") for name in MEASURES)


def known(system, place):
    figures = KNOWN.get(system["system"])
    return " / ".join(f"{value:.3f}".removeprefix("0") for value in figures[place]) if figures else ""


def of_lab(system, year):
    lab = system["lab"]
    scores = lab["scores"].get(str(year)) if lab else None
    return " / ".join(f"{value:.3f}".removeprefix("0") for value in scores) if scores else ""


def whole(system):
    return not system["missing_members"] and not (system["lab"] and system["lab"]["state"] != "complete")


def table(found):
    """The systems of a task, the best first, as lines of Markdown."""
    by_value = sorted(found["systems"], key=lambda system: (-system["measures"]["nDCG'"], system["system"]))
    counts = [part["topics"] for part in by_value[0]["by_judgments"]]
    head = [f"{year} ({count} topics) | elsewhere" for year, count in zip(YEARS, counts)]
    yield "| system | " + " | ".join(head) + " | ms, middle | ms, 95 of 100 |"
    yield "| --- |" + " --- | --- |" * len(YEARS) + " ---: | ---: |"
    for system in by_value:
        name = f"`{system['system']}`" + ("" if whole(system) else " †")
        cells = []
        for place, part in enumerate(system["by_judgments"]):
            cells += [triple(part["measures"]), known(system, place)]
        times = system["cpu_milliseconds"]
        cells += [f"{times['p50']:.2f}", f"{times['p95']:.2f}"]
        yield f"| {name} | " + " | ".join(cells) + " |"


def lab_table(found):
    """What the originals scored on the whole collection."""
    listed = [system for system in found["systems"] if system["lab"] and system["lab"]["scores"]]
    listed.sort(key=lambda system: (-max((scores[0], year) for year, scores in system["lab"]["scores"].items())[0],
                                    system["system"]))
    yield "| system | row of the lab | 2020 | 2021 | 2022 |"
    yield "| --- | --- | --- | --- | --- |"
    for system in listed:
        cells = [of_lab(system, year) for year in (2020, 2021, 2022)]
        lab = system["lab"]
        yield f"| `{system['system']}` | {lab['team']}, {lab['row']} | " + " | ".join(cells) + " |"


def notes(found):
    """What is not as in the originals, a line for each system."""
    for system in sorted(found["systems"], key=lambda system: system["system"]):
        lab = system["lab"]
        said = [lab[key] for key in ("differs", "reduced", "missing") if lab and lab[key]]
        if said:
            # A sentence a line, as in all our pages.
            sentences = re.sub(r"(?<=[.]) (?=[A-Z])", "\n  ", " ".join(said))
            yield f"- `{system['system']}`: {sentences}"
    for left in found["left_out"]:
        yield f"- `{left['system']}` was left out: {left['why']}."


def page(by_task):
    yield "# Systems compared"
    yield ""
    yield "`bench/systems/run` makes this page: every system that ships, over `arqmath-mini`, a small part of the lab's collection."
    yield "Values are nDCG' / MAP' / P'@10 over topics with something relevant, of the first 1000 results."
    yield "*Elsewhere* is what another program that does the same scored on the same data, where that is known."
    yield "Times are CPU milliseconds a topic on one thread, the least of several passes."
    yield "A dagger marks systems of which a part is missing, such as a trained encoder whose run was not given; what is there was run alone."
    yield "With so few topics and judgments, values are high and differences of less than 0.02 say nothing."
    for task, found in by_task.items():
        yield ""
        yield f"## Task {task}: {TITLES[task].lower()}"
        yield ""
        yield f"![quality against time](comparison-task{task}.svg)"
        yield ""
        yield from table(found)
        yield ""
        names = {system["system"] for system in found["systems"]}
        why = [f"- `{name}`: {text}" for name, text in WHY.items() if name in names]
        if why:
            yield "Where ours and the other are further apart than 0.02 nDCG':"
            yield ""
            yield from why
            yield ""
        yield "What the originals scored in the lab, on the whole collection with all its topics; these values cannot be compared with those above."
        yield ""
        yield from lab_table(found)
        yield ""
        yield "What is not as in the originals:"
        yield ""
        yield from notes(found)


def main():
    require_data()
    made = index()
    by_task = {task: compare(task, made) for task in (1, 2)}
    (ROOT / "docs" / "comparison.md").write_text("\n".join(page(by_task)) + "\n", encoding="utf-8")
    print(f"written: {ROOT / 'docs' / 'comparison.md'}")


if __name__ == "__main__":
    main()
