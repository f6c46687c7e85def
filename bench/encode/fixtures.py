"""Writes the fixtures of crates/model/tests/encoders.rs: tiny encoders and what transformers makes of texts with them.

    fixtures.py [FOLDER]

A fixture has the files of a model, the shapes of its tensors, and what is expected. Weights are not stored: both sides
make them from the names of the tensors, see `numbers`.
"""

import json
import sys
from pathlib import Path

import numpy
import tokenizers
import torch
import transformers

FOLDER = Path(__file__).resolve().parents[2] / "crates" / "model" / "tests" / "encoders"
WORDS = "[CLS] [PAD] [SEP] [UNK] the number is even odd . prime not and ##s ##ly sum of a ?".split()
LONG = " ".join(["the sum of a number and a prime is not even ."] * 4 + ["is the prime odd ?"])
TEXTS = ["the number is even .", "Primes and numbers", "", LONG, "is it oddly prime ?"]
PAIRS = [("is the number even ?", "the number is even ."), ("prime", ""), (LONG, "is a prime odd ?"), (LONG, LONG)]
HIDDEN, HEADS, INNER, WINDOW = 16, 2, 24, 48


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
    return (numpy.array(found, dtype="float32") + numpy.float32(around)).reshape(shape)


def tokenizer(family):
    vocabulary = {word: place for place, word in enumerate(WORDS)}
    special = lambda name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]}
    cls, sep = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]"))
    first = {"Sequence": {"id": "A", "type_id": 0}}
    one = 1 if family in ("bert", "albert") else 0
    second = [{"Sequence": {"id": "B", "type_id": one}}, {"SpecialToken": {"id": "[SEP]", "type_id": one}}]
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": None,
        "post_processor": {
            "type": "TemplateProcessing", "single": [cls, first, sep],
            "pair": [cls, first, sep] + ([sep] if family in ("roberta", "mpnet") else []) + second,
            "special_tokens": {"[CLS]": special("[CLS]"), "[SEP]": special("[SEP]")},
        },
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary},
    }


def config(family, **more):
    offset = 2 if family in ("roberta", "mpnet") else 0
    common = {"vocab_size": len(WORDS), "max_position_embeddings": WINDOW + offset, "pad_token_id": 1,
              "architectures": None}
    sizes = {"hidden_size": HIDDEN, "num_hidden_layers": 2, "num_attention_heads": HEADS, "intermediate_size": INNER}
    if family == "distilbert":
        sizes = {"dim": HIDDEN, "n_layers": 2, "n_heads": HEADS, "hidden_dim": INNER}
    return transformers.AutoConfig.for_model(family, **common, **sizes, **more)


def fill(model):
    """Gives all tensors their numbers; returns their shapes."""
    state = model.state_dict()
    state = {name: tensor for name, tensor in state.items() if tensor.dtype == torch.float32}
    model.load_state_dict({name: torch.from_numpy(numbers(name, tuple(tensor.shape)))
                           for name, tensor in state.items()}, strict=False)
    model.eval()
    return {name: list(tensor.shape) for name, tensor in state.items()}


def states(model, tokens, inputs):
    """The last hidden states or logits of tokens."""
    arguments = {"input_ids": torch.tensor([tokens.ids]), "attention_mask": torch.tensor([tokens.attention_mask])}
    if inputs:
        arguments["token_type_ids"] = torch.tensor([tokens.type_ids])
    with torch.no_grad():
        return model(**arguments)[0][0].numpy()


def pool(rows, mode):
    return {
        "cls": lambda: rows[0], "max": lambda: rows.max(0), "mean": lambda: rows.mean(0),
        "mean_sqrt_len_tokens": lambda: rows.sum(0) / numpy.sqrt(len(rows)),
        "weightedmean": lambda: (rows * numpy.arange(1, len(rows) + 1)[:, None]).sum(0) / sum(range(1, len(rows) + 1)),
        "lasttoken": lambda: rows[-1],
    }[mode]()


def unit(rows):
    return rows / numpy.linalg.norm(rows, axis=-1, keepdims=True)


FLAGS = {"cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens", "mean": "pooling_mode_mean_tokens",
         "mean_sqrt_len_tokens": "pooling_mode_mean_sqrt_len_tokens",
         "weightedmean": "pooling_mode_weightedmean_tokens", "lasttoken": "pooling_mode_lasttoken"}
MODULE = "sentence_transformers.models."


def rounded(rows):
    return [[round(float(number), 6) for number in row] for row in rows]


