"""Programs as students write them."""

FIT = """
import math

def fit(x, others, data):
    variance = 1 / (1 / data.prior_variance + len(others) / data.variance)
    mean = variance * (data.prior_mean / data.prior_variance + sum(others) / data.variance)
    spread = variance + data.variance
    return math.exp(-0.5 * (x - mean) ** 2 / spread) / math.sqrt(2 * math.pi * spread)
"""

UPDATE = (
    FIT
    + """
def update(i, labels, data, draw):
    rest = labels[:i] + labels[i + 1:]
    points = data.points[:i] + data.points[i + 1:]
    tables = sorted(set(rest))
    members = [[x for x, label in zip(points, rest) if label == table] for table in tables]
    weights = [len(those) * fit(data.points[i], those, data) for those in members]
    weights.append(data.alpha * fit(data.points[i], [], data))
    tables.append(max(rest, default=-1) + 1)
    labels[i] = tables[draw(weights)]
"""
)

SWEEP = (
    UPDATE.replace("def update", "def one")
    + """
def sweep(labels, data, draw):
    for i in range(len(labels)):
        one(i, labels, data, draw)
    return labels
"""
)

ONE_TOO_MANY = UPDATE.replace("[len(those) *", "[(len(those) + 1) *")
ALL_AT_ONCE = (
    UPDATE.replace("def update", "def one")
    + """
def sweep(labels, data, draw):
    found = []
    for i in range(len(labels)):
        new = list(labels)
        one(i, new, data, draw)
        found.append(new[i])
    return found
"""
)

