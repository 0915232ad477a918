// What a step of a lesson shows, and what an answer changes: pure functions of what Python has written beforehand.

import { isRight as isProved } from "../judge/kinds.js";

/** @import { FormSaid, FormState, Message, Published, Question, RuleVerdict, Scene, Target, Told } from "../messages.js" */
/** @typedef {{ index: number, scene: Scene, view: string, t: number, go: Message["go"] }} Where of the learner in a lesson */
/** @typedef {string[] | null} Keys of an answer */

/** @type {(message: Message) => Partial<Message>} of a message: the film that it names */
const filmOf = ({ chain, source, total, label, params, still }) => ({ chain, source, total, label, params, still });

/** @type {(lesson: Published, was: Where | null, index: number, settled: boolean) => Where} */
export function opened(lesson, was, index, settled) {
  // a step; without an iteration of its own it goes on from where the learner is, and the end goes on in any case
  const step = lesson.steps[index];
  if (was && index === lesson.steps.length - 1) {
    const { message } = step.asked;
    return { ...was, index, scene: { ...was.scene, message: { ...message, ...filmOf(was.scene.message) } } };
  }
  const scene = (settled && step.answered) || step.asked,
    moved = was?.scene.message.source !== scene.message.source;
  if (was && !moved && step.at === null) return { ...was, index, scene, view: scene.view };
  return moving({ index, scene, view: scene.view, t: 0, go: was?.go ?? null }, step.at ?? 0, false);
}

/** @type {(where: Where, t: number, walk: boolean) => Where} */
function moving(where, t, walk) {
  const to = Math.max(0, Math.min(t, where.scene.message.total));
  return { ...where, t: to, go: { token: String(Number(where.go?.token ?? 0) + 1), t: to, walk } };
}

const TOLD = 2; // misses, as in lessons/flow.py

/** @type {(question: Question, misses: number) => boolean} */
export const isTold = ({ once }, misses) => once || misses >= TOLD;

/** @type {(question: Question, keys: Keys, misses: number) => boolean} */
export const isSettled = (question, keys, misses) =>
  keys !== null && (isRight(question, keys) || isTold(question, misses));

/** @type {(lesson: Published, where: Where) => Where} */
export function answered(lesson, where) {
  // once the question is settled
  const { asked, then, advance } = lesson.steps[where.index];
  if (!then) return where;
  const next = { ...where, scene: then, view: then.view === asked.view ? where.view : then.view };
  return advance ? moving(next, where.t + advance, true) : { ...next, t: Math.min(where.t, then.message.total) };
}

/** @type {(where: Where, scene: Scene) => Where} */
export function another(where, scene) {
  // one of the runs that a step offers, from the start of what the step shows
  return { ...where, scene, t: Math.min(where.t, scene.message.total) };
}

/** @type {(runs: Scene[], now: Scene, name: string, value: string) => Scene} */
export function nearest(runs, now, name, value) {
  // the first run with a value that has as many of the other values as it can
  const alike = (/** @type {Scene} */ { values }) =>
    Object.entries(now.values).filter(([other, had]) => other !== name && values[other] === had).length;
  const [first, ...others] = runs.filter(({ values }) => values[name] === value);
  return others.reduce((best, run) => (alike(run) > alike(best) ? run : best), first ?? now);
}

/** @type {(where: Where, given: Keys, heard: number) => Message} */
export function messageOf({ scene, view, t, go }, given, heard) {
  const { message } = scene,
    { ask } = message,
    names = new URLSearchParams(message.link);
  if (view) names.set("view", view);
  return {
    ...message,
    at: t,
    go,
    heard,
    link: String(names),
    ask: ask && { ...ask, guess: given && given[0] },
  };
}

/** @type {(scene: Scene, has: (name: string) => boolean) => [string, string][]} */
export const viewsOf = ({ views, code }, has) =>
  views.filter(([name]) => name !== "code" || !code.length || code.some(has));

/** @type {(question: Question, keys: string[]) => Question["answers"]} those that were chosen; a rule comes to the last */
const chosenOf = ({ answers, rule }, keys) => answers.filter(({ key }) => (rule ? keys.slice(-1) : keys).includes(key));

const ELSE = "else"; // the option of a wrong rule that no other fits
/** @type {(question: Question, verdict: RuleVerdict) => string} the key of the option that a rule comes to */
export function comesTo({ answers }, verdict) {
  const right = isProved(verdict),
    named = answers.find((one) => (right ? one.right : !one.right && one.key === verdict.named));
  return named?.key ?? ELSE;
}

