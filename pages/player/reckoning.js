// What the player computes from numbers and words alone: which frames it asks for, where Step rests, how far a walk has
// come, what stands in the address.

export const SMOOTH = 5; // iterations a second; up to this speed, what moves is drawn between iterations too
export const CHUNK = 20,
  LONG_CHUNK = 120; // frames of one answer: all who play the same ask for the same ones
const FEW = 10; // of the first answer, and to hold ahead while nothing plays: who reads a page needs no more
const MOST = 600; // of any answer
const AHEAD = 3; // seconds of frames to hold beyond the one that plays
const BRISK = 60; // iterations a second that a walk makes at most, unless it would take longer than the next line allows
export const LONGEST = 3; // seconds of a walk, or of a run to a goal

/** @typedef {{ t: number, goal: number | null, wanted: number | null }} Place where it is, where a walk ends, what it waits for */

/** @type {(number: number, chunk: number) => number} */
export const aligned = (number, chunk) => chunk * Math.ceil(number / chunk);

/** @type {(head: { at: number, total: number }) => number} */
export function firstStop({ at, total }) {
  // before which frame the first answer ends
  return Math.min(total + 1, MOST, aligned(at + 2, FEW));
}

/** @type {(start: number, now: { playing: boolean, rate: number, total: number, needed: number }) => number} */
export function nextStop(start, { playing, rate, total, needed }) {
  // and each later one, which begins at `start`
  const chunk = playing && rate > SMOOTH ? LONG_CHUNK : CHUNK;
  return Math.min(total + 1, start + MOST, Math.max(aligned(start + 1, chunk), aligned(needed, CHUNK)));
}

/** @type {(now: { playing: boolean, rate: number, stride: number, total: number } & Place) => number} */
export function framesNeeded({ playing, rate, stride, total, t, goal, wanted }) {
  // how many frames to hold
  const ahead = playing ? Math.max(CHUNK, AHEAD * rate) : Math.max(FEW, 2 * stride);
  return Math.min(total + 1, Math.max(Math.ceil(t), goal ?? 0, wanted ?? 0) + ahead);
}

/** @type {(t: number, by: number, stride: number) => number} */
export function nextRest(t, by, stride) {
  // the next iteration, or the last one, at which Step rests
  return stride * (by > 0 ? Math.floor(t / stride) + 1 : Math.ceil(t / stride) - 1);
}

/**
 * @type {(now: { t: number, goal: number | null, rate: number, least: number, lasts: number, last: number },
 *   end: number, seconds: number) => number}
 */
export function walked({ t, goal, rate, least, lasts, last }, end, seconds) {
  // where it is so much later; it waits for frames still on their way
  const pace = goal === null ? rate : Math.max(least, Math.min(BRISK, Math.max(1, end - Math.floor(t)) / lasts));
  return Math.min(t + pace * seconds, end, Math.max(t, last));
}

/** @type {(past: ArrayLike<number>[], many: number, empty: number) => Uint8Array} */
export function trailOf(past, many, empty) {
  // the last values of each row, the latest at the end; `past` has the latest first
  const found = new Uint8Array(many * past[0].length).fill(empty);
  past.slice(0, many).forEach((values, ago) =>
    Array.from(values).forEach((value, row) => {
      found[(row + 1) * many - 1 - ago] = value;
    }),
  );
  return found;
}

/** @template {{ kind: string }} Report @param {Report[]} unheard @param {Report} report @returns {Report[]} */
export function untold(unheard, report) {
  // reports that no message has answered yet, with one more; of those of rest the last one counts
  return [...unheard.filter(({ kind }) => kind !== report.kind || kind !== "rest"), report];
}

/** @type {(link: string) => string} */
export function placeOf(link) {
  // the lesson and the step that a link leads to
  const names = new URLSearchParams(link);
  return `${names.get("lesson")} ${names.get("step")}`;
}

/** @type {(source: string | undefined, pathname: string) => boolean} */
export const isAt = (source, pathname) => pathname.split("/").at(-1) === source?.split("?")[0]; // a topic's page has its name

/** @type {(address: string, t: number, before?: string, source?: string) => string} */
export function searchOf(address, t, before = "", source = "") {
  // the address that has the iteration in it, and what others put there: embed, utm_source …
  const ours = new URLSearchParams(source.split("?")[1]); // what the address leaves out is ours as well
  const own = new Set(["lesson", "step", "view", "t", ...ours.keys()]);
  const others = [...new URLSearchParams(before)].filter(([name]) => !own.has(name));
  return `?${[new URLSearchParams(others), address, `t=${Math.floor(t)}`].map(String).filter(Boolean).join("&")}`;
}
