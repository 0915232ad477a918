// Tells a learning record store of the visit, of each answer and of each lesson that is done, if the link that opened the
// course names one: ?endpoint=…&auth=…&actor=…, as learning platforms write it. Otherwise nothing is sent to anyone.

import { element } from "../player/canvas.js";
import { judged } from "./judged.js";
import { COURSE } from "./packs.js";
import { scoreOf } from "./score.js";

/** @import { Published, Told } from "../messages.js" */
/** @typedef {"initialized" | "answered" | "completed" | "terminated"} Verb */
/** @typedef {{ kind: "course" | "lesson" | "question", place: string, language: string, name: string }} Activity with its place below the page, and its name as HTML */

const ADL = "http://adlnet.gov/expapi";
const MOST = 200; // statements that wait

/** @type {object[]} that were not taken yet */
let waiting = [];
/** @type {Set<string>} lessons that were told as done */
const done = new Set();
const began = Date.now();

/** @type {(html: string) => string} */
const plain = (html) => Object.assign(element("i", ""), { innerHTML: html }).textContent ?? "";

/** @type {(asked: URLSearchParams, page: string, verb: Verb, activity: Activity, result: object | null, now: Date) => object} */
export function statement(asked, page, verb, { kind, place, language, name }, result, now) {
  const registration = asked.get("registration"),
    course = asked.get("activity_id") ?? page;
  return {
    id: crypto.randomUUID(),
    actor: JSON.parse(asked.get("actor") ?? "{}"),
    verb: { id: `${ADL}/verbs/${verb}`, display: { en: verb } },
    object: {
      id: kind === "course" ? course : `${page}${place}`,
      definition: { name: { [language]: plain(name) }, type: `${ADL}/activities/${kind}` },
    },
    ...(result ? { result } : {}),
    context: {
      ...(registration ? { registration } : {}),
      ...(kind === "course" ? {} : { contextActivities: { grouping: [{ id: course }] } }),
    },
    timestamp: now.toISOString(),
  };
}

/** @type {(step: Told, keys: string[]) => object} */
export function resultOf(step, keys) {
  const { right, words } = judged(step, keys);
  return { success: right, completion: true, response: plain(words), score: { scaled: Number(right) } };
}

/** @type {(lesson: Published) => object} */
function resultOfLesson(lesson) {
  const { right, many } = scoreOf(lesson);
  return { completion: true, score: { scaled: right / many, raw: right, min: 0, max: many } };
}

/** @type {() => Activity} */
const course = () => ({ kind: "course", place: "", language: COURSE.language, name: COURSE.title });

/** @type {() => void} */
export function beginTelling() {
  send("initialized", course(), () => null);
  addEventListener("pagehide", () => {
    const duration = `PT${Math.round((Date.now() - began) / 1000)}S`;
    send("terminated", course(), () => ({ duration }));
  });
}

/** @type {(lesson: Published, step: Told, keys: string[]) => void} */
export function tell(lesson, step, keys) {
  const { id, language, title } = lesson,
    place = `#lesson=${id}`;
  const question = { place: `${place}&step=${step.id}`, language, name: `${title}: ${step.title}` };
  send("answered", { kind: "question", ...question }, () => resultOf(step, keys));
  if (done.has(id) || !scoreOf(lesson).done) return;
  done.add(id);
  send("completed", { kind: "lesson", place, language, name: title }, () => resultOfLesson(lesson));
}

/** @type {(verb: Verb, activity: Activity, result: () => object | null) => Promise<void>} */
async function send(verb, activity, result) {
  // what could not be sent goes with the next statement
  const asked = new URLSearchParams(location.search),
    endpoint = asked.get("endpoint");
  if (!endpoint) return;
  const page = location.href.split(/[?#]/)[0];
  try {
    waiting = [...waiting, statement(asked, page, verb, activity, result(), new Date())].slice(-MOST);
    const sent = waiting,
      answer = await fetch(`${endpoint.replace(/\/$/, "")}/statements`, {
        method: "POST",
        keepalive: true,
        headers: {
          "Content-Type": "application/json",
          "X-Experience-API-Version": "1.0.3",
          Authorization: asked.get("auth") ?? "",
        },
        body: JSON.stringify(sent),
      });
    if (answer.ok) waiting = waiting.filter((one) => !sent.includes(one));
  } catch {
    /* the store is not there, or the link is not as it should be: the lesson goes on */
  }
}