# Right programs for other problems of the bank, by id.
RIGHT = {
    "crp-mixture": UPDATE,
    "finite-mixture": FIT
    + """
def update(i, labels, data, draw):
    weights = []
    for k in range(data.classes):
        those = [x for j, x in enumerate(data.points) if j != i and labels[j] == k]
        weights.append((len(those) + data.gamma) * fit(data.points[i], those, data))
    labels[i] = draw(weights)
""",
    "pi-integrated": """
from math import prod

def update(i, labels, data, draw):
    weights = []
    for k, probs in enumerate(data.word_probs):
        n = sum(label == k for j, label in enumerate(labels) if j != i)
        weights.append((n + data.gamma) * prod(p ** c for p, c in zip(probs, data.counts[i])))
    labels[i] = draw(weights)
""",
    "pi-explicit": """
from math import prod

def update(i, labels, data, draw):
    words = [prod(p ** c for p, c in zip(probs, data.counts[i])) for probs in data.word_probs]
    labels[i] = draw([weight * each for weight, each in zip(data.weights, words)])
""",
    "naive-bayes-logs": """
import numpy as np

def update(i, labels, data, draw):
    others = np.array([label for j, label in enumerate(labels) if j != i], int)
    logs = np.log(np.bincount(others, minlength=2) + data.gamma) + np.log(data.word_probs) @ data.counts[i]
    labels[i] = draw(np.exp(logs - logs.max()))
""",
    "naive-bayes-collapsed": """
from math import log, exp

def update(i, labels, data, draw):
    logs = []
    for k in range(data.classes):
        rest = [j for j in range(len(labels)) if j != i and labels[j] == k]
        counts = [sum(data.counts[j][v] for j in rest) + data.beta for v in range(len(data.counts[i]))]
        found = log(len(rest) + data.gamma)
        for word, times in enumerate(data.counts[i]):
            for _ in range(times):
                found += log(counts[word] / sum(counts))
                counts[word] += 1
        logs.append(found)
    labels[i] = draw([exp(each - max(logs)) for each in logs])
""",
    "lda-word": """
def update(i, labels, data, draw):
    def count(k, **same):
        return sum(
            label == k and j != i and all(getattr(data, name)[j] == value for name, value in same.items())
            for j, label in enumerate(labels)
        )
    word, document = data.words[i], data.documents[i]
    labels[i] = draw([
        (count(k, documents=document) + data.alpha) * (count(k, words=word) + data.beta)
        / (count(k) + data.vocabulary * data.beta)
        for k in range(data.topics)
    ])
""",
    "ibp-bit": """
import numpy as np

def density(bits, data):
    x = np.array(data.rows)
    z = np.array(bits).reshape(len(x), -1)
    covariance = data.spread ** 2 * z @ z.T + data.noise ** 2 * np.eye(len(x))
    logs = -0.5 * (np.linalg.slogdet(covariance)[1] * x.shape[1] + (x * np.linalg.solve(covariance, x)).sum())
    return float(np.exp(logs))

def update(i, labels, data, draw):
    row, feature = i
    place = row * data.features + feature
    column = labels[feature::data.features]
    others = sum(column) - labels[place]
    if others:
        weights = []
        for bit, prior in ((0, len(data.rows) - others), (1, others)):
            labels[place] = bit
            weights.append(prior * density(labels, data))
        labels[place] = draw(weights)
""",
    "metropolis-grid": """
def sweep(labels, data, draw):
    here = labels[0]
    up = draw([data.up, 1 - data.up]) == 0
    there = here + (1 if up else -1)
    if not 0 <= there < len(data.density):
        return
    q, back = (data.up, 1 - data.up) if up else (1 - data.up, data.up)
    accept = min(1, data.density[there] * back / (data.density[here] * q))
    if draw([accept, 1 - accept]) == 0:
        labels[0] = there
""",
    "temperature-swap": """
def update(i, labels, data, draw):
    if i == "swap":
        cold, hot = labels
        accept = min(1, (data.density[hot] / data.density[cold]) ** (data.beta - data.beta_hot))
        if draw([accept, 1 - accept]) == 0:
            labels.reverse()
        return
    level, beta = (0, data.beta) if i == "cold" else (1, data.beta_hot)
    there = labels[level] + (1, -1)[draw([1, 1])]
    if 0 <= there < len(data.density):
        accept = min(1, (data.density[there] / data.density[labels[level]]) ** beta)
        if draw([accept, 1 - accept]) == 0:
            labels[level] = there
""",
    "chain-state": """
from math import exp

def update(i, labels, data, draw):
    weights = []
    for k, mean in enumerate(data.means):
        weight = exp(-0.5 * ((data.values[i] - mean) / data.deviation) ** 2)
        if i > 0:
            weight *= data.transitions[labels[i - 1]][k]
        if i + 1 < len(labels):
            weight *= data.transitions[k][labels[i + 1]]
        weights.append(weight)
    labels[i] = draw(weights)
""",
    "split-merge": FIT
    + """
def evidence(points, data):
    return math.prod(fit(x, points[:i], data) for i, x in enumerate(points))

def joint(labels, data):
    found = 1.0
    for table in set(labels):
        those = [x for x, label in zip(data.points, labels) if label == table]
        found *= data.alpha * math.factorial(len(those) - 1) * evidence(those, data)
    return found

def update(i, labels, data, draw):
    # A split that is as probable as any other of the same points, and the merge that leads back.
    a, b = i
    rest = [j for j in range(len(labels)) if labels[j] in (labels[a], labels[b]) and j not in i]
    new = list(labels)
    if labels[a] == labels[b]:
        new[a] = max(labels) + 1
        for j in rest:
            new[j] = (new[a], new[b])[draw([1, 1])]
        ratio = joint(new, data) / joint(labels, data) * 2 ** len(rest)
    else:
        new = [labels[b] if label == labels[a] else label for label in labels]
        ratio = joint(new, data) / joint(labels, data) / 2 ** len(rest)
    accept = min(1, ratio)
    return new if draw([accept, 1 - accept]) == 0 else labels
""",
    "stan-pr-z": """
import numpy as np

def weight(line, names):
    return np.exp(names["gamma"] - np.logaddexp.reduce(names["gammas"]))
""",
    "crp-seating": """
def weight(line, names):
    return names["n"] if line == "a table" else names["alpha"]
""",
}
