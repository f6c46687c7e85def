"""Do people get answers while somebody sends slow queries?

Starts the server on an index, measures ordinary queries alone, then beside attackers who send the queries
below over and over, and prints a table in Markdown: how long the others waited, and how many got 503.

    python3 bench/web/attack.py --index math.index [--attackers 4] [--seconds 20] [--only phrase]

HYPATIA names the program unless --server does.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

ORDINARY = [
    "/search?q=" + urllib.parse.quote(query)
    for query in [
        "compact metric space",
        "$x^2+y^2=z^2$",
        "integral of $e^{-x^2}$",
        "tag:calculus limit",
        "sum of $\\frac{1}{n^2}$ converges",
        "eigenvalues of a symmetric matrix",
    ]
]

ATTACKS = {
    "two required formulas": "+$x^0$ +$x^1$",
    "30 required formulas": " ".join(f"+$x^{{{power}}}$" for power in range(30)),
    "300 required formulas": " ".join(f"+$x^{{{power}}}$" for power in range(300)),
    "300 excluded formulas": "x " + " ".join(f"-$x^{{{power}}}$" for power in range(300)),
    "200 wildcards": "+$" + "+".join(f"?{chr(97 + number % 26)}" for number in range(200)) + "$",
    "many phrases": " ".join(f'"of the {word}"' for word in ["a", "in", "is", "that", "to", "and", "we"]),
    "a phrase nobody wrote": '"the of and is the"',
    "1,000 words": " ".join(["the", "of", "is", "function", "let", "proof", "number", "set", "space", "and"] * 100),
    "large formulas": " ".join("$" + "+".join(f"a_{{{n}}}x^{{{n}}}" for n in range(60)) + "$" for _ in range(8)),
}


def fetch(base, path, times):
    start = time.monotonic()
    try:
        with urllib.request.urlopen(base + path, timeout=60) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        error.read()
        status = error.code
    except OSError:
        status = 0
    times.append((time.monotonic() - start, status))


def people(base, seconds, pause=0.2):
    """Three people, each asking one thing after the other."""
    times = []

    def one(number):
        end = time.monotonic() + seconds
        turn = number
        while time.monotonic() < end:
            fetch(base, ORDINARY[turn % len(ORDINARY)], times)
            turn += 1
            time.sleep(pause)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def row(name, times, attacks):
    waited = sorted(duration for duration, _ in times)
    at = lambda share: waited[min(len(waited) - 1, int(share * len(waited)))]
    refused = sum(status != 200 for _, status in times)
    mean = sum(duration for duration, _ in attacks) / len(attacks) if attacks else 0
    spent = f"{len(attacks)} | {mean:.2f}" if attacks else " | "
    print(f"| {name} | {len(times)} | {at(0.5):.3f} | {at(0.99):.3f} | {waited[-1]:.3f} | {refused} | {spent} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--index", required=True)
    arguments.add_argument("--server", default=os.environ.get("HYPATIA", "target/dist/hypatia"))
    arguments.add_argument("--attackers", type=int, default=4)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--port", type=int, default=8917)
    arguments.add_argument("--only", default="", help="attacks whose name has this in it")
    given = arguments.parse_args()
    base = f"http://127.0.0.1:{given.port}"
    command = [given.server, "serve", "--index", given.index, "--port", str(given.port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(base + "/healthz", timeout=5).read()
                break
            except OSError:
                time.sleep(0.1)
        else:
            sys.exit("the server does not answer")
        print("| attack | others' requests | median s | 99 % s | longest s | not answered | attackers' requests | mean s |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        row("none", people(base, given.seconds), [])
        for name, query in ATTACKS.items():
            if given.only not in name:
                continue
            attack = "/search?" + urllib.parse.urlencode({"q": query})
            end = time.monotonic() + given.seconds
            attacks = []

            def keep_sending(attack=attack, end=end, attacks=attacks):
                while time.monotonic() < end:
                    fetch(base, attack, attacks)

            threads = [threading.Thread(target=keep_sending) for _ in range(given.attackers)]
            for thread in threads:
                thread.start()
            time.sleep(1)
            times = people(base, given.seconds - 1)
            for thread in threads:
                thread.join()
            row(name, times, attacks)
    finally:
        server.terminate()
        server.wait()


main()
