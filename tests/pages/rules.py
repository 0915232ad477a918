"""Rules that come to each choice of a question that asks for one."""

from lessons.format.guesses import ELSE
from lessons.format.lesson import Step
from lessons.format.questions.answers import Choice
from samplers.judge.bank import PROBLEMS

UNKNOWN = ("1", "0.3", "({}) * 1.7")  # one of them is no known error


def rule_for(step: Step, choice: Choice) -> tuple[str, ...]:
    """Return an answer that comes to a choice."""
    problem = PROBLEMS[step.form.problem]
    tried = [problem.right] if choice.correct else [*problem.wrong.get(choice.text, ())]
    if choice.text == ELSE:
        tried = [(text.format(problem.right[0]), *problem.right[1:]) for text in UNKNOWN]
    lines = (tuple(form) for form in tried if not callable(form))
    return step.answers.stored(next(form for form in lines if step.chosen(form) == (choice,)))
