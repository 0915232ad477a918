// The learner's answers in a published course: under the names and in the form of the app, see lesson/answers.py. A learning
// platform keeps its learners' answers itself; then the browser has them for as long as the page is open.

import { read, readOne, write } from "../lesson/store.js";

const LEFT = ".left/",
  TRIES = ".tries/",
  MOST = 40; // choices of an answer
let shelf = ""; // of lesson/store.js: "" is the browser's own memory

/** @type {(found: Record<string, string[]>) => void} */
export function keptByPlatform(found) {
  shelf = "scorm";
  for (const name of Object.keys(read(shelf))) write(name, null, shelf); // of a learner before
  for (const [name, keys] of Object.entries(found)) write(name, keys, shelf);
}

/** @type {(keys: unknown) => string[] | null} */
const checked = (keys) =>
  Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === "string") ? keys : null;

/** @type {(name: string) => string[] | null} */
export const kept = (name) => checked(readOne(name, shelf));

/** @type {() => Record<string, string[]>} all that is kept, with places in lessons and tries */
export function all() {
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const [name, value] of Object.entries(read(shelf))) {
    const keys = checked(value);
    if (keys) found[name] = keys;
  }
  return found;
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** @type {(name: string, keys: string[] | null) => void} */
export const put = (name, keys) => write(name, keys, shelf);

/** @type {(name: string, keys: string[]) => void} */
export function give(name, keys) {
  const [many, began, , ...first] = kept(TRIES + name) ?? ["0", now(), "", ...keys.slice(0, MOST)];
  put(TRIES + name, [String(+many + 1), began, now(), ...first]);
  put(name, keys);
}

/** @type {(name: string) => void} */
export const takeBack = (name) => put(name, null);
/** @type {(lesson: string, step: string) => void} */
export const leaveAt = (lesson, step) => put(LEFT + lesson, [step]);
/** @type {(lesson: string) => string | undefined} */
export const leftAt = (lesson) => kept(LEFT + lesson)?.[0];
/** @type {(lesson: string, steps: string[]) => void} */
export function askAgain(lesson, steps) {
  for (const step of steps) takeBack(`${lesson}/${step}`);
  put(LEFT + lesson, null);
}

/** @typedef {{ tries?: number, began?: string, at?: string, first?: string[] }} Tries */
/** @type {(name: string) => Tries} */
export function triesOf(name) {
  const [many, began, at, ...first] = kept(TRIES + name) ?? [];
  return first.length ? { tries: +many, began, at, first } : {};
}

/** @type {(name: string, tries: Tries) => void} */
export function putTries(name, { tries, began, at, first }) {
  if (tries && began && at && first?.length) put(TRIES + name, [String(tries), began, at, ...first.slice(0, MOST)]);
}
