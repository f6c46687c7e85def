"""Writes crates/model/tests/encoders/gradients.json: what torch's autograd says of the tiny encoders that are there.

    gradients.py [FILE]

The layers are written here with torch's functions, from the shapes and names in the fixtures of `bench/encode`; the
weights are made from the names of the tensors by the same rule. For each model the file has the loss of one batch, the
losses of three steps of torch's AdamW on it, and for each tensor the length of its gradient and the gradient's product
with a direction that is made from the tensor's name.
"""

import json
import math
import sys
from pathlib import Path

import numpy
import torch
from torch.nn import functional as F

FOLDER = Path(__file__).resolve().parents[2] / "crates" / "model" / "tests" / "encoders"
QUERIES = ["is the number even ?", "is a prime odd ?", "the sum of a prime and a number"]
DOCUMENTS = ["the number is even .", "a prime is odd and not even .", "the sum is a number ."]
HARD = ["the prime is not a number .", "is the sum odd ?", "a number and a number and a number"]
LABELS = [1.0, 0.0, 1.0]
TEXTS = ["albert", "albert-shared", "bert", "distilbert", "mpnet", "roberta"]
PAIRS = ["pairs-albert", "pairs-bert", "pairs-distilbert", "pairs-mpnet", "pairs-roberta"]
RATE, DECAY = 1e-3, 0.01

NAMES = {
    "bert": ("encoder.layer.{}.", ("attention.self.query", "attention.self.key", "attention.self.value"),
             "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense",
             "output.LayerNorm"),
    "albert": ("encoder.albert_layer_groups.{}.albert_layers.{}.", ("attention.query", "attention.key",
               "attention.value"), "attention.dense", "attention.LayerNorm", "ffn", "ffn_output",
               "full_layer_layer_norm"),
    "mpnet": ("encoder.layer.{}.", ("attention.attn.q", "attention.attn.k", "attention.attn.v"), "attention.attn.o",
              "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"),
    "distilbert": ("transformer.layer.{}.", ("attention.q_lin", "attention.k_lin", "attention.v_lin"),
                   "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm"),
}
NAMES["roberta"] = NAMES["bert"]
HEADS = {"bert": ("bert.pooler.dense", torch.tanh, "classifier"), "albert": ("albert.pooler", torch.tanh, "classifier"),
         "distilbert": ("pre_classifier", torch.relu, "classifier"),
         "roberta": ("classifier.dense", torch.tanh, "classifier.out_proj"),
         "mpnet": ("classifier.dense", torch.tanh, "classifier.out_proj")}
ACTIVATIONS = {"gelu": F.gelu, "gelu_new": lambda x: F.gelu(x, approximate="tanh"), "relu": torch.relu}


def numbers(name, shape):
    """Pseudo-random numbers from -1/4 to 1/4, around 1 for the weights of normalisations."""
    state = 2166136261
    for byte in name.encode():
        state = (state ^ byte) * 16777619 % 2**32
    found = []
    for _ in range(int(numpy.prod(shape))):
        state = (state * 1664525 + 1013904223) % 2**32
        found.append(((state >> 8) / 2**24 - 0.5) / 2)
    around = 1.0 if name.lower().endswith(("layernorm.weight", "layer_norm.weight")) else 0.0
    return torch.tensor(numpy.array(found, dtype="float32") + numpy.float32(around)).reshape(shape)


def bucket(distance, buckets, most=128):
    half = buckets // 2
    side, distance = (half, distance) if distance > 0 else (0, -distance)
    exact = half // 2
    if distance < exact:
        return side + distance
    return side + min(half - 1, exact + int(math.log(distance / exact) / math.log(most / exact) * (half - exact)))


