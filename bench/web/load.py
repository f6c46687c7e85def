"""Starts a server, sends it a mix of requests at several numbers of connections, and watches its memory."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
HYPATIA = os.environ["HYPATIA"]


def arguments():
    parser = argparse.ArgumentParser(prog="bench/web/run", description=__doc__)
    parser.add_argument("--index", help="the index to serve (the sample)")
    parser.add_argument("--connections", default="1,4,16,64", help="numbers of connections (1,4,16,64)")
    parser.add_argument("--seconds", type=float, default=10, help="how long at each number (10)")
    parser.add_argument("--minutes", type=float, help="the same in minutes")
    parser.add_argument("--threads", type=int, default=2, help="threads of wrk (2)")
    parser.add_argument("--most-seconds", type=int, default=10, help="longer answers count as errors (10)")
    given = parser.parse_args()
    given.connections = [int(number) for number in given.connections.split(",")]
    if given.minutes:
        given.seconds = given.minutes * 60
    return given


def sample(folder):
    """The sample, searchable."""
    index = folder / "sample.index"
    collection = folder / "sample.coll"
    run = lambda *args: subprocess.run([HYPATIA, *args], check=True, stdout=subprocess.DEVNULL)
    run("collection", "build", "--sample", "-o", str(collection))
    run("index", str(collection), "-o", str(index))
    return index


class Server:
    """The server, and its memory every ten seconds."""

    def __init__(self, index):
        command = [HYPATIA, "serve", "--index", str(index), "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.site = self.process.stdout.readline().strip().rstrip("/")
        if not self.site.startswith("http"):
            sys.exit("the server did not start")
        self.memory = []
        self.begin = time.monotonic()
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self.watch, daemon=True)
        self.watcher.start()

    def resident(self):
        """Mebibytes in memory that are not just pages of the index."""
        fields = {}
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            fields[name] = value
        kilobytes = lambda name: int(fields.get(name, "0 kB").split()[0])
        return kilobytes("VmRSS") / 1024, kilobytes("RssAnon") / 1024

    def watch(self):
        while True:
            self.memory.append((time.monotonic() - self.begin, *self.resident()))
            if self.ended.wait(10):
                return

    def get(self, path):
        with urllib.request.urlopen(self.site + path, timeout=60) as answer:
            return json.load(answer)

    def stop(self):
        self.ended.set()
        self.watcher.join()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def requests(server, path):
    """The requests of the file, and pages of formulas and threads that this index has."""
    lines = (HERE / "requests.txt").read_text().splitlines()
    visuals, posts = [], []
    for latex in ["x^2", "\\sum_n a_n", "\\frac{a}{b}"]:
        found = server.get("/api/v1/formulas?limit=6&f=" + urllib.parse.quote(latex))
        visuals += [hit["visual_id"] for hit in found["hits"]]
    for words in ["prime", "matrix", "limit"]:
        found = server.get("/api/v1/search?limit=4&q=" + words)
        posts += [hit["id"] for hit in found["hits"]]
    quoted = [urllib.parse.quote(str(post), safe="") for post in posts]
    lines += [f"/formula/{visual}" for visual in visuals]
    lines += [f"/api/v1/formulas/{visual}/similar?limit=10" for visual in visuals[:6]]
    lines += [f"/thread/{post}" for post in quoted] + [f"/post/{post}" for post in quoted[:6]]
    lines += [f"/api/v1/threads/{post}" for post in quoted[:6]]
    # One kind after the other would be several loads in turn, not a mix.
    mixed = [line for step in range(7) for line in lines[step::7]]
    path.write_text("\n".join(mixed) + "\n")
    return len(mixed)


def load(server, path, connections, given):
    threads = min(given.threads, connections)
    command = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{given.seconds:.0f}s",
               "--timeout", f"{given.most_seconds}s", "-s", str(HERE / "mix.lua"), server.site]
    environment = {**os.environ, "HYPATIA_REQUESTS": str(path)}
    out = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout
    line = next(line for line in out.splitlines() if line.startswith("RESULT\t"))
    number, micros, size, p50, p99, most, status, broken = (int(field) for field in line.split("\t")[1:])
    seconds = micros / 1e6
    return {
        "connections": connections, "rate": number / seconds, "megabytes": size / seconds / 1e6, "p50": p50 / 1e3,
        "p99": p99 / 1e3, "most": most / 1e3, "status": status, "broken": broken,
        "memory": server.resident(),
    }


def check(server, path):
    """Asks each once, so that what is measured are answers and not refusals."""
    wrong = []
    for line in path.read_text().splitlines():
        parts = line.split("\t")
        body = parts[2].encode() if parts[0] == "POST" else None
        request = urllib.request.Request(server.site + parts[-2 if body else 0], data=body)
        request.add_header("Content-Type", "application/json")
        try:
            urllib.request.urlopen(request, timeout=60).read()
        except OSError as error:
            wrong.append(f"{line}: {error}")
    return wrong


def main():
    given = arguments()
    with tempfile.TemporaryDirectory(prefix="hypatia-load-") as folder:
        folder = Path(folder)
        server = Server(given.index or sample(folder))
        try:
            start = server.resident()
            path = folder / "requests.txt"
            number = requests(server, path)
            wrong = check(server, path)
            rows = [load(server, path, connections, given) for connections in given.connections]
            memory = list(server.memory)
        finally:
            code = server.stop()
    for line in wrong:
        print(f"not answered well: {line}", file=sys.stderr)
    print(f"{number} different requests in turn, {given.seconds:.0f} s at each number of connections, "
          f"{os.cpu_count()} cores shared by server and load; the server ended with {code}.\n")
    print("| connections | requests/s | MB/s | p50 ms | p99 ms | longest ms | not 2xx | broken | memory MiB | of it own |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| at start | | | | | | | | {start[0]:.0f} | {start[1]:.0f} |")
    for row in rows:
        print("| {connections} | {rate:.0f} | {megabytes:.1f} | {p50:.1f} | {p99:.1f} | {most:.0f} | {status} "
              "| {broken} | {rss:.0f} | {own:.0f} |".format(**row, rss=row["memory"][0], own=row["memory"][1]))
    print("\nMemory in MiB, own memory in brackets, every 10 s: "
          + ", ".join(f"{at:.0f} s {rss:.0f} ({own:.0f})" for at, rss, own in memory) + ".")
    sys.exit(1 if wrong or any(row["broken"] for row in rows) else 0)


main()
