"""Compares `hypatia eval` with trec_eval: same files, same numbers.

Started by bench/parity/run. Every pair of run and judgments is made from a
seed, so a difference can be made again.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytrec_eval

HYPATIA = os.environ["HYPATIA"]
DATA = Path(os.environ["HYPATIA_DATA"])
TOLERANCE = 1e-6
CUTOFFS = (1, 2, 3, 5, 10, 20, 100, 1000)

# trec_eval's name to ours; {k} is a cutoff. Those with a threshold take `rel`.
WITH_LEVEL = {
    "map": "AP", "Rprec": "Rprec", "bpref": "bpref", "recip_rank": "RR", "infAP": "infAP",
    "num_rel": "NumRel", "num_rel_ret": "NumRelRet", "11pt_avg": "11ptAvg",
    "set_P": "SetP", "set_recall": "SetR", "set_F": "SetF",
    "num_nonrel_judged_ret": "NumNonRelJudgedRet",
    **{f"P_{k}": f"P@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"R@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"Success@{k}" for k in CUTOFFS},
    **{f"iprec_at_recall_{k / 10:.2f}": f"IPrec@{k / 10:g}" for k in range(11)},
}
WITHOUT_LEVEL = {"ndcg": "nDCG", "num_ret": "NumRet", **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS}}
# Those that judged-only results do not change; the prime is an error there.
WITHOUT_PRIME = {"bpref", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "set_recall"}
# pytrec_eval divides by zero here when a list is empty; we say 0, as trec_eval prints.
EMPTY_IS_NAN = {"11pt_avg", *(f"iprec_at_recall_{k / 10:.2f}" for k in range(11))}
REQUESTED = {
    "map", "Rprec", "bpref", "recip_rank", "infAP", "num_rel", "num_rel_ret", "num_ret", "11pt_avg", "set_P",
    "set_recall", "set_F", "num_nonrel_judged_ret", "ndcg", "iprec_at_recall",
    *(f"{name}." + ",".join(map(str, CUTOFFS)) for name in ("P", "recall", "map_cut", "success", "ndcg_cut")),
}


def ours(name, level, prime):
    base = WITHOUT_LEVEL.get(name)
    parameters = ""
    if base is None:
        base = WITH_LEVEL[name]
        parameters = f"(rel={level})" if level != 1 else ""
    stem, at, cutoff = base.partition("@")
    return f"{stem}{chr(39) if prime and name not in WITHOUT_PRIME else ''}{parameters}{at}{cutoff}"


def generate(seed):
    """A run and judgments that are as awkward as files are."""
    rng = random.Random(seed)
    topics = [f"T.{number}" for number in rng.sample(range(1, 400), rng.randint(1, 8))]
    documents = [str(rng.choice([rng.randint(1, 30), rng.randint(1, 10**7)])) for _ in range(rng.randint(2, 80))]
    documents = sorted(set(documents) | {f"d{letter}" for letter in "aéz_-"})
    grades = rng.choice([[0, 1], [0, 1, 2, 3], [0, 0, 0, 3], [-1, 0, 1], [-2, -1, 0, 1, 2, 4], [0]])
    scores = rng.choice([
        lambda: rng.choice([1, 2, 3]),
        lambda: rng.gauss(0, 1),
        lambda: -rng.random() * 1e-3,
        lambda: 0.1 + rng.choice([0, 1e-11, 1e-9, 1e-7, 2e-7]),
        lambda: rng.choice([0.0, -0.0, 1e-46, -1e-46, 1e30, 3e38]),
        lambda: rng.randint(-5, 5) / 3,
    ])
    qrels, run = {}, {}
    for topic in topics:
        if rng.random() < 0.85:
            judged = rng.sample(documents, rng.randint(1, len(documents)))
            qrels[topic] = {document: rng.choice(grades) for document in judged}
            # pytrec_eval breaks off on a topic whose grades are all negative.
            qrels[topic][judged[0]] = max(grades)
        if rng.random() < 0.85:
            found = rng.sample(documents, rng.randint(1, len(documents)))
            run[topic] = {document: scores() for document in found}
    rows = [(topic, document, score) for topic, found in run.items() for document, score in found.items()]
    rng.shuffle(rows)
    judgments = [(topic, document, grade) for topic, found in qrels.items() for document, grade in found.items()]
    rng.shuffle(judgments)
    separator = rng.choice(["\t", " ", "  "])
    ending = rng.choice(["\n", "\r\n"])
    line = lambda *fields: separator.join(map(str, fields)) + ending
    run_text = "".join(
        line(topic, "Q0", document, rng.randint(1, 9), repr(score), "tag") for topic, document, score in rows)
    qrels_text = "".join(line(topic, 0, document, grade) for topic, document, grade in judgments)
    return run_text, qrels_text


def hypatia(run, qrels, *options):
    command = [HYPATIA, "eval", str(run), "--qrels", str(qrels), *options]
    return subprocess.run(command, capture_output=True, text=True)


def values_of_ours(run, qrels, measures):
    result = hypatia(run, qrels, "--topics", "returned", "-q", "--format", "json", "--measures", ";".join(measures))
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout)[0]["per_topic"]


def compare(run, qrels, level, prime, read_run, read_qrels):
    """The number of values compared, and the differences."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        read_qrels, REQUESTED, relevance_level=level, judged_docs_only_flag=prime)
    theirs = evaluator.evaluate(read_run)
    names = sorted(next(iter(theirs.values()), {}))
    names = [name for name in names if name in WITH_LEVEL or name in WITHOUT_LEVEL]
    if not names:
        return 0, []
    measures = {name: ours(name, level, prime) for name in names}
    found = values_of_ours(run, qrels, list(measures.values()))
    differences, count = [], 0
    if set(found) != set(theirs):
        differences.append(f"topics differ: {set(found) ^ set(theirs)}")
    for topic, values in theirs.items():
        for name, measure in measures.items():
            mine = found.get(topic, {}).get(measure)
            count += 1
            if math.isnan(values[name]) and name in EMPTY_IS_NAN and mine == 0:
                continue
            if mine is None or not math.isclose(mine, values[name], abs_tol=TOLERANCE, rel_tol=TOLERANCE):
                differences.append(f"{topic} {measure}: ours {mine}, trec_eval {name} {values[name]}")
    return count, differences


