"""A course as schema.org describes learning resources, for catalogues and search engines."""

import json
from collections.abc import Container

from lessons.catalogue import topic_info
from lessons.course.plan import Plan
from lessons.format.folders import SHIPPED
from lessons.format.lesson import Lesson

LICENCE = "https://creativecommons.org/licenses/by/4.0/"  # of the app's own lessons


def described(plan: Plan, made: Container[str]) -> str:
    """Return the element for the head of a course's page: the course, and each of its lessons that is there."""
    lessons = [_lesson(lesson) for lesson in plan.lessons if lesson.id in made]
    course = {
        "@context": "https://schema.org",
        "@type": ["Course", "LearningResource"],
        "name": plan.title or "Samplescope",
        "description": "Lessons in which Bayesian samplers are seen at work, one update at a time.",
        "inLanguage": plan.language or "en",
        "learningResourceType": "interactive lesson",
        "interactivityType": "active",
        "isAccessibleForFree": True,
        "hasPart": lessons,
    }
    text = json.dumps(course, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def _lesson(lesson: Lesson) -> dict[str, object]:
    told: dict[str, object] = {
        "@type": "LearningResource",
        "name": lesson.title,
        "url": f"#lesson={lesson.id}",
        "about": topic_info(lesson.stage).title,
        "teaches": [*lesson.objectives],
        "timeRequired": f"PT{lesson.minutes}M",
        "inLanguage": lesson.language,
    }
    return told | ({"license": LICENCE} if lesson.path.parent == SHIPPED else {})
