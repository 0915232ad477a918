"""The bank of problems for the judge, by id."""

from samplers.judge.documents import NAIVE_BAYES_COLLAPSED, NAIVE_BAYES_LOGS, PI_EXPLICIT, PI_INTEGRATED
from samplers.judge.features import BUFFET_LINE, CRP_SEATING, EXPECTED_TABLES, IBP_BIT
from samplers.judge.formulas import (
    E_STEP,
    GENERATIVE_PREDICTIVE,
    LABEL_GAIN,
    STAN_GAMMA,
    STAN_LOG_SUM_EXP,
    STAN_PR_Z,
)
from samplers.judge.mixtures import CRP_MIXTURE, FINITE_MIXTURE
from samplers.judge.moves import METROPOLIS_GRID, PATH_LENGTH, SPLIT_MERGE, TEMPERATURE_SWAP
from samplers.judge.problem import Problem
from samplers.judge.sequences import CHAIN_STATE, FORWARD_MESSAGE
from samplers.judge.slopes import LOGISTIC_CURVATURE, LOGISTIC_GRADIENT, PROBIT_AVERAGE
from samplers.judge.topics import LDA_WORD

PROBLEMS: dict[str, Problem] = {
    problem.id: problem
    for problem in (
        CRP_SEATING,
        EXPECTED_TABLES,
        CRP_MIXTURE,
        FINITE_MIXTURE,
        PI_INTEGRATED,
        PI_EXPLICIT,
        NAIVE_BAYES_LOGS,
        NAIVE_BAYES_COLLAPSED,
        LDA_WORD,
        BUFFET_LINE,
        IBP_BIT,
        METROPOLIS_GRID,
        PATH_LENGTH,
        TEMPERATURE_SWAP,
        SPLIT_MERGE,
        CHAIN_STATE,
        FORWARD_MESSAGE,
        STAN_GAMMA,
        STAN_PR_Z,
        STAN_LOG_SUM_EXP,
        E_STEP,
        LOGISTIC_GRADIENT,
        LOGISTIC_CURVATURE,
        PROBIT_AVERAGE,
        GENERATIVE_PREDICTIVE,
        LABEL_GAIN,
    )
}
