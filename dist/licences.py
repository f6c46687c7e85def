#!/usr/bin/env python3
"""Prints the licences of all crates and of the font that are in the program, each text once."""

import json
import os
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")
# What else is in the program: its name, its licence, and the file with the text.
OTHERS = [("Hypatia Math, a font made from STIX Two Math", "OFL-1.1", "crates/web/assets/hypatia-math.LICENSE")]


def packages():
    """The crates that the program is made of, without ours and without those that only build it."""
    host = next(
        line.split(": ")[1]
        for line in subprocess.check_output(["rustc", "-vV"], text=True).splitlines()
        if line.startswith("host: ")
    )
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host]
    data = json.loads(subprocess.check_output(command))
    by_id = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    waiting = [key for key, package in by_id.items() if package["name"] == "hypatia-cli" and package["source"] is None]
    seen = set()
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        for dependency in nodes[key]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    found = (by_id[key] for key in seen)
    return sorted((p for p in found if p["source"]), key=lambda p: (p["name"], p["version"]))


def texts(package):
    folder = os.path.dirname(package["manifest_path"])
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.upper().startswith(NAMES) and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                yield file.read().replace("\r\n", "\n").strip()


def main():
    by_text = {}
    out = ["Hypatia contains these crates and this font, under the licences they name:", ""]
    for package in packages():
        title = f"{package['name']} {package['version']}"
        out.append(f"{title}: {package.get('license') or 'see its text below'}")
        found = list(texts(package))
        if not found:
            out.append(f"    (its files have no licence text; see {package.get('repository') or 'its source'})")
        for text in found:
            by_text.setdefault(text, []).append(title)
    out.append("The Rust standard library: MIT OR Apache-2.0")
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for title, licence, path in OTHERS:
        out.append(f"{title}: {licence}")
        with open(os.path.join(root, path), encoding="utf-8") as file:
            by_text.setdefault(file.read().strip(), []).append(title)
    for text, titles in sorted(by_text.items(), key=lambda item: item[1]):
        out += ["", "=" * 80, ", ".join(titles), "-" * 80, text]
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
