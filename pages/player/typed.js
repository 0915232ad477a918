// A number that somebody types, read as lessons/data/numbers.py reads it: one table of examples holds both to it.

/** @typedef {{ value: number, said?: undefined } | { value?: undefined, said: string }} Typed a number, or why it is none */

const WHOLE = /^[+-]?\d+(e[+-]?\d+)?$/i,
  POINT = /^([+-]?\d*)\.(\d*)(e[+-]?\d+)?$/i,
  COMMA = /^([+-]?\d*),(\d+)(e[+-]?\d+)?$/i,
  THOUSANDS = /^([+-]?\d{1,3}([.,' ])\d{3}(?:\2\d{3})*)(?:(?!\2)([.,])(\d+))?$/,
  FRACTION = /^([+-]?\d+(?:[.,]\d+)?) ?[/⁄] ?(\d+(?:[.,]\d+)?)$/;
/** @type {Record<string, string>} */
const HALVES = { "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3" };

/** @type {(text: string) => string} */
const plain = (text) =>
  text
    .replace(/[−–‐‑﹣－]/g, "-")
    .replace(/[\u00a0\u202f\u2009\u2007\u2002\u2003\u200a]/g, " ")
    .replace(/’/g, "'")
    .replace(/＋/g, "+")
    .trim();

/** @type {(found: RegExpExecArray) => number | null} */
const decimal = ([, whole, rest, power]) =>
  rest || /\d/.test(whole) ? Number(`${/\d/.test(whole) ? whole : `${whole}0`}.${rest || 0}${power ?? ""}`) : null;

/** @type {(text: string) => { point: number | null, comma: number | null }} */
function readings(text) {
  // by what the sign before decimals is
  if (WHOLE.test(text)) return { point: Number(text), comma: Number(text) };
  /** @type {number | null} */ let point = null;
  /** @type {number | null} */ let comma = null;
  const groups = THOUSANDS.exec(text);
  if (groups) {
    const [, whole, mark, sign, rest] = groups,
      value = Number(`${whole.replaceAll(mark, "")}.${rest ?? 0}`);
    if (!/^[+-]?0/.test(whole) || mark === " " || mark === "'") {
      if (mark !== "." && sign !== ",") point = value;
      if (mark !== "," && sign !== ".") comma = value;
    }
  }
  const pointed = POINT.exec(text),
    commaed = COMMA.exec(text);
  if (point === null && pointed) point = decimal(pointed);
  if (comma === null && commaed) comma = decimal(commaed);
  return { point, comma };
}

/** @type {(value: number) => string} */
const shown = (value) => String(+value.toPrecision(10)).replace("-", "−");

/** @type {(low: number, high: number) => string} */
const range = (low, high) =>
  high === Infinity
    ? `at least ${shown(low)}`
    : low === -Infinity
      ? `at most ${shown(high)}`
      : `${shown(low)} to ${shown(high)}`;

/** @type {(given: string, whole: boolean) => Typed} */
function read(given, whole) {
  // a number that has one reading only
  const number = given.replace(/%$/, "").trimEnd(),
    quoted = `“${given.slice(0, 30)}”`,
    { point, comma } = readings(number),
    shares = number === given ? 1 : 100;
  if (point === null && comma === null)
    return { said: `${quoted} is not a number. Write it as ${whole ? "12 or 1200" : "1.5, 1,5, 3/2 or 150 %"}.` };
  if (point !== null && comma !== null && point !== comma) {
    const able = whole ? [point, comma].filter(Number.isInteger) : [];
    if (able.length === 1) return { value: able[0] / shares };
    if (whole || given.includes(",")) {
      const decimals = whole ? "" : shown(comma).includes(".") ? "0" : ".0",
        [first, second] = [shown(point), shown(comma)];
      return { said: `${quoted} could be ${first} or ${second}. Write ${first} or ${second}${decimals}.` };
    }
  }
  return { value: /** @type {number} */ (point ?? comma) / shares };
}

/** @type {(text: string, low?: number, high?: number, whole?: boolean) => Typed} */
export function typed(text, low = -Infinity, high = Infinity, whole = false) {
  const given = plain(text),
    quoted = `“${given.slice(0, 30)}”`,
    parts = FRACTION.exec(HALVES[given] ?? given);
  let value = NaN;
  if (parts) {
    const [above, below] = parts.slice(1).map((part) => Number(part.replace(",", ".")));
    if (!below) return { said: `${quoted} divides by nothing.` };
    value = above / below;
  } else {
    const found = read(given, whole);
    if (found.value === undefined) return found;
    value = found.value;
  }
  if (!Number.isFinite(value)) return { said: `${quoted} is too large.` };
  if (whole && !Number.isInteger(value)) {
    const near = [Math.floor(value), Math.ceil(value)].filter((one) => low <= one && one <= high).map(shown);
    return { said: `${shown(value)} is not a whole number. Write ${near.join(" or ") || range(low, high)}.` };
  }
  if (value < low || value > high) return { said: `${shown(value)} is outside the range: ${range(low, high)}.` };
  return { value };
}
