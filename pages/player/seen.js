// What is drawn on a chart, in words and numbers: read from Vega's scene, so that it holds for every chart, and nothing is
// told that is not there to be seen. It knows no topic.

/** @import { Key } from "../messages.js" */
/** @import { Colors } from "./canvas.js" */

/** @typedef {Record<string, string>} Thing what the pointer is told over a mark: a word or a number by its name */
/** @typedef {[at: string, value: number | null]} Point where on its axis, and how high, if that is read off */
/** @typedef {{ name: string, points: Point[] }} Series a line, bars, or marks, by what the legend says of them */
/**
 * @typedef {{ things: Thing[][], lines: Series[], bars: Series[], dots: Series[], rules: Series[], along: string, unit: string,
 *   texts: string[], any: boolean }} Seen
 *   marks of a kind that the pointer tells about; series, and lines across; the title of the axis along which they are, and
 *   the unit of their values;
 *   what is written, row by row; whether anything is drawn
 */
/** @typedef {{ mark: SceneMark, item: SceneItem, x: number, y: number }} Placed an item, and where its group is */
/** @typedef {{ title: string, legend: Key[], colors: Colors, scale: (name: string) => Scale | null }} Chart */
/** @typedef {{ across: Scale, up: Scale | null, percent: boolean }} Axes from which numbers are read off; no `up` without labels */

/** @type {(words: number | string) => string} */
export const said = (words) => String(words).replace(/^-/, "−");

const ROW = 4; // pixels: texts whose heights differ by less are in one row
const THIN = 4; // pixels: a bar that is never thicker is a tick, and stands for the place where it is
const FEW = 12; // names of parts that are series, each with its own line
const FINE = 200; // parts of an axis: a number is told as finely as it is read off, and no finer

/** @type {(mark: SceneMark, x?: number, y?: number) => Generator<Placed>} */
export function* itemsIn(mark, x = 0, y = 0) {
  for (const item of mark.items ?? [])
    if (mark.marktype === "group") {
      if (mark.role === "axis") yield { mark, item, x, y };
      for (const inner of item.items ?? []) yield* itemsIn(inner, x + (item.x ?? 0), y + (item.y ?? 0));
    } else yield { mark, item, x, y };
}

/** @type {(item: SceneItem) => boolean} */
export const shows = ({ opacity, fill, fillOpacity, stroke, strokeOpacity }) =>
  opacity !== 0 && ((fill && fill !== "transparent" && fillOpacity !== 0) || Boolean(stroke && strokeOpacity !== 0));

/** @type {(root: SceneMark, chart: Chart) => Seen} */
export function seenIn(root, chart) {
  const all = [...itemsIn(root)],
    drawn = all.filter(({ mark, item }) => mark.role === "mark" && shows(item)),
    plain = drawn.filter(({ mark, item }) => !isThing(item) || mark.marktype === "line");
  const { titles, labels, axes, up, placeAt } = axesOf(all, chart);
  const kinds = thingsOf(drawn, placeAt),
    things = kinds.filter((of) => !isStack(of)),
    known = new Set(kinds.flat().flatMap((thing) => Object.values(thing))),
    told = new Set(drawn.flatMap(({ item }) => (isThing(item) ? [item.datum?.mark] : [])));
  /** @type {(placed: Placed) => boolean} */
  const news = ({ item }) =>
    !(item.datum?.mark !== undefined && told.has(item.datum.mark)) && !known.has(`${item.text}`);
  /** @type {(kinds: string[]) => Placed[]} */
  const of = (kinds) => plain.filter(({ mark }) => kinds.includes(mark.marktype ?? ""));
  const rects = of(["rect"]),
    ticks = new Set(rects.map(({ mark }) => mark).filter((mark) => (mark.items ?? []).every(isThin)));
  /** @type {(drawn: Placed[], reading: (placed: Placed[], axes: Axes) => Point[], single?: boolean) => Series[]} */
  const along = (drawn, reading, single) =>
    axes ? named(drawn, chart, (placed) => reading(placed, axes), single) : [];
  const lines = [
    ...kinds.filter(isStack).flatMap(stacked),
    ...along(of(["line", "trail"]), lineOf),
    ...along(
      of(["area"]).filter(({ item, y }) => up && Math.abs(y + (item.y ?? 0) + (item.height ?? 0) - up(0)) < 1),
      lineOf,
    ),
  ].filter(once);
  const dots = [
    ...along(of(["symbol"]), (placed, read) => placed.flatMap((one) => pointOf(one, read) ?? []), true),
    ...along(
      rects.filter(({ mark }) => ticks.has(mark)),
      (placed, read) => placed.flatMap((one) => tickOf(one, read) ?? []),
    ),
  ];
  const ends = new Set(lines.map(({ name, points }) => `${name}: ${points[points.length - 1]}`)); // where a line is now
  return {
    things,
    lines,
    bars: barsOf(
      rects.filter(({ mark }) => !ticks.has(mark)),
      chart,
      labels,
    ),
    dots: dots
      .filter(({ name, points: [first, ...others] }) => others.length || !ends.has(`${name}: ${first}`))
      .filter(once),
    rules: chart.legend.length ? along(of(["rule"]), ruleOf, true) : [],
    along: titles.x ?? "",
    unit: [...labels.values()].includes(true) ? "%" : "",
    texts: rowsOf(drawn.filter((placed) => placed.mark.marktype === "text" && placed.item.text && news(placed))),
    any: drawn.length > 0,
  };
}