def text_fixture(name, family, modes=None, dense=None, normalize=True, limit=None, colbert=False, **more):
    """A model of texts; without `modes` it has no modules.json."""
    settings = config(family, **more)
    model = transformers.AutoModel.from_config(settings)
    tensors = {"model.safetensors": fill(model)}
    files = {"config.json": settings.to_dict(), "tokenizer.json": tokenizer(family)}
    cut = tokenizers.Tokenizer.from_str(json.dumps(files["tokenizer.json"]))
    cut.enable_truncation(limit or WINDOW)
    if limit:
        files["sentence_bert_config.json"] = {"max_seq_length": limit, "do_lower_case": False}
    if modes:
        modules = ["Transformer", "Pooling"] + (["Dense"] if dense else []) + (["Normalize"] if normalize else [])
        files["modules.json"] = [
            {"idx": place, "name": str(place), "path": "" if place == 0 else f"{place}_{kind}", "type": MODULE + kind}
            for place, kind in enumerate(modules)]
        files["1_Pooling/config.json"] = {"word_embedding_dimension": HIDDEN} | {
            flag: mode in modes for mode, flag in FLAGS.items()}
    vectors, token_vectors = [], []
    for text in TEXTS:
        rows = states(model, cut.encode(text), family in ("bert", "albert", "roberta"))
        vector = numpy.concatenate([pool(rows, mode) for mode in FLAGS if mode in (modes or ["mean"])])
        if dense:
            columns, activation = dense
            matrix = numbers("linear.weight", (columns, len(vector)))
            vector = matrix @ vector + numbers("linear.bias", (columns,))
            vector = {"Tanh": numpy.tanh, "Identity": lambda same: same}[activation](vector)
        if normalize:
            vector = unit(vector)
        vectors.append(vector)
        if colbert:
            rows = rows @ numbers("linear.weight", (8, HIDDEN)).T
        token_vectors.append(unit(rows).reshape(-1))
    if dense:
        size = HIDDEN * len(modes)
        files["2_Dense/config.json"] = {"in_features": size, "out_features": dense[0], "bias": True,
                                        "activation_function": f"torch.nn.modules.activation.{dense[1]}"}
        tensors["2_Dense/model.safetensors"] = {"linear.weight": [dense[0], size], "linear.bias": [dense[0]]}
    if colbert:
        tensors["model.safetensors"]["linear.weight"] = [8, HIDDEN]
    write(name, files, tensors, texts=TEXTS, vectors=rounded(vectors), tokens=rounded(token_vectors[:1]))


def pair_fixture(name, family, labels, **more):
    """A model of pairs of texts."""
    settings = config(family, num_labels=labels, **more)
    model = transformers.AutoModelForSequenceClassification.from_config(settings)
    tensors = {"model.safetensors": fill(model)}
    files = {"config.json": settings.to_dict(), "tokenizer.json": tokenizer(family)}
    cut = tokenizers.Tokenizer.from_str(json.dumps(files["tokenizer.json"]))
    cut.enable_truncation(WINDOW, strategy="longest_first")
    scores = [float(states(model, cut.encode(*pair), family in ("bert", "albert", "roberta"))[-1]) for pair in PAIRS]
    write(name, files, tensors, pairs=PAIRS, scores=[round(score, 6) for score in scores])


def write(name, files, tensors, **expected):
    fixture = {"files": files, "tensors": tensors} | expected
    (FOLDER / f"{name}.json").write_text(json.dumps(fixture, separators=(",", ":"), ensure_ascii=False) + "\n")


def main():
    global FOLDER
    if len(sys.argv) > 1:
        FOLDER = Path(sys.argv[1])
    FOLDER.mkdir(parents=True, exist_ok=True)
    text_fixture("bert", "bert", modes=["mean"], limit=20)
    text_fixture("bert-colbert", "bert", colbert=True)
    text_fixture("roberta", "roberta", type_vocab_size=1, layer_norm_eps=1e-5)
    text_fixture("mpnet", "mpnet", modes=["cls"], dense=(5, "Tanh"), layer_norm_eps=1e-5)
    text_fixture("albert", "albert", modes=["cls", "max"], dense=(7, "Identity"), normalize=False, embedding_size=8,
                 num_hidden_groups=2, hidden_act="gelu_new")
    text_fixture("albert-shared", "albert", modes=["lasttoken", "mean"], embedding_size=8, num_hidden_groups=1,
                 inner_group_num=2, hidden_act="gelu_new")
    text_fixture("distilbert", "distilbert", modes=["mean_sqrt_len_tokens", "weightedmean"], normalize=False,
                 activation="relu")
    pair_fixture("pairs-bert", "bert", 1)
    pair_fixture("pairs-roberta", "roberta", 2, type_vocab_size=1, layer_norm_eps=1e-5)
    pair_fixture("pairs-mpnet", "mpnet", 1, layer_norm_eps=1e-5)
    pair_fixture("pairs-albert", "albert", 1, embedding_size=8, hidden_act="gelu_new")
    pair_fixture("pairs-distilbert", "distilbert", 2)


if __name__ == "__main__":
    main()
