// The end of a lesson: what it was about, the learner's answers beside the right ones, and the ways on.

import { written } from "../form/looks.js";
import { element } from "../player/canvas.js";
import { judged } from "./judged.js";
import { linked } from "./map.js";
import { COURSE } from "./packs.js";
import { reviews } from "./returning.js";

/** @import { OnMap, Published, Question, Scene, Told } from "../messages.js" */
/** @import { Keys } from "./step.js" */

/** @type {(scene: Scene) => string} */
export function freely({ message }) {
  // the link of what is shown, without the lesson
  const free = new URLSearchParams(message.link);
  for (const name of ["lesson", "step"]) free.delete(name);
  return `${free}`;
}

/** @type {(lesson: Published, given: (step: Told) => Keys, next: OnMap | undefined, live: string) => HTMLElement[]} */
export function ending(lesson, given, next, live) {
  const list = element("ul", ""),
    onward = element("p", "onward"),
    ways = element("p", ""),
    more = element("details", "");
  list.append(...lesson.summary.map((line) => written("li", "", line)));
  if (next) onward.append(linked(`#lesson=${next.id}`, `Next lesson: ${next.title} · ${next.minutes} min`, "primary"));
  ways.append(linked("#", "Course map"), " · ", linked("#work", "My work"));
  if (COURSE.review.length && reviews()) ways.append(" · ", linked("#review", "Review"));
  if (live) ways.append(" · ", linked(live, "Play freely in the app"));
  more.append(
    element("summary", "", "Read on"),
    written("ul", "", lesson.read_on.map((entry) => `<li>${entry}</li>`).join("")),
  );
  return [list, answers(lesson, given), onward, ways, more];
}

/** @type {(lesson: Published, given: (step: Told) => Keys) => HTMLElement} */
function answers({ steps }, given) {
  const asked = steps.filter(({ question }) => question);
  let right = 0;
  const lines = asked.map((step) => {
    const keys = given(step),
      question = /** @type {Question} */ (step.question);
    if (!keys) return `<p>– ${step.title} · <i>not answered</i></p>`;
    const { right: fine, words: said } = judged(step, keys);
    right += +fine;
    return `<p>${fine ? "✓" : "✗"} ${step.title} · <b>${said}</b>${said === question.words ? "" : `; right: <b>${question.words}</b>`}</p>`;
  });
  return written(
    "div",
    "st-key-answered bordered",
    `<p><b>Your answers</b> · ${right} of ${asked.length} right</p>${lines.join("")}`,
  );
}
