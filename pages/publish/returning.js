// The page Review of a published course, the short question before a lesson, and what a question that came back has beside
// it; the words are those of the app, see pages/lesson/review.py.

import { element } from "../player/canvas.js";
import { judged } from "./judged.js";
import { written } from "../form/looks.js";
import { linked } from "./map.js";
import { COURSE, json } from "./packs.js";
import { before, BEFORE, cards, DAY, deal, IDEA, nextDue, OFF, reviewed } from "./review.js";
import { canBe } from "./step.js";
import { all, put, takeBack } from "./store.js";

/** @import { OnMap, OnReview, Published, Told } from "../messages.js" */
/** @import { Card } from "./review.js" */

/** @type {string[]} the questions of a round, by the ids of their lessons */
let round = [];
let back = ""; // the lesson that waits for it

/** @type {() => boolean} a platform keeps each lesson's answers apart, so that there they come back within a lesson */
export const reviews = () => !all()[OFF];
const now = () => Date.now() / 1000;
const onMap = () => COURSE.sections.flatMap(({ lessons }) => lessons);

/** @type {(id: string) => OnReview | undefined} */
export const returning = (id) => COURSE.review.find((one) => one.id === id);

/** @type {(one: OnReview) => OnMap} */
const originOf = ({ lesson }) => /** @type {OnMap} */ (onMap().find(({ id }) => id === lesson));

/** @type {(one: Card) => OnReview} */
const entryOf = ({ ask }) =>
  /** @type {OnReview} */ (COURSE.review.find(({ lesson, step }) => lesson === ask.lesson && step === ask.step));

/** @typedef {{ entry: OnReview, lesson: Published, origin: Published, first: Told }} Again with the lesson that asked it first */

/** @type {(entry: OnReview) => Promise<Again>} */
export async function askedAgain(entry) {
  /** @type {Published} */
  const origin = await json(originOf(entry).file),
    first = /** @type {Told} */ (origin.steps.find(({ id }) => id === entry.step));
  /** @type {Published} */
  const lesson = entry.file ? await json(entry.file) : alone(origin, first, entry.id);
  return { entry, lesson, origin, first };
}

/** @type {(lesson: Published, step: Told, id: string) => Published} a lesson with one of its questions alone */
export function alone(lesson, step, id) {
  const uncovered = (/** @type {string[]} */ code) => (code.length ? [`${id}/${step.id}`] : []),
    seen = (/** @type {Told["then"]} */ scene) => scene && { ...scene, code: uncovered([...scene.code]) };
  const one = /** @type {Told} */ ({
    ...step,
    asked: seen(step.asked),
    answered: seen(step.answered),
    then: seen(step.then),
  });
  return { ...lesson, id, steps: [one, lesson.steps[lesson.steps.length - 1]] };
}

/** @type {(entry: OnReview, right: boolean) => void} */
export const note = (entry, right) => put(IDEA + entry.idea, reviewed(entry, all(), now(), right));

/** @type {(entries: OnReview[], waits?: string) => void} */
function begin(entries, waits = "") {
  round = entries.map(({ id }) => id);
  back = waits;
  for (const { id, step } of entries) {
    takeBack(`${id}/${step}`);
    put(`.tries/${id}/${step}`, null);
  }
  location.hash = `#lesson=${round[0]}`;
}

/** @type {(label: string, onclick: () => void, className?: string) => HTMLButtonElement} */
const button = (label, onclick, className = "") =>
  Object.assign(element("button", className, label), { type: "button", onclick });

/** @type {(count: number, noun: string) => string} */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @type {(due: number) => string} */
function when(due) {
  const days = (due - now()) / DAY;
  return days <= 0 ? "now" : days <= 1 ? "within a day" : `in ${counted(Math.round(days), "day")}`;
}

/** @type {(main: HTMLElement) => void} */
export function showReview(main) {
  document.title = `Review · ${COURSE.title}`;
  const dealt = deal(COURSE.review, all(), now()),
    on = element("label", "switch"),
    box = Object.assign(element("input", ""), { type: "checkbox", checked: reviews() });
  box.onchange = () => {
    put(OFF, box.checked ? null : ["off"]);
    showReview(main);
  };
  on.append(box, " Ask me again what I have learned");
  main.replaceChildren(
    linked("#", "Course map"),
    " · ",
    linked("#work", "My work"),
    element("h1", "", "Review"),
    element(
      "p",
      "",
      "What you answered comes back after a day, then after 3, 7, 16 and 35 days: each idea in another of its questions, where it can be on another run. A wrong answer brings it back the next day.",
    ),
    ...(reviews() ? dealtOr(dealt) : [element("p", "said", "Review is switched off: nothing comes back.")]),
    ...ideas(),
    on,
  );
}

