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
    read_on : tuple of str
        Where it goes on from here: papers and chapters, each with what is in it, in Markdown.
    """

    stage: str
    title: str
    line: str
    about: str
    source: str
    cover: Cover
    read_on: tuple[str, ...]

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
        read_on=(
            "Gelman et al. (2013), *Bayesian Data Analysis*, chapter 2: one parameter at a time, for other "
            "likelihoods than a coin's",
            "Kruschke (2015), *Doing Bayesian Data Analysis*, chapters 5 to 7: the same coin, slowly, with a "
            "Metropolis chain at its end",
        ),
        cover=Cover(("density",), 60, 6, {"tosses": 60}),
    ),
    TopicInfo(
        stage="why_sample",
        title="Why sample?",
        line="The sum that cannot be done, and a walk that need not do it",
        about=(
            "In how many ways can sixty points be put into groups? In more than anybody can list. A Gibbs sampler "
            "visits them one update at a time, each as often as the posterior says; and on three points all of it can "
            "be seen."
        ),
        source=(
            "Neal (2000), *Markov chain sampling methods for Dirichlet process mixture models*, section 3; Gershman & "
            "Blei (2012), *A tutorial on Bayesian nonparametric models*, section 2; Knuth (2011), *The Art of Computer "
            "Programming*, volume 4A, section 7.2.1.5"
        ),
        read_on=(
            "MacKay (2003), *Information Theory, Inference, and Learning Algorithms*, chapter 29: why sampling "
            "is hard, and what chains are for",
            "Geyer (2011), *Introduction to Markov chain Monte Carlo*, in the *Handbook of MCMC*: what a chain "
            "promises and what it does not",
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
        read_on=(
            "Teh, Jordan, Beal & Blei (2006), *Hierarchical Dirichlet processes*: many restaurants that share one menu",
            "Blei & Frazier (2011), *Distance dependent Chinese restaurant processes*: customers who choose "
            "neighbours in time or space",
            "Aldous (1985), *Exchangeability and related topics*: where the restaurant comes from",
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
        read_on=(
            "Neal (2000), *Markov chain sampling methods for Dirichlet process mixture models*: eight samplers, "
            "also without conjugacy",
            "Jain & Neal (2004), *A split-merge Markov chain Monte Carlo procedure*: moves that take whole "
            "tables apart",
            "Miller & Harrison (2014), *Inconsistency of Pitman–Yor process mixtures for the number of components*",
            "Anderson (1991), *The adaptive nature of human categorization*: the same model as a theory of how "
            "people form categories",
            "Fox, Sudderth, Jordan & Willsky (2011), *A sticky HDP-HMM*: clusters that follow one another in time",
            "Kemp et al. (2006), *Learning systems of concepts with an infinite relational model*: clusters of "
            "people by who likes whom",
        ),
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
        read_on=(
            "Stephens (2000), *Dealing with label switching in mixture models*",
            "Frühwirth-Schnatter (2006), *Finite Mixture and Markov Switching Models*: priors, numbers of "
            "components, and time",
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
            "Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 3; Griffiths & "
            "Ghahramani (2011), *The Indian buffet process: an introduction and review*"
        ),
        read_on=(
            "Thibaux & Jordan (2007), *Hierarchical beta processes and the Indian buffet process*: how popular "
            "each dish is, drawn openly",
            "Teh, Görür & Ghahramani (2007), *Stick-breaking construction for the Indian buffet process*",
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
        read_on=(
            "Miller, Griffiths & Jordan (2009), *Nonparametric latent feature models for link prediction*: "
            "features of people in a network",
            "Knowles & Ghahramani (2011), *Nonparametric Bayesian sparse factor models*: from binary features to "
            "weights",
            "Doshi-Velez & Ghahramani (2009), *Accelerated sampling for the Indian buffet process*: how a row's "
            "bits are scored quickly",
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
        read_on=(
            "Nigam, McCallum, Thrun & Mitchell (2000), *Text classification from labeled and unlabeled documents "
            "using EM*",
            "Griffiths & Steyvers (2004), *Finding scientific topics*: a label for each word in place of one for "
            "each message",
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
        read_on=(
            "MacKay (1992), *The evidence framework applied to classification networks*: averaging over weights, "
            "and choosing λ",
            "Polson, Scott & Windle (2013), *Bayesian inference for logistic models using Pólya–Gamma latent "
            "variables*: Gibbs for weights",
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
        read_on=(
            "Tierney & Kadane (1986), *Accurate approximations for posterior moments and marginal densities*",
            "Rue, Martino & Chopin (2009), *Approximate Bayesian inference for latent Gaussian models*: "
            "Laplace's idea, nested (INLA)",
            "Blei, Kucukelbir & McAuliffe (2017), *Variational inference: a review for statisticians*",
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
        read_on=(
            "Ng & Jordan (2002), *On discriminative vs. generative classifiers*: which of the two learns from "
            "fewer examples",
            "Little & Rubin (2019), *Statistical Analysis with Missing Data*: when missing cells may be left "
            "out, and how to impute them",
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
        read_on=(
            "Neal (2011), *MCMC using Hamiltonian dynamics*: the physics, the leapfrog step and its error",
            "Betancourt (2017), *A conceptual introduction to Hamiltonian Monte Carlo*: why typical draws lie "
            "away from the mode",
            "Girolami & Calderhead (2011), *Riemann manifold Langevin and Hamiltonian Monte Carlo methods*: "
            "steps that fit a funnel",
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
        read_on=(
            "*Stan User's Guide*, chapter *Latent discrete parameters*: change points, hidden states and "
            "mark-recapture, summed out alike",
            "Betancourt (2017), *Identifying Bayesian mixture models*: what to do about modes that only swap names",
        ),
        cover=Cover(("plane", "points"), 100, 10, {"model": "two means"}),
    ),
)


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
