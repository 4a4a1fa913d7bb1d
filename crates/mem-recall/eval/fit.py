"""Fits the weights of the ranking and the confidence on the tuned half.

    cargo run --release -p mem-recall --example eval -- --signals /tmp/signals.csv
    python3 fit.py /tmp/signals.csv
"""
import csv, itertools, sys
from collections import defaultdict
import numpy as np

NAMES = ("lexical", "coverage", "statics", "sentence", "latin")
groups = defaultdict(list)
for row in csv.DictReader(open(sys.argv[1])):
    groups[int(row["query"])].append(row)
queries = []
for rows in groups.values():
    f = np.array([[float(r[n] or "nan") for n in NAMES] for r in rows])
    queries.append((rows[0]["half"], rows[0]["kind"], f, np.array([r["gold"] == "1" for r in rows])))


def measure(score, half):
    out = defaultdict(list)
    for h, kind, f, gold in queries:
        if h == half and kind != "none":
            s = score(f)
            place = (s > s[gold].max()).sum() + 1 if gold.any() else 999
            out[kind].append(place), out["all"].append(place)
    return {k: (np.mean(np.array(v) <= 5) * 100, np.mean(1 / np.array(v)) * 100) for k, v in sorted(out.items())}


def show(name, score):
    for half in ("tuned", "held-out"):
        print(f"{name:28} {half:9}", "  ".join(f"{k} {a:.0f}/{m:.0f}" for k, (a, m) in measure(score, half).items()))


def combined(static, sentence):
    return lambda f: f[:, 0] + f[:, 4] ** 2 * (static * f[:, 2] + sentence * np.nan_to_num(f[:, 3]))


def logistic(x, y, weight, strength=0.02):
    """Newton's method with a little shrinking."""
    b = np.zeros(x.shape[1])
    shrink = strength * np.eye(len(b)) * weight.sum() / 100
    shrink[0, 0] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ b))
        g = x.T @ (weight * (y - p)) - shrink @ b
        b += np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + shrink, g)
    return b


def confidence(columns, order):
    """Of each tuned query the best five: is this one the answer?"""
    def inputs(f):
        return np.concatenate([np.ones((len(f), 1)), np.nan_to_num(f[:, columns])], 1)
    x, y, w = [], [], []
    for half, kind, f, gold in queries:
        if half == "tuned":
            top = np.argsort(-order(f))[:5]
            x.append(inputs(f[top])), y.append(gold[top])
            w.append(np.full(len(top), 3.0 if kind == "none" else 1.0))
    b = logistic(np.concatenate(x), np.concatenate(y).astype(float), np.concatenate(w))
    print("factors", ["1"] + [NAMES[c] for c in columns], np.round(b, 3))
    for half in ("tuned", "held-out"):
        noise, kept = [], defaultdict(list)
        for h, kind, f, gold in queries:
            if h != half:
                continue
            top = np.argsort(-order(f))[:5]
            p = 1 / (1 + np.exp(-inputs(f[top]) @ b))
            if kind == "none":
                noise.append(p.max())
            elif gold[top].any():
                kept[kind].append(p[gold[top]].max())
        for share in (0.02, 0.05, 0.10):
            t = np.quantile(noise, 1 - share)
            print(f"  {half:9} inject {share:.2f} at {t:.3f}:", "  ".join(f"{k} {np.mean(np.array(v) >= t) * 100:.0f}" for k, v in sorted(kept.items())))


has = ~np.isnan(queries[0][2][:, 3]).all()
for static, sentence in itertools.product((0, 0.5, 1, 2, 3, 4), (0, 2, 3, 4, 6, 8) if has else (0,)):
    result = measure(combined(static, sentence), "tuned")
    print(static, sentence, "mean MRR by kind %.1f" % np.mean([m for k, (_, m) in result.items() if k != "all"]), "all %.1f/%.1f" % result["all"])
chosen = combined(float(sys.argv[2]), float(sys.argv[3])) if len(sys.argv) > 3 else combined(1, 4 if has else 0)
show("chosen", chosen)
if has:
    pairs = np.concatenate([f[np.argsort(-f[:, 3])[:20]][:, 2:4] for h, k, f, g in queries if h == "tuned"])
    print("sentence from static:", np.round(np.polyfit(pairs[:, 0], pairs[:, 1], 1), 3))
    confidence([1, 2, 3, 4], chosen)
    confidence([1, 3], chosen)
else:
    confidence([1, 2, 4], chosen)
