// Tells a learning record store of each answer, if the link that opened the course names one: ?endpoint=…&auth=…&actor=…,
// as learning platforms write it. Otherwise nothing is sent to anyone.

import { element } from "../player/canvas.js";
import { judged } from "./judged.js";

/** @import { Published, Told } from "../messages.js" */

const VERB = { id: "http://adlnet.gov/expapi/verbs/answered", display: { en: "answered" } };
const MOST = 200; // statements that wait

/** @type {object[]} that were not taken yet */
let waiting = [];

/** @type {(html: string) => string} */
const plain = (html) => Object.assign(element("i", ""), { innerHTML: html }).textContent ?? "";

/** @type {(asked: URLSearchParams, page: string, lesson: Published, step: Told, keys: string[], now: Date) => object} */
export function statement(asked, page, lesson, step, keys, now) {
  const { right, words } = judged(step, keys),
    name = { [lesson.language]: plain(`${lesson.title}: ${step.title}`) },
    registration = asked.get("registration");
  return {
    id: crypto.randomUUID(),
    actor: JSON.parse(asked.get("actor") ?? "{}"),
    verb: VERB,
    object: {
      id: `${page}#lesson=${lesson.id}&step=${step.id}`,
      definition: { name, type: "http://adlnet.gov/expapi/activities/question" },
    },
    result: { success: right, completion: true, response: plain(words) },
    ...(registration ? { context: { registration } } : {}),
    timestamp: now.toISOString(),
  };
}

/** @type {(lesson: Published, step: Told, keys: string[]) => Promise<void>} */
export async function tell(lesson, step, keys) {
  // what could not be sent goes with the next answer
  const asked = new URLSearchParams(location.search),
    endpoint = asked.get("endpoint");
  if (!endpoint) return;
  const page = location.href.split(/[?#]/)[0];
  try {
    waiting = [...waiting, statement(asked, page, lesson, step, keys, new Date())].slice(-MOST);
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
