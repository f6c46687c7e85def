"""Vectors and speed of our encoder beside sentence-transformers, in one run.

    compare.py PROGRAM FOLDER [--texts N] [--timed N] [--queries N] [--rounds N]

PROGRAM is the example `encode` of crates/model, FOLDER a model in the form of sentence-transformers. Ends with 1 if a
cosine is below 1 - 1e-4. Times are the best of several rounds, taken in turns, after a round that is not counted;
CPU time tells more where other programs run.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import texts

LEAST_COSINE = 1 - 1e-4


def ours(program, folder, file, **options):
    arguments = [program, str(folder), str(file)]
    for name, value in options.items():
        arguments += [f"--{name.replace('_', '-')}", str(value)]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--timed", type=int, default=200)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    import torch
    from sentence_transformers import SentenceTransformer

    start = time.perf_counter()
    peer = SentenceTransformer(str(arguments.folder), device="cpu")
    opened = time.perf_counter() - start
    some = texts.posts(arguments.texts)
    queries = texts.titles(arguments.queries)
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        (scratch / "texts.json").write_text(json.dumps(some))
        report = ours(arguments.program, arguments.folder, scratch / "texts.json", out=scratch / "vectors")
        found = numpy.fromfile(scratch / "vectors", dtype="<f4").reshape(len(some), -1)
        expected = peer.encode(some, batch_size=32, convert_to_numpy=True)
        cosines = (found * expected).sum(1) / numpy.linalg.norm(found, axis=1) / numpy.linalg.norm(expected, axis=1)
        worst = float(cosines.min())
        print(f"{report['name']}: {len(some)} posts, {report['dimensions']} dimensions, "
              f"{report['max_tokens']} tokens at most")
        print(f"  least cosine to sentence-transformers: 1 - {1 - worst:.1e}; greatest difference of a number: "
              f"{abs(found - expected).max():.1e}")
        print(f"  opened in {report['open']:.2f} s (sentence-transformers {opened:.2f} s)")

        timed = some[:arguments.timed]
        lengths = [min(len(ids), peer.max_seq_length) for ids in peer.tokenizer(timed)["input_ids"]]
        print(f"  speed: {len(timed)} posts of {statistics.mean(lengths):.0f} tokens, {len(queries)} titles as queries")
        (scratch / "texts.json").write_text(json.dumps(timed))
        (scratch / "queries.json").write_text(json.dumps(queries))
        for threads in (1, 2):
            torch.set_num_threads(threads)
            times = {"ours": [], "sentence-transformers": []}
            work = {"ours": [], "sentence-transformers": []}
            latencies = {"ours": [], "sentence-transformers": []}
            for round in range(arguments.rounds):
                report = ours(arguments.program, arguments.folder, scratch / "texts.json", threads=threads,
                              repeat=2, queries=scratch / "queries.json")
                times["ours"].append(report["seconds"][-1])
                work["ours"].append(report["cpu"][-1])
                latencies["ours"] += report["latencies"]
                if round == 0:
                    peer.encode(timed[:32])
                start, cpu_start = time.perf_counter(), time.process_time()
                peer.encode(timed, batch_size=32)
                times["sentence-transformers"].append(time.perf_counter() - start)
                work["sentence-transformers"].append(time.process_time() - cpu_start)
                for query in queries:
                    start = time.perf_counter()
                    peer.encode([query])
                    latencies["sentence-transformers"].append(time.perf_counter() - start)
            best = {name: min(seconds) for name, seconds in times.items()}
            for name, seconds in best.items():
                middle = sorted(latencies[name])
                print(f"  {threads} thread{'s' if threads > 1 else ''}, {name}: {len(timed) / seconds:.1f} texts/s, "
                      f"{1000 * min(work[name]) / len(timed):.1f} ms of CPU a text, "
                      f"query p50 {1000 * statistics.median(middle):.1f} ms, "
                      f"p95 {1000 * middle[int(0.95 * len(middle))]:.1f} ms")
            print(f"  {threads} thread{'s' if threads > 1 else ''}: "
                  f"{best['sentence-transformers'] / best['ours']:.2f} times as fast, "
                  f"{min(work['sentence-transformers']) / min(work['ours']):.2f} by CPU time; "
                  f"load {os.getloadavg()[0]:.1f}", flush=True)
    if worst < LEAST_COSINE:
        print(f"the least cosine is below {LEAST_COSINE}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
