"""The topics of the course, in order. It imports no sampler and no chart, so that the course map opens at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TopicInfo:
    """A topic as the navigation, the course map and free play present it.

    Attributes
    ----------
    stage : str
        The name that lessons use.
    title, about, source : str
        About and source are Markdown.
    """

    stage: str
    title: str
    about: str
    source: str

    @property
    def page(self) -> str:
        """Path of the page file, from the router."""
        return f"{self.stage}.py"


TOPICS = (
    TopicInfo(
        stage="coin",
        title="One coin",
        about=(
            "How often does this coin fall heads? Toss it, and a prior becomes a posterior. Then draw from the "
            "posterior, one number at a time, and see what draws are good for: first independent ones, then a chain."
        ),
        source="Gelman et al. (2013), *Bayesian Data Analysis*, sections 2.4, 10.5 and 11.2",
    ),
    TopicInfo(
        stage="crp_seating",
        title="Chinese restaurant",
        about=(
            "Customers come in one at a time. Each joins a table with a weight of how many already sit there, or opens "
            "a new one with a weight of $\\alpha$. Nobody says in advance how many tables there will be."
        ),
        source=(
            "Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 2.2; Pitman (2006), "
            "*Combinatorial stochastic processes*, chapter 3; sticks: Sethuraman (1994), *A constructive definition of "
            "Dirichlet priors*"
        ),
    ),
    TopicInfo(
        stage="crp_mixture",
        title="Clusters without a number",
        about=(
            "Points sit down at tables too: by how many are there, and by how well they fit. A Gibbs sampler lifts one "
            "point at a time and lets it choose again. How many clusters there are comes out, with its uncertainty."
        ),
        source="Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, sections 2.1, 2.3 and 4",
    ),
    TopicInfo(
        stage="gibbs_blobs",
        title="Gibbs on Gaussian blobs",
        about=(
            "Three blobs, and mixtures that try to find them: each sweep forgets one point at a time, scores the "
            "components, samples a label and remembers it. Components can be multinomial, and see directions alone, or "
            "Gaussian; the number of them fixed, or open."
        ),
        source=(
            "Fozzie The Beat, post *Stepping Into the Mixtures With Gibbs Sampling* on the blog Wordsi; Neal (2000), "
            "section 3; Stephens (2000)"
        ),
    ),
    TopicInfo(
        stage="gibbs_text",
        title="Spam without labels",
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
    ),
    TopicInfo(
        stage="logistic",
        title="Logistic regression",
        about=(
            "A line parts two classes of points, and its weights are not certain. Find the mode, put a Normal around "
            "it, and average over the lines instead of trusting one: far from the data the difference is everything."
        ),
        source=(
            "Piyush Rai (2019), *Bayesian Logistic Regression, Bayesian Generative Classification*, CS698X lecture of "
            "23 January: slides on Bayesian logistic regression"
        ),
    ),
    TopicInfo(
        stage="laplace_line",
        title="When Laplace lies",
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
    ),
    TopicInfo(
        stage="marginalise",
        title="Sum the labels out",
        about=(
            "Stan follows gradients, and a label has none. So the labels are summed out: each document's weight in "
            "each class, $\\gamma_{m,k}$, goes through log_sum_exp, and what is left is smooth. The labels' "
            "probabilities come back for nothing."
        ),
        source=(
            "Stan Development Team, *Stan User's Guide*, chapters on latent discrete parameters and on clustering: "
            "naive Bayes classification and clustering; Hoffman & Gelman (2014); Betancourt (2017)"
        ),
    ),
)


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
