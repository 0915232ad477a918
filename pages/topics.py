"""The topics of the course, in order. It imports no sampler and no chart, so that the course map opens at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Cover:
    """The run that plays by itself on a topic's cover.

    Attributes
    ----------
    charts : tuple of str
        Those that are shown, the main picture first.
    frames : int
        How many iterations are played.
    pace : float
        Of them in a second.
    settings : mapping
        Of the stage; what is left out has its default.
    seed : int
        Of the chain.
    """

    charts: tuple[str, ...]
    frames: int
    pace: float
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 7


@dataclass(frozen=True)
class TopicInfo:
    """A topic as the navigation, the course map and free play present it.

    Attributes
    ----------
    stage : str
        The name that lessons use.
    title, line, about, source : str
        The line says in a few words what it is about; about and source are Markdown.
    cover : Cover
        What plays on its cover.
    """

    stage: str
    title: str
    line: str
    about: str
    source: str
    cover: Cover

    @property
    def page(self) -> str:
        """Path of the page file, from the router."""
        return f"{self.stage}.py"


HERO = Cover(("points", "many"), 150, 12, {"data": "three_blobs", "points": 8, "start": "apart"}, seed=5)
"""Plays on the course map, on the stage of the mixture: few enough points that the posterior is known exactly."""

TOPICS = (
    TopicInfo(
        stage="coin",
        title="One coin",
        line="What a posterior is, and why one draws from it",
        about=(
            "How often does this coin fall heads? Toss it, and a prior becomes a posterior. Then draw from the "
            "posterior, one number at a time, and see what draws are good for: first independent ones, then a chain."
        ),
        source="Gelman et al. (2013), *Bayesian Data Analysis*, sections 2.4, 10.5 and 11.2",
        cover=Cover(("density",), 60, 6, {"tosses": 60}),
    ),
    TopicInfo(
        stage="why_sample",
        title="Why sample?",
        line="The sum that cannot be done, and a walk that need not do it",
        about=(
            "In how many ways can points be put into groups? For three there are five, for sixty more than anybody can "
            "list. A Gibbs sampler visits them one update at a time, each as often as the posterior says; and on "
            "three points all of it can be seen."
        ),
        source=(
            "Neal (2000), *Markov chain sampling methods for Dirichlet process mixture models*, section 3; Gershman & "
            "Blei (2012), *A tutorial on Bayesian nonparametric models*, section 2; Knuth (2011), *The Art of Computer "
            "Programming*, volume 4A, section 7.2.1.5"
        ),
        cover=Cover(("clusterings", "bars"), 120, 5),
    ),
    TopicInfo(
        stage="crp_seating",
        title="Chinese restaurant",
        line="The rich tables get richer",
        about=(
            "Customers come in one at a time. Each joins a table with a weight of how many already sit there, or opens "
            "a new one with a weight of $\\alpha$. Nobody says in advance how many tables there will be."
        ),
        source=(
            "Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 2.2; Pitman (2006), "
            "*Combinatorial stochastic processes*, chapter 3; sticks: Sethuraman (1994), *A constructive definition of "
            "Dirichlet priors*"
        ),
        cover=Cover(("room", "many"), 60, 6, seed=3),
    ),
    TopicInfo(
        stage="crp_mixture",
        title="Clusters without a number",
        line="How many groups? Ask the data",
        about=(
            "Points sit down at tables too: by how many are there, and by how well they fit. A Gibbs sampler lifts one "
            "point at a time and lets it choose again. How many clusters there are comes out, with its uncertainty."
        ),
        source="Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, sections 2.1, 2.3 and 4",
        cover=Cover(("points", "many"), 40, 4, {"start": "apart"}, seed=16),
    ),
    TopicInfo(
        stage="gibbs_blobs",
        title="Gibbs on Gaussian blobs",
        line="Two models look at the same points",
        about=(
            "Three blobs, and mixtures that try to find them: each sweep forgets one point at a time, scores the "
            "components, samples a label and remembers it. Components can be multinomial, and see directions alone, or "
            "Gaussian; the number of them fixed, or open."
        ),
        source=(
            "Fozzie The Beat, post *Stepping Into the Mixtures With Gibbs Sampling* on the blog Wordsi; Neal (2000), "
            "section 3; Stephens (2000)"
        ),
        cover=Cover(("points", "means"), 40, 4, {"data": "three_blobs", "points": 90}),
    ),
    TopicInfo(
        stage="ibp_buffet",
        title="The Indian buffet",
        line="Not one label, but any number of features",
        about=(
            "Customers pass along a buffet. Each takes old dishes, the popular ones more often, and then some that "
            "nobody has taken yet. A row of zeros and ones is left of everyone: a prior for features, of which nobody "
            "has to say in advance how many there are."
        ),
        source=(
            "Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 3.2; Griffiths & "
            "Ghahramani (2011), *The Indian buffet process: an introduction and review*"
        ),
        cover=Cover(("line", "trace"), 20, 1.6, {"concentration": 3.0}, seed=3),
    ),
    TopicInfo(
        stage="ibp_features",
        title="Features in pictures",
        line="One row, many features",
        about=(
            "Tiny images, each a sum of hidden shapes and noise, and nobody says how many shapes there are. A Gibbs "
            "sampler draws one bit at a time, *does this image have this shape?*, and the shapes appear. Scores in "
            "tests are taken apart in the same way."
        ),
        source=(
            "Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 3; Griffiths & Ghahramani "
            "(2011), *The Indian buffet process: an introduction and review*, section 5"
        ),
        cover=Cover(("pictures",), 40, 4),
    ),
    TopicInfo(
        stage="gibbs_text",
        title="Spam without labels",
        line="Words alone tell the classes apart",
        about=(
            "Messages, each a bag of words of one class, and nobody says which. A Gibbs sampler takes one message out, "
            "scores it word by word, and draws its label; then it draws how each class chooses its words. Show it a "
            "few labels, and the classes get their names."
        ),
        source=(
            "Resnik & Hardisty (2010), *Gibbs sampling for the uninitiated*, section 2; the post *Gibbs Sampling on "
            "Dirichlet Multinomial Naive Bayes (Text)*, suzyahyah.github.io, 5 December 2017; Stan Development Team, "
            "*Stan User's Guide*, chapter on clustering models: naive Bayes classification and clustering"
        ),
        cover=Cover(("rows", "words"), 30, 3),
    ),
    TopicInfo(
        stage="logistic",
        title="Logistic regression",
        line="One line, or many?",
        about=(
            "A line parts two classes of points, and its weights are not certain. Find the mode, put a Normal around "
            "it, and average over the lines instead of trusting one: far from the data the difference is everything."
        ),
        source=(
            "Piyush Rai (2019), *Bayesian Logistic Regression, Bayesian Generative Classification*, CS698X lecture of "
            "23 January: slides on Bayesian logistic regression"
        ),
        cover=Cover(("plane", "weights"), 90, 9, {"method": "gradient", "step_length": 0.05}),
    ),
    TopicInfo(
        stage="laplace_line",
        title="When Laplace lies",
        line="A Normal laid over a density",
        about=(
            "On one line everything can be seen: a density, the parabola that touches its logarithm, and the Normal "
            "that the parabola makes. At the mode this is the Laplace approximation. It looks at one point alone, and "
            "six densities show what that costs."
        ),
        source=(
            "Piyush Rai (2019), *Bayesian Logistic Regression, Bayesian Generative Classification*, CS698X lecture of "
            "23 January: slides on the Laplace approximation; Bishop (2006), *Pattern Recognition and Machine "
            "Learning*, section 4.4"
        ),
        cover=Cover(("log", "density"), 8, 0.8),
    ),
    TopicInfo(
        stage="generative",
        title="Tell the story backwards",
        line="How data come about, and Bayes’ rule to turn it round",
        about=(
            "A story of how examples come about: first a label is drawn, then features from that class. Told forwards "
            "it makes data. Told backwards, by Bayes’ rule, it is a classifier: with features of any type, some of "
            "them missing, and with labels that nobody has seen."
        ),
        source=(
            "Piyush Rai (2019), *Bayesian Logistic Regression, Bayesian Generative Classification*, CS698X lecture of "
            "23 January: slides on Bayesian generative classification; Murphy (2012), *Machine Learning: A "
            "Probabilistic Perspective*, section 3.5"
        ),
        cover=Cover(("plane", "share"), 40, 2.5, {"method": "story", "data": "three"}),
    ),
    TopicInfo(
        stage="walk_the_hill",
        title="Walk the hill",
        line="Roll over a density instead of stumbling",
        about=(
            "A density seen from above, and a puck on it. A random walk stumbles over the hill; with a push and the "
            "slope under it, the puck rolls far and still lands where it should. Throw it, then let HMC and NUTS throw."
        ),
        source=(
            "Neal (2011), *MCMC using Hamiltonian dynamics*; Hoffman & Gelman (2014), *The No-U-Turn Sampler*; "
            "Betancourt (2017), *A conceptual introduction to Hamiltonian Monte Carlo*"
        ),
        cover=Cover(("plane",), 60, 0.6, {"target": "banana"}),
    ),
    TopicInfo(
        stage="marginalise",
        title="Sum the labels out",
        line="How Stan gets by without labels",
        about=(
            "Stan follows gradients, and a label has none. So the labels are summed out: each document's weight in "
            "each class, $\\gamma_{m,k}$, goes through log_sum_exp, and what is left is smooth. The labels' "
            "probabilities come back for nothing."
        ),
        source=(
            "Stan Development Team, *Stan User's Guide*, chapters on latent discrete parameters and on clustering: "
            "naive Bayes classification and clustering; Hoffman & Gelman (2014); Betancourt (2017)"
        ),
        cover=Cover(("plane", "points"), 100, 10, {"model": "two means"}),
    ),
)


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