/**
 * @typedef {{ titles: Record<string, string>, labels: Map<string, boolean>, axes: Axes | null, up: Scale | null,
 *   placeAt: (placed: Placed) => Thing }} Read
 * @type {(all: Placed[], chart: Chart) => Read}
 */
function axesOf(all, chart) {
  // the axes' titles, and those that have labels: whether in percent
  /** @type {Record<string, string>} */
  const titles = {};
  /** @type {Map<string, boolean>} */
  const labels = new Map();
  for (const { mark, item } of all) {
    if (mark.role === "axis-title" && item.text) titles[item.datum?.scale] = `${item.text}`;
    if (mark.role !== "axis") continue;
    const words = (item.items ?? []).filter(({ role }) => role === "axis-label").flatMap(({ items = [] }) => items),
      seen = words.filter(({ text, opacity }) => text && opacity !== 0);
    if (seen.length)
      labels.set(
        item.datum?.scale,
        seen.some(({ text }) => `${text}`.endsWith("%")),
      );
  }
  const across = labels.has("x") ? chart.scale("x") : null,
    up = labels.has("y") ? chart.scale("y") : null,
    axes = across ? { across, up, percent: labels.get("y") ?? false } : null;
  /** @type {(placed: Placed) => Thing} */
  const placeAt = (placed) => {
    const point = axes && placed.mark.marktype === "symbol" ? pointOf(placed, axes) : null;
    return point ? { [titles.x ?? "x"]: point[0][0] } : {};
  };
  return { titles, labels, axes, up, placeAt };
}

/** @type {(placed: Placed, placeAt: (placed: Placed) => Thing) => Thing} */
function thingOf(placed, placeAt) {
  // what the pointer is told, and where it is along a labelled axis, if that is not told
  const told = Object.entries(placed.item.tooltip ?? {}).map(([name, value]) => [name, `${value}`]);
  const where = Object.entries(placeAt(placed)).filter(([name]) => !told.some(([known]) => known === name));
  return Object.fromEntries([...told, ...where]);
}

