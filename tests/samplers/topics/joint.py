"""The statistics at which Geweke's joint test of a sampler of topics looks."""

import numpy as np


def statistics(words, labels, alpha, beta):
    """Of all draws of seven words, the last three in another document; shape (draws, statistics); all are bounded."""
    words, labels = np.array(words), np.array(labels)
    pairs = [(i, j) for i in range(7) for j in range(i)]
    same = np.array([labels[:, i] == labels[:, j] for i, j in pairs])
    alike = np.array([words[:, i] == words[:, j] for i, j in pairs])
    apart = np.array([(i >= 4) & (j < 4) for i, j in pairs])
    return np.column_stack(
        [
            (same & alike).sum(axis=0),
            (same & ~alike).sum(axis=0),
            same[apart].sum(axis=0),
            same[~apart].sum(axis=0),
            (same & alike)[apart].sum(axis=0),
            labels[:, 0],
            (labels.mean(axis=1) - 0.5) ** 2,
            np.log(alpha),
            np.log(beta),
            np.log(alpha) * same[~apart].mean(axis=0),
            np.log(beta) * (same & alike).mean(axis=0),
        ]
    )
