"""The Stan programs as text, and the data for them; stanc 2.35 accepts all four."""

import json
import re
from typing import get_args

import numpy as np
import pytest
from scipy import sparse

from samplers.gradient.stan_programs import TITLES, Role, Variant, program, saved, stan_code, stan_data

VARIANTS = get_args(Variant)
COUNTS = np.array([[2, 0, 1], [0, 3, 1], [0, 0, 0], [3, 0, 2], [1, 1, 1]])
LABELS = [0, -1, 2, 2, -1]
SETTINGS = {"classes": 3, "class_prior": [1.0, 0.7, 2.0], "word_prior": 0.5}
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def blocks(variant, **scope):
    """The statements of each block, by its name."""
    found, name, depth = {}, None, 0
    for line in program(variant, **scope):
        text = line.text.split("//")[0].strip()
        if depth == 0:
            name = text.removesuffix(" {")
            found[name] = []
        else:
            found[name].append((text, line.role))
        depth += text.count("{") - text.count("}")
    assert depth == 0
    return {name: lines[:-1] for name, lines in found.items()}


def declared(lines):
    """Names that are declared, with the type, sizes and bounds before them."""
    pattern = re.compile(r"((?:array\[[^\]]*\] )?(?:int|vector|simplex)(?:<[^>]*>)?(?:\[\w\])?) (\w+)(?: =.*)?;")
    return {found[2]: found[1] for text, _ in lines if (found := pattern.fullmatch(text))}


@every_variant
def test_the_data_are_what_the_data_block_asks_for(variant):
    data = stan_data(COUNTS, LABELS, **SETTINGS, variant=variant)
    wanted = declared(blocks(variant)["data"])
    assert len(wanted) == len(blocks(variant)["data"])
    assert wanted.keys() == data.keys()
    assert json.loads(json.dumps(data)) == data
    for name, kind in wanted.items():
        value = data[name]
        low = re.search(r"lower=(\w+)", kind)
        high = re.search(r"upper=(\w+)", kind)
        size = re.match(r"array\[(\w+)\]", kind) or re.search(r"vector<[^>]*>\[(\w+)\]", kind)
        entries = value if size else [value]
        if size:
            assert len(value) == data[size[1]]
        assert all(isinstance(entry, int if "int" in kind else float) for entry in entries)
        assert all(int(low[1]) <= entry for entry in entries)
        if high:
            assert all(entry <= data[high[1]] for entry in entries)


@every_variant
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_the_long_format_goes_there_and_back(variant, kind):
    data = stan_data(kind(COUNTS), LABELS, **SETTINGS, variant=variant)
    known = np.array(LABELS) >= 0
    groups = {"": COUNTS if variant == "unsupervised" else COUNTS[known]}
    if variant in ("full Bayes", "prediction"):
        groups["2"] = COUNTS[~known]
    assert {name for name in data if name.startswith("doc")} == {f"doc{mark}" for mark in groups}
    for mark, counts in groups.items():
        words, documents = np.array(data[f"w{mark}"]) - 1, np.array(data[f"doc{mark}"]) - 1
        again = np.zeros((data[f"M{mark}"], data["V"]))
        np.add.at(again, (documents, words), 1)
        assert again.tolist() == counts.tolist()
        assert data[f"N{mark}"] == counts.sum()
    assert data.get("z") == (None if variant == "unsupervised" else [1, 3, 3])
    assert (data["K"], data["alpha"], data["beta"]) == (3, [1.0, 0.7, 2.0], [0.5] * 3)


def test_one_kind_of_documents_may_be_missing():
    for labels, mark in (([0, 1, 2, 0, 1], "2"), (None, "")):
        for variant in ("full Bayes", "prediction"):
            data = stan_data(COUNTS, labels, **SETTINGS, variant=variant)
            assert [data[f"{name}{mark}"] for name in ("M", "N", "w", "doc")] == [0, 0, [], []]


