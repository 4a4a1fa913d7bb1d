"""Packs all-mpnet-base-v2 as the one file that `mem model install` takes; `distil.py --large` runs it.

The archive holds `model.safetensors` and `tokenizer.json` of all-mpnet-base-v2 (Apache-2.0); the weights are checked
against the sum below. Its words are those of BERT, four numbers further on. Matrices are rounded layer by layer, each on
the inputs that the rounded layers before it give; its 768 numbers are turned to the 384 directions in which the passages
differ most, so that vectors lie in an index as those of the embedded encoder do.
"""
import hashlib, json, pathlib, struct, zipfile
import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer
import distil

WEIGHTS = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
LAYERS, WIDTH, HEADS, INNER, POSITIONS, OUT = 12, 768, 12, 3072, 256, 384
OFFSET, FIRST, LAST, BUCKETS, DISTANCE_MAX = 4, 0, 2, 32, 128
CALIBRATION, BATCH_TOKENS = 1000, 2048
MATRICES = ["attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
            "intermediate.dense", "output.dense"]


def bucket(distance):
    """The row of the table of relative positions for `key - query`: one each up to 7, then by logarithm."""
    half, exact, size = BUCKETS // 2, BUCKETS // 4, np.abs(distance)
    far = exact + (np.log(np.maximum(size, 1) / exact) / np.log(DISTANCE_MAX / exact) * (half - exact)).astype(int)
    return (distance > 0) * half + np.where(size < exact, size, np.minimum(far, half - 1))


class Large:
    """The reference forward pass over passages of one length at a time, in 32-bit floats."""

    def __init__(self, path):
        archive = zipfile.ZipFile(path)
        read = lambda name: archive.read("all-mpnet-base-v2/" + name)
        data = distil.checked(read("model.safetensors"), WEIGHTS, "weights")
        size = struct.unpack("<Q", data[:8])[0]
        self.w = {}
        for name, about in json.loads(data[8:8 + size]).items():
            if name != "__metadata__" and about["dtype"] == "F32":
                a, b = about["data_offsets"]
                self.w[name] = np.frombuffer(data[8 + size + a:8 + size + b], np.float32).reshape(about["shape"])
        self.tokenizer = Tokenizer.from_str(read("tokenizer.json").decode("utf-8"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        n = np.arange(POSITIONS)
        self.bias = self.w["encoder.relative_attention_bias.weight"][bucket(n[None] - n[:, None])].transpose(2, 0, 1)

    def batches(self, texts, limit):
        """Ids with their marks, in arrays of one length."""
        rows = {}
        for encoded in self.tokenizer.encode_batch(texts):
            ids = encoded.ids if len(encoded.ids) <= limit else encoded.ids[:limit - 1] + encoded.ids[-1:]
            rows.setdefault(len(ids), []).append(ids)
        for length, same in sorted(rows.items()):
            step = max(1, BATCH_TOKENS // length)
            yield from (np.array(same[at:at + step]) for at in range(0, len(same), step))

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        return x / scale * self.w[name + ".weight"] + self.w[name + ".bias"]

    def embed(self, ids):
        x = self.w["embeddings.word_embeddings.weight"][ids]
        return self.norm(x + self.w["embeddings.position_embeddings.weight"][2:2 + ids.shape[1]], "embeddings.LayerNorm")

    def layer(self, i, x, act=lambda x: x, tap=lambda name, x: None):
        b, n, _ = x.shape
        p = f"encoder.layer.{i}."
        def lin(x, name):
            tap(name, x.reshape(-1, x.shape[-1]))
            return x @ self.w[p + name + ".weight"].T + self.w[p + name + ".bias"]
        xq = act(x)
        q, k, v = (lin(xq, name).reshape(b, n, HEADS, -1).transpose(0, 2, 1, 3) for name in MATRICES[:3])
        s = q @ k.transpose(0, 1, 3, 2) / np.float32((WIDTH // HEADS) ** 0.5) + self.bias[:, :n, :n]
        s = np.exp(s - s.max(-1, keepdims=True))
        y = (s / s.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(b, n, WIDTH)
        x = self.norm(x + lin(act(y), MATRICES[3]), p + "attention.LayerNorm")
        y = lin(act(x), MATRICES[4])
        y = y * (0.5 * (1 + erf(y * np.float32(0.5 ** 0.5))))
        return self.norm(x + lin(act(y), MATRICES[5]), p + "output.LayerNorm")


def pack(archive, texts, log=print):
    """`MEMLARG1`, the sha256 of all that follows it; vocabulary, width, inner, heads, layers, positions, what is added to
    the number of a word, the numbers of the marks of beginning and end (u32); then, each padded to 32 bytes, word and
    position embeddings and norm as in `MEMENC02`, for each head what each distance from `1 - positions` on adds (f32),
    layers as in `MEMLAY03`, and the matrix of 384 rows that the mean state is turned by."""
    model, parts = Large(archive), []
    def vector(name):
        parts.append(np.ascontiguousarray(model.w[name], np.float32).tobytes())
    def matrix(weights, hessian):
        n, code, row, back = distil.quantised(weights, hessian)
        total = (n.astype(np.int64).sum(-1) * code).sum(-1)
        parts.extend([*distil.blocks(n, code), row.tobytes(), total.astype(np.int32).tobytes()])
        return back
    name = "embeddings.word_embeddings.weight"
    n, code, row, model.w[name] = distil.quantised(model.w[name], bits=3)
    vocabulary = len(row)
    parts.extend([distil.three_bits(n), code.tobytes(), row.tobytes()])
    parts.append(model.w["embeddings.position_embeddings.weight"][2:2 + POSITIONS].astype(np.float16).tobytes())
    vector("embeddings.LayerNorm.weight"), vector("embeddings.LayerNorm.bias")
    distances = bucket(np.arange(1 - POSITIONS, POSITIONS))
    parts.append(np.ascontiguousarray(model.w["encoder.relative_attention_bias.weight"][distances].T).tobytes())
    states = [model.embed(ids) for ids in model.batches(texts[:CALIBRATION], 96)]
    for i in range(LAYERS):
        seen = {}
        def tap(name, x):
            seen[name] = seen.get(name, 0) + x.T.astype(np.float64) @ x
        for x in states:
            model.layer(i, x, distil.rounded_activations, tap)
        p = f"encoder.layer.{i}."
        for name in MATRICES:
            model.w[p + name + ".weight"] = matrix(model.w[p + name + ".weight"], seen[name])
            vector(p + name + ".bias")
        for name in ("attention.LayerNorm", "output.LayerNorm"):
            vector(p + name + ".weight"), vector(p + name + ".bias")
        states = [model.layer(i, x, distil.rounded_activations) for x in states]
        log("layer", i + 1, "of", LAYERS)
    means = np.concatenate([x.mean(1) for x in states])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    moments = means.T.astype(np.float64) @ means
    _, axes = np.linalg.eigh(moments)
    matrix(axes[:, ::-1][:, :OUT].T, moments)
    parts.append(np.zeros(OUT, np.float32).tobytes())
    shape = struct.pack("<9I", vocabulary, WIDTH, INNER, HEADS, LAYERS, POSITIONS, OFFSET, FIRST, LAST)
    body = distil.padded([shape]) + distil.padded(parts)
    return b"MEMLARG1" + hashlib.sha256(body).digest() + bytes(24) + body