class Model:
    def __init__(self, name):
        fixture = json.loads((FOLDER / f"{name}.json").read_text())
        self.files = fixture["files"]
        self.config = self.files["config.json"]
        self.family = self.config["model_type"]
        self.tensors = {}
        for file, shapes in fixture["tensors"].items():
            for tensor, shape in shapes.items():
                key = tensor if file == "model.safetensors" else f"{file.split('/')[0]}/{tensor}"
                self.tensors[key] = numbers(tensor, shape).requires_grad_()
        self.prefix = f"{self.family}." if f"{self.family}.embeddings.word_embeddings.weight" in self.tensors else ""
        self.vocabulary = self.files["tokenizer.json"]["model"]["vocab"]

    def __getitem__(self, name):
        return self.tensors[self.prefix + name]

    def linear(self, rows, name, prefix=None):
        prefix = self.prefix if prefix is None else prefix
        return F.linear(rows, self.tensors[f"{prefix}{name}.weight"], self.tensors[f"{prefix}{name}.bias"])

    def norm(self, rows, name):
        return F.layer_norm(rows, rows.shape[-1:], self[f"{name}.weight"], self[f"{name}.bias"],
                            self.config.get("layer_norm_eps", 1e-12))

    def ids(self, *texts):
        """Tokens and their types."""
        ids, types = [0], [0]
        for place, text in enumerate(texts):
            if place and self.family in ("roberta", "mpnet"):
                ids, types = ids + [2], types + [0]
            found = [self.vocabulary[word] for word in text.split()] + [2]
            kind = place if self.family in ("bert", "albert") else 0
            ids, types = ids + found, types + [kind] * len(found)
        return ids, types

    def states(self, *texts):
        ids, types = self.ids(*texts)
        offset = 2 if self.family in ("roberta", "mpnet") else 0
        rows = self["embeddings.word_embeddings.weight"][ids]
        rows = rows + self["embeddings.position_embeddings.weight"][offset:offset + len(ids)]
        if self.prefix + "embeddings.token_type_embeddings.weight" in self.tensors:
            rows = rows + self["embeddings.token_type_embeddings.weight"][types]
        rows = self.norm(rows, "embeddings.LayerNorm")
        if self.family == "albert":
            rows = self.linear(rows, "encoder.embedding_hidden_mapping_in")
        for layer in self.layers():
            rows = self.layer(rows, layer)
        return rows

    def layers(self):
        layer = NAMES[self.family][0]
        if self.family != "albert":
            count = self.config.get("num_hidden_layers") or self.config["n_layers"]
            return [layer.format(number) for number in range(count)]
        count, groups = self.config["num_hidden_layers"], self.config["num_hidden_groups"]
        return [layer.format(int(number / (count / groups)), inner)
                for number in range(count) for inner in range(self.config["inner_group_num"])]

    def layer(self, rows, layer):
        _, parts, output, output_norm, up, down, down_norm = NAMES[self.family]
        heads = self.config.get("num_attention_heads") or self.config["n_heads"]
        tokens, hidden = rows.shape
        split = lambda part: self.linear(rows, layer + part).view(tokens, heads, hidden // heads).transpose(0, 1)
        query, key, value = map(split, parts)
        scores = query @ key.transpose(1, 2) / math.sqrt(hidden // heads)
        if self.family == "mpnet":
            count = self.config["relative_attention_num_buckets"]
            places = [[bucket(other - token, count) for other in range(tokens)] for token in range(tokens)]
            scores = scores + self["encoder.relative_attention_bias.weight"][torch.tensor(places)].permute(2, 0, 1)
        attended = (scores.softmax(-1) @ value).transpose(0, 1).reshape(tokens, hidden)
        rows = self.norm(rows + self.linear(attended, layer + output), layer + output_norm)
        activation = ACTIVATIONS[self.config.get("hidden_act") or self.config["activation"]]
        inner = activation(self.linear(rows, layer + up))
        return self.norm(rows + self.linear(inner, layer + down), layer + down_norm)

    def vector(self, text):
        rows = self.states(text)
        flags = self.files.get("1_Pooling/config.json", {"pooling_mode_mean_tokens": True})
        weights = torch.arange(1, len(rows) + 1)[:, None]
        modes = {
            "cls_token": lambda: rows[0], "max_tokens": lambda: rows.max(0).values, "mean_tokens": lambda: rows.mean(0),
            "mean_sqrt_len_tokens": lambda: rows.sum(0) / math.sqrt(len(rows)),
            "weightedmean_tokens": lambda: (rows * weights).sum(0) / weights.sum(), "lasttoken": lambda: rows[-1],
        }
        vector = torch.cat([make() for mode, make in modes.items() if flags.get(f"pooling_mode_{mode}")])
        for module in self.files.get("modules.json", [{"type": "Normalize"}]):
            kind = module["type"].split(".")[-1]
            if kind == "Dense":
                vector = self.linear(vector, "linear", f"{module['path']}/")
                if self.files[f"{module['path']}/config.json"]["activation_function"].endswith("Tanh"):
                    vector = torch.tanh(vector)
            elif kind == "Normalize":
                vector = F.normalize(vector, dim=0)
        return vector

    def logits(self, *texts):
        dense, activation, classes = HEADS[self.family]
        return self.linear(activation(self.linear(self.states(*texts)[0], dense, "")), classes, "")

    def loss(self, pairs):
        if pairs:
            logits = torch.stack([self.logits(*pair) for pair in zip(QUERIES, DOCUMENTS)])
            if logits.shape[1] == 1:
                return F.binary_cross_entropy_with_logits(logits[:, 0], torch.tensor(LABELS))
            return F.cross_entropy(logits, torch.tensor(LABELS).long())
        rows = lambda texts: F.normalize(torch.stack([self.vector(text) for text in texts]), dim=1)
        scores = 20 * rows(QUERIES) @ torch.cat([rows(DOCUMENTS), rows(HARD)]).T
        return F.cross_entropy(scores, torch.arange(len(QUERIES)))


def expected(name):
    model = Model(name)
    pairs = name in PAIRS
    loss = model.loss(pairs)
    loss.backward()
    gradients = {}
    for tensor, values in model.tensors.items():
        if values.grad is not None:
            direction = numbers(f"along {tensor}", values.shape)
            gradients[tensor] = [float(values.grad.norm()), float((values.grad * direction).sum())]
    matrices = [values for values in model.tensors.values() if values.dim() > 1]
    others = [values for values in model.tensors.values() if values.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": DECAY},
                                   {"params": others, "weight_decay": 0.0}], lr=RATE)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = model.loss(pairs)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(model.tensors.values()), 1.0)
        losses.append(float(loss))
        optimizer.step()
    return {"losses": losses, "gradients": gradients}


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "gradients.json"
    found = {"queries": QUERIES, "documents": DOCUMENTS, "hard": HARD, "labels": LABELS, "rate": RATE, "decay": DECAY,
             "models": {name: expected(name) for name in TEXTS + PAIRS}}
    target.write_text(json.dumps(found, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
