"""Reads exported Parquet with pyarrow and DuckDB and compares it with the same collection as
lines of JSON and as the labs' tables: check.py TABLES DOCS.jsonl FORMULAS."""

import csv
import datetime
import html
import json
import os
import re
import sys

import duckdb
import pyarrow
import pyarrow.parquet

TABLES = ["posts", "comments", "links", "users", "formulas"]
# LaTeX is escaped, so there is no "<" in it; where there is none, there are no dollars.
SPAN = re.compile(r'<span class="math-container" id="([^"]*)">([^<]*)</span>')
FENCED = re.compile(r"(\$\$|\$)(.*)\1", re.S)
problems = []


def check(what, found, expected):
    """Says and remembers what differs."""
    if found != expected:
        problems.append(what)
        print(f"DIFFERS {what}: found {str(found)[:200]}, expected {str(expected)[:200]}")


def check_rows(what, found, expected):
    """Compares two lists row by row, and shows the first that differ."""
    check(f"{what}: rows", len(found), len(expected))
    wrong = [(a, b) for a, b in zip(found, expected) if a != b]
    for a, b in wrong[:3]:
        check(what, a, b)
    if not wrong:
        print(f"equal: {what} ({len(found)} rows)")


def date(text):
    return text and datetime.datetime.fromisoformat(text)


def records(path):
    by_kind = {"post": [], "comment": [], "link": [], "user": []}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            kind = record["kind"] if record["kind"] in by_kind else "post"
            by_kind[kind].append(record)
    return by_kind


def places(text):
    """The formulas of a text: id, whether it is set off (None if there is nothing to see), LaTeX."""
    found = []
    for number, content in SPAN.findall(text or ""):
        fenced = FENCED.fullmatch(content)
        latex = html.unescape(fenced[2]) if fenced else ""
        # A blank keeps a last backslash from the dollar.
        if latex.endswith("\\ "):
            latex = latex[:-1]
        found.append((number, fenced and ("block" if fenced[1] == "$$" else "inline"), latex))
    return found


def main(folder, jsonl, formulas):
    paths = {table: os.path.join(folder, f"{table}.parquet") for table in TABLES}
    docs = records(jsonl)
    arrow = {table: pyarrow.parquet.read_table(path).to_pylist() for table, path in paths.items()}
    database = duckdb.connect()
    duck = {}
    for table, path in paths.items():
        cursor = database.execute("SELECT * FROM read_parquet(?)", [path])
        columns = [column[0] for column in cursor.description]
        duck[table] = [dict(zip(columns, row)) for row in cursor.fetchall()]
        metadata = pyarrow.parquet.read_metadata(path)
        largest = max((metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)), default=0)
        print(f"{table}: {metadata.num_rows} rows, {metadata.num_row_groups} row groups, {os.path.getsize(path)} bytes")
        check(f"{table}: row group", largest <= 65536, True)
        note = (metadata.metadata or {}).get(b"hypatia.program", b"")
        check(f"{table}: says how it was made", note.startswith(b"hypatia "), True)
        check_rows(f"{table}: pyarrow and DuckDB", arrow[table], duck[table])

    posts = [
        (p["id"], p["kind"], p.get("parent"), p.get("accepted"), p.get("title"), p["body"],
         p.get("tags", []), p.get("score"), date(p.get("date")), p.get("owner"), p.get("views"))
        for p in docs["post"]
    ]
    columns = ["id", "kind", "parent_id", "accepted_id", "title_html", "html", "tags", "score", "date", "owner", "views"]
    check_rows("posts and JSON", [tuple(p[c] for c in columns) for p in duck["posts"]], posts)
    comments = [
        (c["id"], c["post"], c["text"], c.get("score"), date(c.get("date")), c.get("owner"))
        for c in docs["comment"]
    ]
    columns = ["id", "post_id", "html", "score", "date", "owner"]
    check_rows("comments and JSON", [tuple(c[k] for k in columns) for c in duck["comments"]], comments)
    links = [(link["from"], link["to"], link["link"], date(link.get("date"))) for link in docs["link"]]
    columns = ["from_id", "to_id", "kind", "date"]
    check_rows("links and JSON", [tuple(link[k] for k in columns) for link in duck["links"]], links)
    users = [(u["id"], u["name"]) for u in docs["user"]]
    check_rows("users and JSON", [(u["id"], u["name"]) for u in duck["users"]], users)

    # Formulas in the order of the texts that they stand in.
    expected = []
    for post in docs["post"]:
        for text, kind in [(post.get("title"), "title"), (post["body"], post["kind"])]:
            for place, (number, display, latex) in enumerate(places(text)):
                expected.append((number, post["id"], kind, None, place, display, latex))
    for comment in docs["comment"]:
        for place, (number, display, latex) in enumerate(places(comment["text"])):
            expected.append((number, comment["post"], "comment", comment["id"], place, display, latex))
    columns = ["post_id", "type", "comment_id", "place", "display", "latex"]
    found = [
        (str(f["id"]), *(f[c] if c != "display" or f["latex"] else None for c in columns))
        for f in duck["formulas"]
        if f["type"] != "nowhere"
    ]
    check_rows("formulas and spans in JSON", found, expected)
    csv.field_size_limit(sys.maxsize)
    with open(os.path.join(formulas, "latex_representation.tsv"), encoding="utf-8", newline="") as table:
        rows = {row["id"]: row for row in csv.DictReader(table, dialect="excel-tab")}
    with open(os.path.join(formulas, "visual_ids.tsv"), encoding="utf-8", newline="") as table:
        visual_ids = {row["id"]: row["visual_id"] for row in csv.DictReader(table, dialect="excel-tab")}
    ids = {str(f["id"]) for f in duck["formulas"]}
    check("formula ids of the table", set(rows), ids)
    check("formula ids of visual_ids.tsv", set(visual_ids), ids)
    of_rows = {(i, row["visual_id"], row["formula"]) for i, row in rows.items()}
    of_parquet = {(str(f["id"]), str(f["visual_id"]), f["latex"]) for f in duck["formulas"]}
    check("rows of the table that Parquet lacks", len(of_rows - of_parquet), 0)
    joined = database.execute(
        "SELECT count(*) FROM read_parquet(?) f JOIN read_parquet(?) p ON f.post_id = p.id",
        [paths["formulas"], paths["posts"]],
    ).fetchone()[0]
    check("formulas joined with posts", joined, len(found))
    types = {field.name: str(field.type) for field in pyarrow.parquet.read_schema(paths["posts"])}
    check("type of dates", types["date"], "timestamp[ms]")
    check("type of scores", types["score"], "int32")
    check("type of texts", types["text"], "string")
    check("type of tags", types["tags"].startswith("list<"), True)
    print(f"pyarrow {pyarrow.__version__}, duckdb {duckdb.__version__}: {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
