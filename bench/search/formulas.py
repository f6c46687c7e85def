"""Writes the formulas that the searches are measured on, and the queries.

    formulas.py

From arqmath-mini it takes one formula for each visual id of questions, titles and answers (its first
instance), and makes a collection of ten times as many: each formula and nine variants of it. Both go to
the cache as `formulas-1.tsv` and `formulas-10.tsv` (visual id, LaTeX) and as the folders `collection-1` and
`collection-10`, which `hypatia collection build` reads. The topics of Task 2 that have something relevant
in arqmath-mini go to `topics-task2.xml`. The same data gives the same bytes.
"""

import csv
import random
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape, quoteattr

from common import CACHE, MINI, SIZES, YEARS, judged_topics, read_table, require_data, topics, unescape, write_json

SEED = 20
VARIANTS = 9
THREAD = 100  # answers to a question
QUESTIONS = 10_000_000  # ids of questions begin here, those of answers at 1

TOKEN = re.compile(r"\\[A-Za-z@]+|\\.|[0-9]+(?:\.[0-9]+)?|[A-Za-z]|\s+|.", re.S)
# The groups after these hold names, words or lengths, no operands.
NAMED = {
    "\\begin", "\\end", "\\text", "\\textrm", "\\textbf", "\\textit", "\\textsf", "\\texttt", "\\mbox", "\\hbox",
    "\\mathrm", "\\operatorname", "\\hspace", "\\vspace", "\\tag", "\\label", "\\ref", "\\color", "\\require",
    "\\href", "\\class", "\\unicode", "\\kern", "\\mkern", "\\hskip", "\\mskip", "\\raise", "\\lower", "\\rule",
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
RELATIONS = ("=", "<", ">", "\\leq ", "\\geq ", "\\neq ", "\\to ", "\\in ", "\\equiv ", "\\sim ", "\\subset ")
OPERATORS = ("+", "-", "\\cdot ", "\\times ")
# What would not stay in its place when something is put beside it.
UNFIT = re.compile(r"&|\\\\|\\(?:begin|end|over|atop|choose|left|right|middle|newcommand|def|lx@|@@)|\$|#|%")


def protected(tokens):
    """For each token whether it is part of a name or a length."""
    marks = [False] * len(tokens)
    at = 0
    while at < len(tokens):
        if tokens[at] in NAMED:
            ends = group_end(tokens, at + 1)
            # The columns of an array are letters, too.
            if tokens[at] == "\\begin" and "".join(tokens[at + 1:ends]) in ("{array}", "{tabular}", "{alignedat}"):
                if tokens[ends:ends + 2] == ["[", "]"]:
                    ends += 2
                ends = group_end(tokens, ends)
            for inside in range(at, ends):
                marks[inside] = True
            at = max(ends, at + 1)
        else:
            at += 1
    return marks


def group_end(tokens, at):
    """Behind the group that begins here, or here if none does."""
    if at >= len(tokens) or tokens[at] != "{":
        return at
    depth = 0
    for position in range(at, len(tokens)):
        depth += (tokens[position] == "{") - (tokens[position] == "}")
        if depth == 0:
            return position + 1
    return len(tokens)


def join(tokens):
    """The text of tokens, with a blank where a command would swallow a letter."""
    text = []
    for token in tokens:
        if text and token[:1].isalpha() and re.fullmatch(r"\\[A-Za-z@]+", text[-1]):
            text.append(" ")
        text.append(token)
    return "".join(text)


def balanced(text):
    depth = 0
    for token in TOKEN.findall(text):
        depth += (token in "{([") - (token in "})]")
        if depth < 0:
            return False
    return depth == 0


def operands(tokens):
    """Places (from, to) of what can stand for something else: groups, letters and numbers."""
    marks = protected(tokens)
    places, opened = [], []
    for at, token in enumerate(tokens):
        if marks[at]:
            continue
        if token == "{":
            opened.append(at + 1)
        elif token == "}" and opened:
            begin = opened.pop()
            if begin < at and at - begin <= 30:
                places.append((begin, at))
        elif token.isalpha() or token[0].isdigit():
            places.append((at, at + 1))
    return [place for place in places if not UNFIT.search("".join(tokens[place[0]:place[1]]))]


class Maker:
    """Makes variants of formulas."""

    def __init__(self, formulas):
        self.rng = random.Random(SEED)
        # What is put into other formulas: short whole formulas, and operands in the order of the data.
        self.parts = [latex for latex in formulas if len(latex) <= 60 and not UNFIT.search(latex) and balanced(latex)]
        self.operands = []
        for latex in self.parts:
            tokens = TOKEN.findall(latex)
            self.operands += ["".join(tokens[begin:end]) for begin, end in operands(tokens)]
        self.operands = [operand for operand in self.operands if balanced(operand) and operand.strip()]

    def renamed(self, latex):
        tokens = TOKEN.findall(latex)
        marks = protected(tokens)
        used = sorted({token for token, mark in zip(tokens, marks) if len(token) == 1 and token.isascii()
                       and token.isalpha() and not mark})
        small, large = ([letter for letter in used if letter.islower() == lower] for lower in (True, False))
        new = dict(zip(small, self.rng.sample(LETTERS, len(small))))
        new |= zip(large, self.rng.sample(LETTERS.upper(), len(large)))
        return join(token if mark else new.get(token, token) for token, mark in zip(tokens, marks))

    def renumbered(self, latex):
        tokens = TOKEN.findall(latex)
        new = {}
        for at, mark in enumerate(protected(tokens)):
            if tokens[at][0].isdigit() and not mark:
                digits = len(tokens[at])
                new.setdefault(tokens[at], str(self.rng.randrange(10 ** min(digits, 6) * (2 if digits == 1 else 1))))
                tokens[at] = new[tokens[at]]
        return join(tokens)

    def replaced(self, latex):
        tokens = TOKEN.findall(latex)
        places = operands(tokens)
        if not places:
            return latex
        begin, end = self.rng.choice(places)
        operand = self.rng.choice(self.operands)
        # A single letter or number may be a script without braces.
        if end - begin == 1 and len(TOKEN.findall(operand)) > 1 and tokens[begin - 1:begin] in (["^"], ["_"]):
            operand = "{" + operand + "}"
        return join(tokens[:begin] + TOKEN.findall(operand) + tokens[end:])

    def beside(self, latex, signs):
        part, sign = self.rng.choice(self.parts), self.rng.choice(signs)
        pair = (latex, part) if self.rng.random() < 0.5 else (part, latex)
        return join(TOKEN.findall(pair[0]) + TOKEN.findall(sign) + TOKEN.findall(pair[1]))

    def variant(self, latex, kind):
        if kind == 0:
            return self.renamed(latex)
        if kind == 1:
            return self.renumbered(latex)
        if kind in (2, 3):
            return self.replaced(latex)
        if kind == 4:
            return self.renamed(self.renumbered(latex))
        if kind == 5:
            return self.renamed(self.replaced(latex))
        if kind == 6:
            return self.renumbered(self.replaced(self.replaced(latex)))
        if kind == 7:
            return self.beside(latex, OPERATORS)
        return self.beside(latex, RELATIONS)


def enlarge(formulas):
    """Each formula, and variants that are unlike all others."""
    maker = Maker([latex for _, latex in formulas])
    seen = {latex for _, latex in formulas}
    number = (max(int(visual) for visual, _ in formulas) // 1_000_000 + 1) * 1_000_000
    larger, kinds = list(formulas), [0] * VARIANTS
    for _, latex in formulas:
        for wanted in range(VARIANTS):
            kind, tries = wanted, 0
            while True:
                new = maker.variant(latex, kind)
                if new not in seen and len(new) <= 4000:
                    break
                # Short formulas have few variants; beside others they have many.
                tries += 1
                if tries >= 4:
                    kind = 7 + tries % 2
                if tries >= 20:
                    latex = maker.renamed(maker.rng.choice(maker.parts))
            seen.add(new)
            kinds[kind] += 1
            number += 1
            larger.append((str(number), new))
    return larger, kinds


def read_originals():
    first = {}
    for row in read_table(MINI / "latex_representation.tsv"):
        if row["type"] != "comment" and row["visual_id"]:
            first.setdefault(row["visual_id"], unescape(row["formula"]))
    return list(first.items())


def write_collection(formulas, folder):
    """A dump with each formula in an answer of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with open(folder / "Posts.xml", "w", encoding="utf-8", newline="\n") as posts, \
            open(folder / "latex_representation.tsv", "w", encoding="utf-8", newline="") as table:
        posts.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        rows = csv.writer(table, delimiter="\t", lineterminator="\n")
        rows.writerow(["id", "post_id", "thread_id", "type", "comment_id", "visual_id", "formula"])
        for at, (visual, latex) in enumerate(formulas):
            question, answer = QUESTIONS + at // THREAD, at + 1
            if at % THREAD == 0:
                posts.write(f'  <row Id="{question}" PostTypeId="1" Title="Formulas" Body="&lt;p&gt;Formulas.&lt;/p&gt;" Tags=""/>\n')
            body = f'<p><span class="math-container" id="{answer}">${escape(latex)}$</span></p>'
            posts.write(f'  <row Id="{answer}" PostTypeId="2" ParentId="{question}" Body={quoteattr(body)}/>\n')
            rows.writerow([answer, answer, question, "answer", "", visual, latex])
        posts.write("</posts>\n")


def main():
    require_data()
    CACHE.mkdir(parents=True, exist_ok=True)
    originals = read_originals()
    larger, kinds = enlarge(originals)
    for size, formulas in zip(SIZES, (originals, larger)):
        with open(CACHE / f"formulas-{size}.tsv", "w", encoding="utf-8", newline="\n") as table:
            for visual, latex in formulas:
                table.write(f"{visual}\t{' '.join(latex.split())}\n")
        write_collection(formulas, CACHE / f"collection-{size}")
        length = sum(len(latex) for _, latex in formulas) / len(formulas)
        print(f"formulas-{size}: {len(formulas)} formulas, {len({latex for _, latex in formulas})} distinct as "
              f"texts, {length:.1f} characters on average")
    root = ElementTree.Element("Topics")
    root.text = "\n"
    for year in YEARS:
        wanted = judged_topics(2, year)
        root.extend(topic for topic in topics(2, year) if topic.get("number") in wanted)
    ElementTree.ElementTree(root).write(CACHE / "topics-task2.xml", encoding="utf-8", xml_declaration=True)
    print(f"topics-task2: {len(root)} topics; variants by kind: {kinds}")
    write_json(CACHE / "formulas.json", {
        "formulas": len(originals), "enlarged": len(larger), "topics": len(root), "variants": kinds, "seed": SEED})


if __name__ == "__main__":
    sys.exit(main())