/** @type {(dealt: Card[]) => HTMLElement[]} */
function dealtOr(dealt) {
  if (!dealt.length) {
    const due = nextDue(COURSE.review, all());
    const words =
      due === null
        ? "Nothing yet: answer questions in lessons, and they come back here from the next day on."
        : `Nothing is due now. The next question comes ${when(due)}.`;
    return [element("p", "said", words)];
  }
  const list = element("ul", ""),
    entries = dealt.map(entryOf);
  for (const lesson of new Set(entries.map(({ lesson }) => lesson))) {
    const some = entries.filter((one) => one.lesson === lesson),
      { topic, title } = originOf(some[0]);
    list.append(written("li", "", `${topic} · ${title} · ${some.length}`));
  }
  const sure = dealt.filter(({ missed }) => missed).length;
  if (sure)
    list.append(element("li", "", `First ${counted(sure, "answer")} of which you were sure, and it was otherwise`));
  const title = element("p", "");
  title.append(element("b", "", `${counted(dealt.length, "question")}, about two minutes`));
  return [title, list, button("Begin", () => begin(entries), "primary")];
}

/** @type {() => HTMLElement[]} */
function ideas() {
  const met = cards(COURSE.review, all()).sort((one, other) => one.due - other.due);
  if (!met.length) return [];
  const fold = element("details", ""),
    rows = met.map((card) => {
      const entry = entryOf(card),
        row = element("tr", "");
      row.append(
        element("td", "", entry.term),
        written("td", "", originOf(entry).title),
        element("td", "", when(card.due)),
      );
      return row;
    }),
    table = element("table", ""),
    head = element("tr", "");
  head.append(...["Idea", "Asked next in", "Comes back"].map((name) => element("th", "", name)));
  table.append(head, ...rows);
  fold.append(element("summary", "", `${counted(met.length, "idea")} so far`), table);
  return [fold];
}

// ---- beside a question that came back ------------------------------------------------------------------------------

/** @type {(again: Again) => HTMLElement[]} what was said when it was first asked */
export function thenSaid({ entry, first }) {
  const keys = all()[`${entry.lesson}/${entry.step}`];
  if (!keys || !first.question || !canBe(first.question, keys)) return [];
  const { right, words } = judged(first, keys),
    run = entry.file ? ", on another run," : "",
    it = right ? "that was right" : `it was <b>${first.question.words}</b>`,
    link = element("p", "");
  link.append(linked(`#lesson=${entry.lesson}&step=${entry.step}`, originOf(entry).title));
  return [written("p", "quiet st-key-then", `In the lesson${run} you said <b>${words}</b>; ${it}.`), link];
}

/** @type {(id: string, done: boolean) => HTMLElement} */
export function onward(id, done) {
  const bar = element("div", "st-key-steps"),
    at = round.indexOf(id) + 1,
    next = element("div", "st-key-next");
  const goes = (/** @type {string} */ label, /** @type {string} */ hash) =>
    next.append(button(label, () => (location.hash = hash), done ? "primary" : ""));
  bar.append(linked("#review", "Review"));
  if (round.length > 1 && at) bar.append(element("span", "quiet", `${at} of ${round.length}`));
  if (at && at < round.length) goes("Next question", `#lesson=${round[at]}`);
  else if (at && back) goes("Go on", `#lesson=${back}`);
  else goes("Finish", "#review");
  bar.append(next);
  return bar;
}

// ---- before a lesson -----------------------------------------------------------------------------------------------

/** @type {(lesson: string) => HTMLElement[]} */
export function beforeYouGoOn(lesson) {
  if (!reviews()) return [];
  const names = onMap().map(
    ({ id, asks }) => /** @type {[string, string[]]} */ ([id, asks.map((step) => `${id}/${step}`)]),
  );
  const ask = before(COURSE.review, names, all(), lesson, now());
  if (!ask) return [];
  const entry = entryOf({ ask, due: 0, missed: false }),
    box = element("div", "bordered st-key-before"),
    ways = element("p", "ways");
  ways.append(
    button("Answer it", () => {
      put(BEFORE + lesson, ["asked"]);
      begin([entry], lesson);
    }),
    " ",
    button("Skip", () => {
      put(BEFORE + lesson, ["skipped"]);
      box.remove();
    }),
  );
  box.append(written("p", "", `<b>Before you go on</b> · one question from <i>${originOf(entry).title}</i>`), ways);
  return [box];
}