/** @type {(root: SceneMark, field: string, chart: Chart) => { value: string, mark: string, text: string }[]} */
export function picksIn(root, field, chart) {
  // the marks that a field tells apart, by what the pointer is told over them, or else by what is written on them
  /** @type {Map<string, Placed[]>} */
  const found = new Map(),
    all = [...itemsIn(root)],
    { placeAt } = axesOf(all, chart);
  for (const placed of all) {
    const value = placed.item.datum?.[field];
    if (placed.mark.role === "mark" && value !== undefined && shows(placed.item))
      found.set(`${value}`, [...(found.get(`${value}`) ?? []), placed]);
  }
  return inOrder(
    [...found].map(([value, placed]) => {
      const thing = placed.find(({ item }) => isThing(item)),
        told = thing ? Object.entries(thingOf(thing, placeAt)).map((words) => words.map(said).join(" ")) : [],
        written = rowsOf(placed.filter(({ mark }) => mark.marktype === "text"));
      const mark = `${placed.find(({ item }) => item.datum?.mark)?.item.datum?.mark ?? ""}`;
      return { value, mark, text: (told.length ? told : written).join(", ") || `${field} ${value}` };
    }),
    ({ value }) => value,
  );
}

/** @type {<One>(all: One[], by: (one: One) => string) => One[]} */
function inOrder(all, by) {
  const order = new Intl.Collator("en", { numeric: true });
  return all.sort((a, b) => order.compare(by(a), by(b)));
}

/** @type {(item: SceneItem) => boolean} */
const isThing = ({ tooltip }) => typeof tooltip === "object" && tooltip !== null;

/** @type {(drawn: Placed[], placeAt: (placed: Placed) => Thing) => Thing[][]} */
function thingsOf(drawn, placeAt) {
  /** @type {Map<string, Map<string, Thing>>} */
  const kinds = new Map();
  for (const placed of drawn) {
    const { mark, item } = placed;
    if (!isThing(item) || mark.marktype === "line") continue;
    const thing = thingOf(placed, placeAt),
      kind = Object.keys(thing).join();
    if (!kinds.has(kind)) kinds.set(kind, new Map());
    kinds.get(kind)?.set(Object.values(thing).join(), thing);
  }
  return [...kinds.values()].map((of) => together(inOrder([...of.values()], (thing) => Object.values(thing).join())));
}

/** @type {(things: Thing[]) => Thing[]} */
function together(things) {
  // of pairs, such as a row and a column that it has, those with one first name are one
  const [noun, other, ...more] = Object.keys(things[0]);
  if (!other || more.length) return things;
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const thing of things) found.set(thing[noun], [...(found.get(thing[noun]) ?? []), thing[other]]);
  return [...found].map(([one, others]) => ({ [noun]: one, [other]: others.join(", ") }));
}

/** @type {(things: Thing[]) => boolean} */
function isStack(things) {
  // parts of bars: a place, one of a few names, and a share
  const [at, name, share, ...more] = Object.keys(things[0]);
  if (!share || more.length || things.length <= FEW) return false;
  const names = new Set(things.map((thing) => thing[name]));
  return names.size <= FEW && things.every((thing) => isFinite(+thing[at]) && thing[share].endsWith("%"));
}

/** @type {(things: Thing[]) => Series[]} */
function stacked(things) {
  // a series for each name
  const [at, name, share] = Object.keys(things[0]);
  return [...new Set(things.map((thing) => thing[name]))].sort().map((one) => ({
    name: `${name} ${one}`,
    points: things
      .filter((thing) => thing[name] === one)
      .map((thing) => [`${at} ${thing[at]}`, parseFloat(thing[share])]),
  }));
}

/** @type {(drawn: Placed[]) => string[]} */
function rowsOf(drawn) {
  const texts = drawn
    .map(({ item, x, y }) => ({ x: x + (item.x ?? 0), y: y + (item.y ?? 0), text: `${item.text}`.trim() }))
    .filter(({ text }) => text);
  texts.sort((a, b) => (Math.abs(a.y - b.y) < ROW ? a.x - b.x : a.y - b.y));
  /** @type {{ y: number, words: string[] }[]} */
  const rows = [];
  for (const { y, text } of texts) {
    const last = rows.at(-1);
    if (!last || Math.abs(last.y - y) >= ROW) rows.push({ y, words: [text] });
    else if (last.words.at(-1) !== text) last.words.push(text); // a text may be drawn twice, with its halo
  }
  return rows.map(({ words }) => words.join(" "));
}

// ---- what is read off the axes ------------------------------------------------------------------------------------------

