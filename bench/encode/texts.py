"""Texts of real posts: tags stripped, entities decoded, white space collapsed, each formula as `$LaTeX$` in place."""

import html
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("HYPATIA_DATA") or ROOT / ".." / "shared" / "data")
FORMULA = re.compile(r'<span class="math-container"[^>]*>(.*?)</span>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")


def plain(body):
    """The text of a body of HTML."""
    parts, end = [], 0
    for found in FORMULA.finditer(body):
        parts.append(TAG.sub(" ", body[end:found.start()]))
        parts.append(f" ${found[1].strip().strip('$')}$ ")
        end = found.end()
    parts.append(TAG.sub(" ", body[end:]))
    return " ".join(html.unescape("".join(parts)).split())


def posts(count, skip=0):
    """The first posts of arqmath-mini: title and body of questions, body of answers."""
    texts = []
    for _, row in ElementTree.iterparse(DATA / "arqmath-mini" / "Posts.xml"):
        if row.tag != "row":
            continue
        body = plain(row.get("Body") or "")
        title = plain(row.get("Title") or "")
        texts.append(f"{title}. {body}" if title else body)
        row.clear()
        if len(texts) == skip + count:
            break
    return texts[skip:]


def titles(count):
    """The first titles of questions, which are as long as queries."""
    found = []
    for _, row in ElementTree.iterparse(DATA / "arqmath-mini" / "Posts.xml"):
        if row.tag == "row" and row.get("Title"):
            found.append(plain(row.get("Title")))
        row.clear()
        if len(found) == count:
            break
    return found
