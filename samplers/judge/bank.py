"""The bank of problems for the judge, by id."""

from samplers.judge.mixtures import CRP_MIXTURE
from samplers.judge.problem import Problem

PROBLEMS: dict[str, Problem] = {problem.id: problem for problem in (CRP_MIXTURE,)}