/** @type {(scale: Scale) => boolean} whether it is one of numbers, and not of categories */
const measures = (scale) => !("bandwidth" in scale);

/**
 * Series of marks, or of items, that the legend names; the only one of a chart without a legend has the chart's name.
 * @type {(drawn: Placed[], chart: Chart, reading: (placed: Placed[]) => Point[], single?: boolean) => Series[]}
 */
function named(drawn, chart, reading, single = false) {
  /** @type {Map<SceneMark | string, Placed[]>} */
  const parts = new Map();
  for (const placed of drawn) {
    const part = single ? nameOf(placed.item, chart) : placed.mark;
    parts.set(part, [...(parts.get(part) ?? []), placed]);
  }
  const alone = parts.size === 1 && !chart.legend.length;
  const found = [...parts.values()].map((placed) => ({
    name: alone ? chart.title : nameOf(placed[0].item, chart),
    points: reading(placed),
  }));
  return found.filter(({ name, points }) => name && points.length).filter(once);
}

/** @type {(one: Series, i: number, all: Series[]) => boolean} */
const once = ({ name }, i, all) => all.findIndex((other) => other.name === name) === i;

/** @type {(item: SceneItem) => boolean} */
const isThin = ({ width = 0, height = 0 }) => Math.min(width, height) <= THIN;

/** @type {(placed: Placed, axes: Axes) => [Point] | null} */
function tickOf({ item, x, y }, { across, up, percent }) {
  if (!up || !measures(up) || (item.height ?? 0) > THIN) return null;
  const middle = y + (item.y ?? 0) + (item.height ?? 0) / 2;
  return [[placeOf(across, x + (item.x ?? 0), item.width ?? 0), read(up, middle, percent)]];
}

/** @type {(placed: Placed, axes: Axes) => [Point] | null} */
function pointOf({ item, x, y }, { across, up, percent }) {
  if (item.defined === false || !measures(across)) return null;
  const value = up && measures(up) ? read(up, y + (item.y ?? 0), percent) : null;
  return [[`${read(across, x + (item.x ?? 0))}`, value]];
}

/** @type {(placed: Placed[], axes: Axes) => Point[]} */
function lineOf(placed, axes) {
  // one that goes back, such as a contour, has no value at a place; without labels only where it is highest is read off
  const points = placed.flatMap((one) => pointOf(one, axes) ?? []);
  if (points.length < 2 || points.some(([at], i) => i && +at < +points[i - 1][0])) return [];
  if (points[0][1] !== null) return points;
  const top = placed.reduce((best, one) => ((one.item.y ?? 0) < (best.item.y ?? 0) ? one : best)),
    level = placed.every(({ item }) => Math.abs((item.y ?? 0) - (top.item.y ?? 0)) < 1);
  return level ? [] : (pointOf(top, axes) ?? []);
}

/** @type {(placed: Placed[], axes: Axes) => Point[]} */
function ruleOf(placed, { across, up, percent }) {
  // a line from edge to edge: across the chart, or from its foot to its top
  if (placed.length > 1 || !measures(across)) return [];
  /** @type {(scale: Scale, length: number) => boolean} */
  const spans = (scale, length) => {
    const ends = scale.domain();
    return length > Math.abs(scale(ends[ends.length - 1]) - scale(ends[0])) / 2;
  };
  const [{ item, x, y }] = placed;
  const [wide, high] = [
    Math.abs((item.x2 ?? item.x ?? 0) - (item.x ?? 0)),
    Math.abs((item.y2 ?? item.y ?? 0) - (item.y ?? 0)),
  ];
  if (wide < 1 && (!up || !measures(up) || spans(up, high))) return [[`${read(across, x + (item.x ?? 0))}`, null]];
  return high < 1 && up && measures(up) && spans(across, wide) ? [["", read(up, y + (item.y ?? 0), percent)]] : [];
}