/** @type {(question: Question, keys: string[]) => boolean} */
export const canBe = ({ options, look, limits }, keys) =>
  options.length
    ? keys.length > 0 &&
      (look === "several" || keys.length === 1) &&
      keys.every((key) => options.some((one) => one.key === key))
    : keys.length === 1 &&
      keys[0].trim() !== "" &&
      Number.isFinite(+keys[0]) &&
      (!limits || (+keys[0] >= limits[0] && +keys[0] <= limits[1]));

/** @type {(question: Question, keys: string[]) => boolean} */
export const isRight = (question, keys) =>
  question.answers.length
    ? question.answers.every((one) => one.right === chosenOf(question, keys).includes(one))
    : lineOf(question, +keys[0]).right;

/** @type {(question: Question, guess: number) => Question["lines"][number]} */
const lineOf = ({ lines }, guess) =>
  /** @type {Question["lines"][number]} */ (
    lines.find(({ low, high }) => (low === null || guess >= low) && (high === null || guess <= high))
  );

/** @type {(question: Question, given: Keys, misses: number) => FormState} as pages/form/value.py has it */
export function standing(question, given, misses) {
  const settled = isSettled(question, given, misses),
    ticked = question.options.length && !question.guessed && !question.rule;
  return {
    given,
    words: given && ticked ? wordsOf(question, given) : "",
    note: "",
    locked: question.locked,
    said: given ? saidOf(question, given) : [],
    told: given && settled && !isRight(question, given) ? question.shown : "",
    again: given && !settled ? question.again : "",
    more: "",
  };
}

/** @type {(question: Question, keys: string[]) => string} */
export const wordsOf = (question, keys) =>
  chosenOf(question, keys)
    .map(({ words }) => words)
    .join("; ");

/** @type {(question: Question, keys: string[]) => FormSaid[]} */
function saidOf(question, keys) {
  // the reasons of what was chosen, each after how far off it is
  if (!question.answers.length) {
    const { right, reason } = lineOf(question, +keys[0]);
    return [{ right, html: comparison(question, keys[0], right) + reason }];
  }
  const said = chosenOf(question, keys).map(({ right, said: html }) => ({ right, html })),
    partly = question.partly && !isRight(question, keys) && said.every(({ right }) => right);
  return partly ? [...said, { right: null, html: question.partly }] : said;
}

const SLACK = 1e-9;
/** @type {(question: Question, guess: string, near: boolean) => string} */
function comparison({ exact, off, right }, guess, near) {
  const away = +guess - +right[0];
  if (near && Math.abs(away) < SLACK) return exact;
  const side = (away > 0 ? "high" : "low") + (near ? ", near enough" : "");
  return off
    .replace("{guess}", guess.replace("-", "−"))
    .replace("{off}", significant(Math.abs(away)))
    .replace("{side}", side);
}

/** @type {(value: number) => string} */
export function significant(value) {
  // three digits, and all before the point from 1,000 to ten million, as in pages/drawing/numbers.py
  if (value >= 1000 && value < 1e7) return value.toLocaleString("en", { maximumFractionDigits: 0 });
  const [digits, power] = value.toExponential(2).split("e");
  if (+power >= -4 && +power < 3) return String(+value.toPrecision(3));
  return `${+digits}e${power.startsWith("-") ? `−${power.slice(1)}` : `+${power.slice(1).padStart(2, "0")}`}`;
}

/** @type {(goal: Target, keys: Keys) => number} with how many seeds a goal has been reached */
export const ticksOf = ({ id, seeds }, keys) =>
  Math.min(seeds, (keys ?? []).filter((key) => key.split(" ")[0] === id).length);

/** @type {(step: Told, where: Where, keys: Keys) => string[]} */
export function reached(step, { scene, view, t }, keys) {
  // the goals that hold here and were not reached with this seed, as they are kept
  const { source } = scene.message,
    seed = new URLSearchParams(source.split("?")[1]).get("seed");
  return step.goals
    .filter((goal) => ticksOf(goal, keys) < goal.seeds && (!goal.open || goal.open === view))
    .filter(({ reached: where }) => (where[source] ?? []).includes(t))
    .map(({ id }) => `${id} ${seed}`)
    .filter((key) => !keys?.includes(key));
}

/** @type {(step: Told, t: number, keys: Keys) => boolean} */
export function isDone(step, t, keys) {
  if (step.until !== null) return t >= step.until;
  if (step.question && !keys) return false;
  return step.goals.every((goal) => ticksOf(goal, keys) === goal.seeds);
}