@every_variant
def test_the_text(variant):
    """A compiler would look first at braces, semicolons, names that are declared before they are used."""
    code = stan_code(variant)
    assert code.count("{") == code.count("}")
    assert code.count("(") == code.count(")")
    assert code.count("[") == code.count("]")
    assert code.endswith("}\n")
    order = ["data", "parameters", "transformed parameters", "model", "generated quantities"]
    assert list(blocks(variant)) == [name for name in order if name in blocks(variant)]
    functions = {
        "dirichlet",
        "categorical",
        "log_sum_exp",
        "softmax",
        "categorical_logit_rng",
        "log",
        "rep_array",
        "target",
    }
    words = {"array", "int", "vector", "simplex", "lower", "upper", "for", "in"}
    known = functions | words
    for lines in blocks(variant).values():
        for text, _ in lines:
            assert text.endswith((";", "{", "}"))
            if loop := re.fullmatch(r"for \((\w+) in 1:(\w+)\) \{", text):
                known.add(loop[1])
            known |= declared([(text, "")]).keys()
            assert set(re.findall(r"[A-Za-z_]\w*", text)) <= known, text
    for line in program(variant):
        assert line.role in get_args(Role)
        assert len(line.text) < 80


def roles(variant, block):
    return {role for _, role in blocks(variant).get(block, []) if role != "structure"}


def test_roles_say_which_documents_move_the_density():
    summed = {"unsupervised", "full Bayes"}
    for variant in VARIANTS:
        assert roles(variant, "data") == {"data"}
        assert roles(variant, "parameters") == {"parameters"}
        model = {"prior"} | ({"labelled likelihood"} if variant != "unsupervised" else set())
        assert roles(variant, "model") == model | ({"log_sum_exp"} if variant in summed else set())
        gamma = {"gamma prior term", "gamma word term"} if variant in summed else set()
        assert roles(variant, "transformed parameters") == gamma
    assert roles("supervised", "generated quantities") == set()
    assert roles("full Bayes", "generated quantities") == {"generated softmax", "generated draw"}
    assert roles("prediction", "generated quantities") == {"generated gamma", "generated softmax", "generated draw"}
    assert "gamma" not in " ".join(text for text, _ in blocks("prediction")["model"])
    (line,) = [text for text, role in blocks("unsupervised")["model"] if role == "log_sum_exp"]
    assert line == "target += log_sum_exp(gamma[m]);"


def test_titles_and_names():
    assert tuple(TITLES) == VARIANTS
    for function in (program, stan_code, lambda name: stan_data(COUNTS, LABELS, **SETTINGS, variant=name)):
        with pytest.raises(ValueError, match=r"variant must be one of 'supervised', .*, got 'semi'"):
            function("semi")
    with pytest.raises(ValueError, match="labels must be 5 integers"):
        stan_data(COUNTS, [0, 1], **SETTINGS, variant="supervised")


def test_a_local_gamma_is_made_of_the_same_lines_and_each_block_has_its_own():
    assert program("supervised", local=True) == program("supervised")
    for variant in ("unsupervised", "full Bayes", "prediction"):
        here, there = blocks(variant), blocks(variant, local=True)
        assert set(here) - set(there) == ({"transformed parameters"} if variant != "prediction" else set())
        lines = [
            text for text, _ in here["generated quantities" if variant == "prediction" else "transformed parameters"]
        ]
        gamma = [text for text in lines if "gamma" in text or text.startswith("for (n")][:3]
        assert len(gamma) == 3
        for name in ("model", "generated quantities"):
            texts = [text for text, _ in there[name]]
            uses = any("gamma" in text for text in texts)
            assert uses == (name == "generated quantities" or variant != "prediction")
            if uses:
                inner = texts[texts.index("{") + 1 :]
                assert [text for text in inner if text in gamma] == gamma
                assert not any("gamma" in text for text in texts[: texts.index("{")]), "only between braces"


def test_what_is_saved_is_what_is_declared_at_the_top_of_a_block_after_the_data():
    for variant in VARIANTS:
        data = stan_data(COUNTS, LABELS, **SETTINGS, variant=variant)
        for local in (False, True):
            depth, names, block = 0, {}, ""
            for line in program(variant, local=local):
                text = line.text.split("//")[0].strip()
                block = text.removesuffix(" {") if depth == 0 else block
                if depth == 1 and block not in ("data", "model"):
                    names |= declared([(text, "")])
                depth += text.count("{") - text.count("}")
            found = saved(variant, data, local=local)
            assert set(found) == set(names)
            for name, kind in names.items():
                sizes = re.findall(r"[\[ ,]([KVM]2?)\]", kind)
                assert found[name] == np.prod([data[size] for size in sizes]), name