def read(path, parse, convert):
    table = {}
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        fields = line.split()
        if fields:
            topic, document, value = parse(fields)
            table.setdefault(topic, {})[document] = convert(value)
    return table


def trec_files(folder, seed):
    run_text, qrels_text = generate(seed)
    run, qrels = folder / "run.txt", folder / "qrels.txt"
    run.write_text(run_text, encoding="utf-8", newline="")
    qrels.write_text(qrels_text, encoding="utf-8", newline="")
    return run, qrels


def real_pairs():
    official = DATA / "arqmath-mini" / "official"
    for path in sorted((DATA / "runs" / "task1-2020").glob("*.tsv")):
        yield path, official / "task1_2020.qrels"
    for qrels in ("task2_2020.qrels", "task2_2020_v2.qrels"):
        yield DATA / "runs" / "task2-2020" / "tangent-s.tsv", official / qrels
    for path in sorted((DATA / "ntcir12-wfb" / "runs").glob("*.dat")):
        yield path, DATA / "ntcir12-wfb" / "qrels.txt"


def same_bytes(run, qrels, seed):
    """Compares the output of trec_eval itself with that of --trec."""
    rng = random.Random(seed)
    options = [option for option in ("-q", "-c", "-J", "-n") if rng.random() < 0.4]
    if rng.random() < 0.5:
        options.append(f"-l{rng.randint(1, 3)}")
    for measure in rng.choice([[], ["official"], ["all_trec"], ["ndcg", "P.5,10", "map"], ["set"]]):
        options += ["-m", measure]
    theirs = subprocess.run(["trec_eval", *options, qrels, run], capture_output=True, text=True)
    mine = hypatia(run, qrels, "--trec", *options)
    if theirs.stdout == mine.stdout:
        return []
    lines = zip(theirs.stdout.splitlines() + ["(end)"], mine.stdout.splitlines() + ["(end)"])
    first = next(((a, b) for a, b in lines if a != b), ("", ""))
    return [f"{' '.join(options)}: trec_eval {first[0]!r}, ours {first[1]!r} {mine.stderr.strip()}"]


def main():
    pairs = int(sys.argv[1])
    failed, compared, bytes_compared = 0, 0, 0
    reference = shutil.which("trec_eval")

    def report(name, differences):
        nonlocal failed
        if differences:
            failed += 1
            print(f"{name}: {len(differences)} differences, such as")
            for difference in differences[:3]:
                print(f"    {difference}")

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for seed in range(pairs):
            run, qrels = trec_files(folder, seed)
            if not run.read_text() or not qrels.read_text():
                continue
            read_run = read(run, lambda f: (f[0], f[2], f[4]), float)
            read_qrels = read(qrels, lambda f: (f[0], f[2], f[3]), int)
            count, differences = compare(run, qrels, 1 + seed % 3, seed % 2 == 1, read_run, read_qrels)
            compared += count
            report(f"pair {seed}", differences)
            if reference:
                bytes_compared += 1
                report(f"pair {seed} --trec", same_bytes(run, qrels, seed))
    print(f"{pairs} generated pairs: {compared} values compared")
    for run, qrels in real_pairs():
        if not run.exists():
            print(f"SKIPPED {run.name}: the real data is not there")
            continue
        read_run = read(run, lambda f: (f[0], f[2], f[4]), float)
        read_qrels = read(qrels, lambda f: (f[0], f[2], f[3]), lambda grade: int(float(grade)))
        for level, prime in ((1, False), (2, True), (3, False)):
            count, differences = compare(run, qrels, level, prime, read_run, read_qrels)
            compared += count
            report(f"{run.name} against {qrels.name}", differences)
        if reference and "Q0" in run.read_text()[:40]:
            bytes_compared += 1
            for seed in range(6):
                report(f"{run.name} --trec", same_bytes(run, qrels, seed))
    print(f"in all {compared} values compared, {bytes_compared} files byte for byte, {failed} files differ")
    sys.exit(1 if failed else 0)


main()
