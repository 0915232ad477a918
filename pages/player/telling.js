// What is seen on a chart as sentences, and as tables: for a screen reader, and for whoever wants to read the numbers.

import { element } from "./canvas.js";
import { said } from "./seen.js";

/** @import { Point, Seen, Series, Thing } from "./seen.js" */

const FEW = 12; // things that a sentence names one by one
const KINDS = 8; // different values of a name that a sentence counts
const ROWS = 40; // of a table of a line
export const VEILED = "Only its axes are shown until you have answered.";

/** @type {(noun: string, many: number) => string} */
const counted = (noun, many) => `${many} ${many === 1 || noun.endsWith("s") ? noun : `${noun}s`}`;

/** @type {(seen: Seen) => string} */
export function sentenceOf({ things, lines, bars, dots, rules, along, unit, texts, any }) {
  const axes = { along, unit };
  const parts = [
    ...things.map(ofThings),
    ...bars.map(
      ({ name, points }) =>
        `${name}: ${listed(points.filter(([, value]) => value).map((point) => having(point, unit)))}`,
    ),
    ...lines.map((line) => ofLine(line, axes)),
    ...dots.map((some) => ofDots(some, axes)),
    ...rules.map(
      ({ name, points: [[at, value]] }) => `${name}: ${value === null ? placed(at, along) : worth(value, unit)}`,
    ),
    ...(texts.length ? [`written: ${listed(texts)}`] : []),
  ];
  return parts.map((part) => `${part}.`).join(" ") || (any ? "" : "Nothing is drawn yet.");
}

/** @typedef {{ along: string, unit: string }} Axes their title and unit */

/** @type {(value: number | null, unit: string) => string} */
const worth = (value, unit) => (value === null ? "" : `${said(value)}${unit && ` ${unit}`}`);

/** @type {(point: Point, unit: string) => string} */
const having = ([at, value], unit) => `${said(at)} has ${worth(value, unit)}`;

/** @type {(at: string, along: string) => string} */
const placed = (at, along) => `${along ? `${along} ` : ""}${said(at)}`;

/** @type {(words: string[]) => string} */
const listed = (words) =>
  words.length
    ? `${words.slice(0, FEW).join(", ")}${words.length > FEW ? `, and ${words.length - FEW} more` : ""}`
    : "none";

/** @type {(things: Thing[]) => string} */
function ofThings(things) {
  const [noun, ...others] = Object.keys(things[0]);
  /** @type {(thing: Thing) => string} */
  const named = (thing) => {
    const rest = others.map((name) => `${name} ${said(thing[name])}`);
    return `${said(thing[noun])}${rest.length ? ` (${rest.join(", ")})` : ""}`;
  };
  if (things.length <= FEW) return `${counted(noun, things.length)}: ${things.map(named).join(", ")}`;
  const rest = others.map((name) =>
    summed(
      name,
      things.map((thing) => thing[name]),
    ),
  );
  return [counted(noun, things.length), ...rest].join("; ");
}

/** @type {(name: string, values: string[]) => string} */
function summed(name, values) {
  // how often each value, or from where to where
  const many = new Map();
  for (const value of values) many.set(value, (many.get(value) ?? 0) + 1);
  const numbers = values.map((value) => Number(value.replace("−", "-").replace("%", "")));
  if (many.size <= KINDS)
    return [...many]
      .sort()
      .map(([value, times]) => `${name} ${said(value)}: ${times}`)
      .join(", ");
  if (numbers.some(Number.isNaN)) return `${name}: ${many.size} different`;
  return `${name} ${said(Math.min(...numbers))} to ${said(Math.max(...numbers))}`;
}

/** @type {(dots: Series, axes: Axes) => string} */
function ofDots({ name, points }, axes) {
  const { along, unit } = axes;
  if (points.length === 1) return `${name}: ${there(points[0], axes)}`;
  if (points.length <= FEW)
    return `${name}, ${points.length} marks: ${along ? `${along} ` : ""}${points.map(([at, value]) => (value === null ? said(at) : having([at, value], unit))).join(", ")}`;
  if (points.every(([at, value], i) => value !== null && (!i || +at > +points[i - 1][0])))
    return ofLine({ name, points }, axes);
  const places = points.map(([at]) => +at);
  return `${name}, ${points.length} marks: ${placed(`${Math.min(...places)}`, along)} to ${said(Math.max(...places))}`;
}

/** @type {(point: Point, axes: Axes) => string} */
const there = ([at, value], { along, unit }) =>
  value === null ? placed(at, along) : `${worth(value, unit)} at ${placed(at, along)}`;

/** @type {(line: Series, axes: Axes) => string} */
function ofLine({ name, points }, axes) {
  const { along, unit } = axes,
    first = points[0],
    last = points[points.length - 1],
    values = points.map(([, value]) => value ?? 0);
  if (points.length === 1) return `${name}: highest at ${placed(first[0], along)}`;
  const most = points[values.indexOf(Math.max(...values))],
    least = points[values.indexOf(Math.min(...values))];
  if (most[1] === least[1])
    return `${name}: ${worth(most[1], unit)} from ${placed(first[0], along)} to ${said(last[0])}`;
  const ends = [first[1], last[1]];
  const between = [
    ...(ends.includes(most[1]) ? [] : [`highest ${there(most, axes)}`]),
    ...(ends.includes(least[1]) ? [] : [`lowest ${there(least, axes)}`]),
  ];
  return `${name}: ${[`from ${there(first, axes)} to ${there(last, axes)}`, ...between].join(", ")}`;
}

// ---- tables -------------------------------------------------------------------------------------------------------------

/** @typedef {{ heads: string[], rows: string[][] }} Table */

/** @type {(seen: Seen) => Table[]} */
export function tablesOf({ things, lines, bars, dots, rules, along, unit, texts }) {
  return [
    ...things.map((some) => ({
      heads: Object.keys(some[0]),
      rows: some.map((thing) => Object.values(thing).map(said)),
    })),
    ...together(bars, along || "at", unit),
    ...together(lines, along || "at", unit),
    ...[...dots, ...rules].map(({ name, points }) => ({
      heads: [along || "at", name],
      rows: points.map(([at, value]) => [said(at), value === null ? "drawn" : worth(value, unit)]),
    })),
    ...(texts.length ? [{ heads: ["written"], rows: texts.map((text) => [text]) }] : []),
  ];
}

/** @type {(series: Series[], at: string, unit: string) => Table[]} */
function together(series, at, unit) {
  if (!series.length) return [];
  const columns = series.map(({ points }) => new Map(points)),
    places = [...new Set(series.flatMap(({ points }) => points.map(([place]) => place)))],
    every = Math.ceil(places.length / ROWS);
  const kept = places.filter((_, i) => i % every === 0 || i === places.length - 1);
  if (kept.every((place) => Number.isFinite(+place))) kept.sort((a, b) => +a - +b);
  const rows = kept.map((place) => [said(place), ...columns.map((column) => worth(column.get(place) ?? null, unit))]);
  return [{ heads: [at, ...series.map(({ name }) => name)], rows }];
}

/** @type {(title: string, table: Table) => HTMLTableElement} */
export function tabled(title, { heads, rows }) {
  const table = element("table", ""),
    head = table.createTHead().insertRow();
  table.createCaption().textContent = title;
  head.append(...heads.map((words) => Object.assign(element("th", "", words), { scope: "col" })));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.append(
      Object.assign(element("th", "", row[0]), { scope: "row" }),
      ...row.slice(1).map((words) => element("td", "", words)),
    );
  }
  return table;
}