/** @type {(drawn: Placed[], chart: Chart, labels: Map<string, boolean>) => Series[]} */
function barsOf(drawn, chart, labels) {
  // upright ones, or those that lie, whose values stand along the labels of an axis
  const across = chart.scale("x"),
    up = chart.scale("y");
  if (!across || !up) return [];
  return named(drawn, chart, (placed) => {
    const points = placed.flatMap((one) => barOf(one, across, up, labels) ?? []);
    return points.length > 1 && points.length > 0.8 * placed.length ? points : []; // of a heap, all stand on 0
  });
}

/** @type {(placed: Placed, across: Scale, up: Scale, labels: Map<string, boolean>) => [Point] | null} */
function barOf({ item, x, y }, across, up, labels) {
  const [left, top, wide, high] = [x + (item.x ?? 0), y + (item.y ?? 0), item.width ?? 0, item.height ?? 0];
  if (labels.has("y") && measures(up) && stands(top, high, up))
    return [[placeOf(across, left, wide), read(up, far(top, high, up), labels.get("y"))]];
  if (labels.has("x") && measures(across) && stands(left, wide, across))
    return [[placeOf(up, top, high), read(across, far(left, wide, across), labels.get("x"))]];
  return null;
}

/** @type {(from: number, long: number, scale: Scale) => boolean} whether a bar stands on 0 */
const stands = (from, long, scale) => Math.min(Math.abs(from - scale(0)), Math.abs(from + long - scale(0))) < 1;

/** @type {(from: number, long: number, scale: Scale) => number} the end of a bar that is not at 0 */
const far = (from, long, scale) => (Math.abs(from - scale(0)) < Math.abs(from + long - scale(0)) ? from + long : from);

/** @type {(scale: Scale, from: number, wide: number) => string} */
function placeOf(scale, from, wide) {
  // a category, or the middle of the bar
  if (measures(scale)) return `${read(scale, from + wide / 2)}`;
  const half = (scale.bandwidth?.() ?? 0) / 2,
    middle = from + wide / 2;
  const away = (/** @type {any} */ value) => Math.abs(scale(value) + half - middle);
  return `${[...scale.domain()].sort((a, b) => away(a) - away(b))[0]}`;
}

/** @type {(scale: Scale, place: number, percent?: boolean) => number} */
function read(scale, place, percent = false) {
  const ends = scale.domain(),
    times = percent ? 100 : 1,
    grain = (times * Math.abs(Number(ends[ends.length - 1]) - Number(ends[0]))) / FINE;
  return finely(times * scale.invert(place), grain);
}

/** @type {(value: number, grain: number) => number} */
function finely(value, grain) {
  if (!(grain > 0)) return value;
  const step = 10 ** Math.floor(Math.log10(grain));
  return +(Math.round(value / step) * step).toPrecision(6);
}

// ---- names, from the legend ---------------------------------------------------------------------------------------------

/** @type {(item: SceneItem, chart: Chart) => string} */
function nameOf(item, { legend, colors }) {
  if (isThing(item)) return `${Object.values(item.tooltip ?? {})[0]}`;
  const fill = hex(item.fill),
    stroke = item.stroke && item.strokeOpacity !== 0 ? hex(item.stroke) : fill,
    dashes = item.strokeDash ?? [],
    kind = !dashes.length ? "solid" : dashes[0] <= 2 ? "dotted" : "dashed";
  /** @type {(key: Key) => boolean} */
  const fits = ({ mark }) => {
    const [first, line = "solid"] = mark.split(" ");
    if (["block", "dot", "disc", "triangle"].includes(first)) return fill === hex(colors.accent);
    if (first === "dashed" || first === "dotted") return kind === first && stroke === hex(colors.ink);
    const wanted = hex(first === "accent" ? colors.accent : first === "ink" ? colors.ink : first);
    return fill === wanted || (stroke === wanted && [kind, "thick", "ring"].includes(line));
  };
  return legend.find(fits)?.text ?? "";
}

/** @type {(color: string | undefined) => string} */
function hex(color) {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(color ?? "");
  if (!parts) return `${color ?? ""}`.toLowerCase();
  return `#${parts
    .slice(1)
    .map((part) => (+part).toString(16).padStart(2, "0"))
    .join("")}`;
}
