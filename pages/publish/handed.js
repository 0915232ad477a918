// The learner's work as files: one that the app, `collect` and other copies of a course take in, and a page to print.

import { element } from "../player/canvas.js";
import { judged } from "./judged.js";
import { written } from "../form/looks.js";
import { COURSE, json } from "./packs.js";
import { CSS } from "./sheet.js";
import { all, kept, put, putTries, triesOf } from "./store.js";

/** @import { Published, Told } from "../messages.js" */
/** @import { Verdict } from "./judged.js" */
/** @import { Tries } from "./store.js" */
/** @typedef {{ step: Told, keys: string[], verdict: Verdict }} Answered */
/** @typedef {{ lesson: Published, answered: Answered[] }} Begun */
/** @typedef {{ topic: string, link: string, note: string }} Moment that the learner kept */
/** @typedef {Tries & { lesson: string, step: string, answer: string[], version: string }} Given */

const LARGEST = 1000000; // bytes of a file, as in lessons/course/work.py
const NO_FILE = "This is not a “My work” file.";

/** @type {() => Promise<Begun[]>} the lessons that have an answer, in the order of the course */
export async function begun() {
  const found = [];
  for (const { id, file, questions } of COURSE.sections.flatMap(({ lessons }) => lessons)) {
    if (!questions.some((step) => kept(`${id}/${step}`))) continue;
    /** @type {Published} */
    const lesson = await json(file);
    const answered = lesson.steps.flatMap((step) => {
      const keys = step.question || step.goals.length ? kept(`${id}/${step.id}`) : null;
      return keys ? [{ step, keys, verdict: judged(step, keys) }] : [];
    });
    found.push({ lesson, answered });
  }
  return found;
}

/** @type {() => [string, Moment][]} */
export const moments = () =>
  Object.entries(all()).flatMap(([name, [topic, link, note = ""]]) =>
    name.startsWith(".moment/") ? [[name, { topic, link, note }]] : [],
  );

/** @typedef {{ name: string, number: string }} Who hands it in */
/** @type {(who: Who, lessons: Begun[]) => object} */
export const asFile = (who, lessons) => ({
  samplescope: "work",
  schema: 1,
  ...who,
  answers: lessons.flatMap(({ lesson, answered }) =>
    answered.map(({ step, keys }) => ({
      lesson: lesson.id,
      step: step.id,
      answer: keys,
      version: step.version,
      ...triesOf(`${lesson.id}/${step.id}`),
    })),
  ),
  moments: moments().map(([, moment]) => moment),
});

/** @type {(text: string) => string} */
const escaped = (text) => element("i", "", text).innerHTML;
/** @type {(right: boolean, some: boolean) => string} */
export const mark = (right, some) => (right ? "✓" : some ? "◐" : "✗");

/** @type {(who: Who, lessons: Begun[], made: Date) => string} */
export function asPage({ name, number }, lessons, made) {
  // as the app writes it, see lesson/handed_in.py
  const verdicts = lessons.flatMap(({ answered }) => answered.map(({ verdict }) => verdict)),
    right = verdicts.filter((one) => one.right).length,
    day = made.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" }),
    sections = lessons.map(({ lesson, answered }) => {
      const articles = answered.map(({ step, verdict }) => {
        const { question } = step,
          reason = question ? `<details open><summary>It is</summary>${question.shown}</details>` : "";
        return `<article lang="${lesson.language}" dir="${lesson.dir}"><h3>${step.title}</h3>${step.html}<p class=answer>${mark(verdict.right, verdict.some)} ${verdict.words}</p>${reason}<p class=set lang=en dir=ltr>${escaped(step.set)}</p></article>`;
      });
      return `<section><h2>${lesson.title}</h2>${articles.join("")}</section>`;
    });
  const who = [name, number].map((said) => (said ? `${escaped(said)} · ` : "")).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>My work</title><meta name="viewport" content="width=device-width"><style>${CSS}</style></head><body><h1>My work</h1><p class=made>${who}${day} · ${right} of ${verdicts.length} answers right</p>${sections.join("")}</body></html>`;
}

/** @type {(text: string) => Promise<string>} */
export async function takeIn(text) {
  // a file's answers and moments; of two answers the right one stays, else the later one. Says what has come
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return NO_FILE;
  }
  if (text.length > LARGEST || found?.samplescope !== "work" || found.schema !== 1 || !Array.isArray(found.answers))
    return NO_FILE;
  let came = 0;
  for (const given of found.answers) came += Number(await takes(given));
  const there = moments().map(([, { topic, link }]) => `${topic} ${link}`);
  for (const [i, { topic, link, note }] of (found.moments ?? []).entries())
    if ([topic, link].every((one) => typeof one === "string") && !there.includes(`${topic} ${link}`))
      put(`.moment/brought-${Date.now()}-${i}`, [topic, link, String(note ?? "")]);
  return `${came} of ${found.answers.length} answers in the file are here now. The others are no better than those already here, or belong to other courses.`;
}

/** @type {(given: Given) => Promise<boolean>} */
async function takes(given) {
  const { lesson, step, answer } = given,
    entry = COURSE.sections.flatMap(({ lessons }) => lessons).find(({ id }) => id === lesson);
  if (!entry?.questions.includes(step) || !Array.isArray(answer)) return false;
  if (!answer.length || !answer.every((key) => typeof key === "string")) return false;
  const name = `${lesson}/${step}`,
    here = kept(name),
    /** @type {Published} */
    { steps } = await json(entry.file),
    asked = /** @type {Told} */ (steps.find(({ id }) => id === step));
  if (here) {
    const [mine, theirs] = [here, answer].map((keys) => judged(asked, keys).right),
      later = String(given.at ?? "") > String(triesOf(name).at ?? "");
    if (mine !== theirs ? mine : !later) return false;
  }
  put(name, answer);
  putTries(name, given);
  return true;
}
