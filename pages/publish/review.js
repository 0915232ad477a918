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

// ---- how sure, and how often right ---------------------------------------------------------------------------------

export const ASKED = "How sure are you of your answer?";
/** @type {Record<string, string>} */
export const LEVELS = { guess: "A guess", think: "I think so", know: "I know" };
const Z = 1.96;
/** @typedef {{ level: string, right: number, many: number, low: number, high: number }} Calibration */

/** @type {(kept: Kept) => Calibration[]} */
export function calibration(kept) {
  const said = Object.entries(kept)
    .filter(([name, keys]) => name.startsWith(SURE) && keys.length === 2)
    .map(([, keys]) => keys.join());
  const count = (/** @type {string} */ one) => said.filter((other) => other === one).length;
  return Object.keys(LEVELS).flatMap((level) => {
    const right = count(`${level},right`),
      many = right + count(`${level},wrong`);
    return many ? [{ level, right, many, ...wilson(right, many) }] : [];
  });
}

/** @type {(right: number, many: number) => { low: number, high: number }} Wilson's 95 % interval of a share */
function wilson(right, many) {
  const share = right / many,
    z2 = Z * Z,
    middle = (share + z2 / (2 * many)) / (1 + z2 / many),
    half = (Z * Math.sqrt((share * (1 - share)) / many + z2 / (4 * many * many))) / (1 + z2 / many);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
