"""Scores runs by the measures of ARQMath's Task 1: QRELS RUN...

Prints the seconds it took, then nDCG', MAP' and P'@10 of each run.
"""

import sys
import time

import pytrec_eval

start = time.perf_counter()
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(
    qrels, {"ndcg", "map", "P_10"}, relevance_level=2, judged_docs_only_flag=True)
lines = []
for path in sys.argv[2:]:
    with open(path) as file:
        run = pytrec_eval.parse_run(file)
    topics = evaluator.evaluate(run).values()
    lines.append([sum(topic[name] for topic in topics) / len(topics) for name in ("ndcg", "map", "P_10")])
print(time.perf_counter() - start)
for line in lines:
    print(*line)
