// Which questions come back, and when: Leitner's boxes, the same functions as in lessons/review.py.

/** @typedef {{ idea: string, lesson: string, step: string }} Returning */
/** @typedef {{ ask: Returning, due: number, missed: boolean }} Card with when it is due, in seconds */
/** @typedef {Record<string, string[]>} Kept all that the browser keeps, by name */

export const DAYS = [1, 3, 7, 16, 35],
  DAY = 86400,
  DEAL = 5,
  AGO = 3;
export const TRIES = ".tries/",
  SURE = ".sure/",
  IDEA = ".idea/",
  BEFORE = ".before/",
  OFF = ".review/off";
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** @type {(one: Returning) => string} */
export const nameOf = ({ lesson, step }) => `${lesson}/${step}`;

/** @type {(text: string | undefined) => number} 0, long ago, for an answer of a time before moments were kept */
export const seconds = (text) => (text && MOMENT.test(text) ? Date.parse(text) / 1000 || 0 : 0);

/** @type {(asked: Returning[], kept: Kept) => Card[]} the ideas that a learner has met, each with its next question */
export function cards(asked, kept) {
  /** @type {Map<string, Returning[]>} */
  const ideas = new Map();
  for (const one of asked) if (kept[nameOf(one)]) ideas.set(one.idea, [...(ideas.get(one.idea) ?? []), one]);
  return [...ideas].map(([idea, met]) => cardOf(idea, met, kept));
}

/** @type {(idea: string, met: Returning[], kept: Kept) => Card} */
function cardOf(idea, met, kept) {
  const names = met.map(nameOf),
    { box, at, last } = recordOf(idea, kept),
    since = box === null ? Math.max(...names.map((name) => answeredAt(name, kept))) : at,
    turn = names.includes(last) ? (names.indexOf(last) + 1) % met.length : 0,
    miss = names.findIndex((name) => kept[SURE + name]?.join() === "know,wrong"),
    missed = !box && miss >= 0;
  return { ask: missed && box === null ? met[miss] : met[turn], due: since + DAYS[box ?? 0] * DAY, missed };
}

/** @type {(idea: string, kept: Kept) => { box: number | null, at: number, last: string }} */
function recordOf(idea, kept) {
  const [box = "", at = "", last = ""] = kept[IDEA + idea] ?? [];
  if (!/^\d+$/.test(box)) return { box: null, at: 0, last: "" };
  return { box: Math.min(+box, DAYS.length - 1), at: seconds(at), last };
}

/** @type {(name: string, kept: Kept) => number} */
const answeredAt = (name, kept) => seconds(kept[TRIES + name]?.[2]);

/** @type {(one: Card, other: Card) => number} */
const byUrgency = (one, other) => Number(other.missed) - Number(one.missed) || one.due - other.due;

/** @type {(asked: Returning[], kept: Kept, now: number) => Card[]} */
export const deal = (asked, kept, now) =>
  cards(asked, kept)
    .filter(({ due }) => due <= now)
    .sort(byUrgency)
    .slice(0, DEAL);

/** @type {(asked: Returning[], kept: Kept) => number | null} */
export function nextDue(asked, kept) {
  const met = cards(asked, kept);
  return met.length ? Math.min(...met.map(({ due }) => due)) : null;
}

/** @type {(asked: Returning[], lessons: [string, string[]][], kept: Kept, lesson: string, now: number) => Returning | null} */
export function before(asked, lessons, kept, lesson, now) {
  const place = lessons.findIndex(([id]) => id === lesson);
  if (place < 1 || kept[BEFORE + lesson] || lessons[place][1].some((name) => kept[name])) return null;
  const done = finished(lessons, kept),
    times = Object.values(done),
    isOld = (/** @type {string} */ id) =>
      id in done && id !== lesson && (done[id] <= now - DAY || times.filter((later) => later > done[id]).length >= AGO);
  const rested = cards(
    asked.filter((one) => isOld(one.lesson)),
    kept,
  ).filter(({ ask }) => recordOf(ask.idea, kept).at <= now - DAY);
  return rested.sort(byUrgency)[0]?.ask ?? null;
}

/** @type {(lessons: [string, string[]][], kept: Kept) => Record<string, number>} when each lesson was finished */
export function finished(lessons, kept) {
  const whole = lessons.filter(([, names]) => names.length && names.every((name) => kept[name]));
  return Object.fromEntries(whole.map(([id, names]) => [id, Math.max(...names.map((name) => answeredAt(name, kept)))]));
}

/** @type {(one: Returning, kept: Kept, now: number, right: boolean) => string[]} the record of an idea that came back */
export function reviewed(one, kept, now, right) {
  const { box, at } = recordOf(one.idea, kept),
    on = box === null || now >= at + DAYS[box] * DAY,
    moved = right ? Math.min((box ?? 0) + Number(on), DAYS.length - 1) : 0;
  return [String(moved), `${new Date(now * 1000).toISOString().slice(0, 19)}Z`, nameOf(one)];
}
