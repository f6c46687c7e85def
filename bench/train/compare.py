"""Trains one model with gensim and one with hypatia on the same lines, and prints what each took."""

import os
import resource
import subprocess
import sys
import time

DIMENSIONS, WINDOW, EPOCHS, NEGATIVES, MIN_COUNT = 100, 5, 10, 10, 5


def gensim(lines, threads):
    """CPU and wall seconds of building the vocabulary and training, and the size of the vocabulary."""
    from gensim.models import FastText

    with open(lines, encoding="utf-8") as file:
        sequences = [line.split() for line in file]
    cpu, wall = time.process_time(), time.perf_counter()
    model = FastText(
        vector_size=DIMENSIONS, window=WINDOW, sg=1, negative=NEGATIVES, min_count=MIN_COUNT,
        min_n=3, max_n=6, workers=threads, seed=1,
    )
    model.build_vocab(corpus_iterable=sequences)
    model.train(corpus_iterable=sequences, total_examples=model.corpus_count, epochs=EPOCHS)
    return time.process_time() - cpu, time.perf_counter() - wall, len(model.wv)


def hypatia(lines, threads, folder):
    """The same of the whole command: reading, training, writing the model."""
    command = [
        os.environ["HYPATIA"], "train", "vectors", lines, "--from", "lines", "--name", "bench", "--replace",
        "--models", os.path.join(folder, "models"), "--algorithm", "gensim-fasttext",
        "--dimensions", str(DIMENSIONS), "--window", str(WINDOW), "--epochs", str(EPOCHS),
        "--negatives", str(NEGATIVES), "--min-count", str(MIN_COUNT), "-j", str(threads),
    ]

    def children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    cpu, wall = children(), time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return children() - cpu, time.perf_counter() - wall


def main():
    lines, kind, folder = sys.argv[1:]
    threads = os.cpu_count()
    for count in sorted({1, threads}):
        ours = hypatia(lines, count, folder)
        theirs = gensim(lines, count)
        print(
            f"{kind}: {count} threads, {theirs[2]} tokens: gensim {theirs[0]:.1f} CPU s, {theirs[1]:.1f} s; "
            f"hypatia {ours[0]:.1f} CPU s, {ours[1]:.1f} s; "
            f"{theirs[0] / ours[0]:.1f} times in CPU, {theirs[1] / ours[1]:.1f} times in wall time",
            flush=True,
        )


if __name__ == "__main__":
    main()
