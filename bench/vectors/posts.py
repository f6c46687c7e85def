"""Vectors of real posts, and as many more like them as wanted.

posts.py encode Posts.xml MODEL FOLDER   writes FOLDER/posts.f32
posts.py enlarge FOLDER ROWS             writes FOLDER/ROWS.f32 and FOLDER/queries.f32

Files are rows of 384 little-endian 32-bit numbers. README.md says how the larger sets are made.
"""

import html
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

DIMENSION = 384
QUERIES = 200
NEIGHBOURS = 20
NOISE = 0.6


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


def encode(posts, model, folder):
    from sentence_transformers import SentenceTransformer

    texts = []
    for _, element in ElementTree.iterparse(posts):
        if element.tag == "row":
            body = re.sub(r"<[^>]+>", " ", html.unescape(element.get("Body") or ""))
            texts.append(((element.get("Title") or "") + " " + body).strip())
            element.clear()
    encoder = SentenceTransformer(model, device="cpu")
    vectors = encoder.encode(texts, batch_size=32, normalize_embeddings=True)
    vectors.astype("<f4").tofile(Path(folder) / "posts.f32")


def enlarge(folder, rows):
    folder = Path(folder)
    real = np.fromfile(folder / "posts.f32", "<f4").reshape(-1, DIMENSION)
    rng = np.random.default_rng(11)
    order = rng.permutation(len(real))
    queries, base = real[order[:QUERIES]], real[order[QUERIES:]]
    queries.tofile(folder / "queries.f32")
    similarity = base @ base.T
    np.fill_diagonal(similarity, -2)
    neighbours = np.argpartition(-similarity, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    values, directions = np.linalg.eigh(np.cov(base.T))
    # Noise with the covariance of the posts, of length one on average.
    root = (directions * np.sqrt(np.maximum(values, 0) / values.sum())).astype("f4")

    def more(count):
        first = rng.integers(len(base), size=count)
        second = neighbours[first, rng.integers(NEIGHBOURS, size=count)]
        share = rng.uniform(0, 0.5, size=(count, 1)).astype("f4")
        between = unit((1 - share) * base[first] + share * base[second])
        return unit(between + NOISE * (rng.standard_normal((count, DIMENSION), dtype=np.float32) @ root.T))

    part = folder / f"{rows}.part"
    with part.open("wb") as out:
        base[:rows].tofile(out)
        left = rows - len(base)
        while left > 0:
            more(min(left, 100_000)).tofile(out)
            left -= 100_000
    part.rename(folder / f"{rows}.f32")


if __name__ == "__main__":
    if sys.argv[1:2] == ["encode"] and len(sys.argv) == 5:
        encode(*sys.argv[2:])
    elif sys.argv[1:2] == ["enlarge"] and len(sys.argv) == 4:
        enlarge(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(__doc__)
