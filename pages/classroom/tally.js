// The answers of a class: bars beside the choices, or a histogram of numbers; the right answer and one's own are lit.

import { counted, el, minus, short, svg } from "./drawing.js";

/** @import { RoundState } from "../messages.js" */

const MOST_BARS = 6; // of a rule
const NUMBERED = 14; // bars that have their number above them
const WIDE = 360,
  TALL = 150,
  LEFT = 12,
  BASE = 112; // of its picture

/** @typedef {Record<string, number>} Counts of answers, by their keys */

/** @type {(keys: string[]) => number[]} */
const written = (keys) => keys.map(Number).filter(Number.isFinite);
/** @type {(round: Pick<RoundState, "right">) => string[]} */
export const rightOf = ({ right }) => (right === undefined || right === null ? [] : [right].flat().map(String));
/** @type {(tally: Counts) => number} */
export const totalOf = (tally) => Object.values(tally).reduce((sum, many) => sum + many, 0);

/** @type {(tally: Counts) => number} the mean of answers that are numbers */
export const meanOf = (tally) => {
  const numbers = Object.entries(tally).filter(([key]) => Number.isFinite(Number(key)));
  return numbers.reduce((sum, [key, many]) => sum + Number(key) * many, 0) / totalOf(Object.fromEntries(numbers));
};

/** @type {(round: RoundState, tally: Counts, mine?: string[]) => HTMLElement} */
export function tallied(round, tally, mine = []) {
  // the round as the server tells it; counts by key; one's own keys
  if (round.kind === "text") return words(tally);
  return round.options.length ? choiceBars(round, tally, mine) : numberBars(round, tally, mine);
}

/** @type {(tally: Counts) => HTMLElement} */
function words(tally) {
  // answers in words, as many times as they were given
  const rows = Object.entries(tally).map(([text, many]) =>
    el("li", { textContent: many > 1 ? `${text} (${many})` : text }),
  );
  return rows.length
    ? el("ul", { className: "words-said" }, rows)
    : el("p", { className: "quiet", textContent: "No answers are shown yet." });
}

/** @type {(round: RoundState, tally: Counts, mine: string[]) => HTMLElement} */
function choiceBars(round, tally, mine) {
  const right = rightOf(round),
    all = Math.max(1, round.answers ?? totalOf(tally)),
    allBefore = Math.max(1, totalOf(round.before ?? {})),
    share = (/** @type {number} */ many, /** @type {number} */ of) => `${many} (${Math.round((100 * many) / of)} %)`,
    most = Math.max(
      1 / all,
      ...Object.values(tally).map((many) => many / all),
      ...Object.values(round.before ?? {}).map((many) => many / allBefore),
    );
  const rows = barred(round, tally, right).map(({ key, html }) => {
    const many = tally[key] ?? 0,
      before = round.before?.[key] ?? 0,
      marks = [...(right.includes(key) ? ["right"] : []), ...(mine.includes(key) ? ["your answer"] : [])];
    /** @type {(className: string, number: number, words: string) => HTMLElement} */
    const bar = (className, number, words) =>
      el(
        "span",
        { className: `bar ${className}` },
        Object.assign(el("i"), { style: `--share: ${number / most}` }),
        el("b", { textContent: words }),
      );
    return el(
      "li",
      { className: [right.includes(key) && "right", mine.includes(key) && "own"].filter(Boolean).join(" ") },
      el(
        "div",
        { className: "text" },
        el("span", { innerHTML: html }),
        marks.map((mark) => el("em", { textContent: mark })),
      ),
      round.examples?.[key] && el("code", { textContent: round.examples[key] }),
      bar("now", many / all, share(many, all)),
      round.before && bar("before", before / allBefore, `${share(before, allBefore)} ${round.before_said || "before"}`),
    );
  });
  return el("ol", { className: "tally" }, rows);
}

/** @type {(round: Pick<RoundState, "kind" | "options" | "before">, tally: Counts, right: string[]) => RoundState["options"]} */
export function barred({ kind, options, before }, tally, right) {
  // the choices that have a bar: of the many to which a rule can come, those to which most rules came, and the right one
  if (kind !== "rule") return options;
  const came = (/** @type {{ key: string }} */ { key }) => (tally[key] ?? 0) + (before?.[key] ?? 0);
  const given = options.filter((one) => came(one) || right.includes(one.key));
  return given.sort((a, b) => came(b) - came(a)).slice(0, MOST_BARS);
}

/** @type {(round: RoundState, tally: Counts, mine: string[]) => HTMLElement} */
function numberBars(round, tally, mine) {
  if (!round.bars) return el("p", { className: "quiet", textContent: "No answers." });
  const {
      low: start,
      width,
      ends: [low, high],
      now,
      before,
    } = round.bars,
    end = start + width * now.length,
    most = Math.max(1, ...now, ...(before ?? []));
  /** @type {(value: number) => number} */
  const x = (value) => LEFT + ((WIDE - 2 * LEFT) * (value - start)) / (end - start),
    y = (/** @type {number} */ number) => BASE - (BASE - 48) * (number / most);
  const wide = (WIDE - 2 * LEFT) / now.length,
    own = written(mine)[0],
    right = written(rightOf(round))[0];
  /** @type {(value: number | undefined, i: number) => boolean} */
  const inside = (value, i) =>
    value !== undefined &&
    Math.min(now.length - 1, Math.floor(((value - start) / (end - start)) * now.length + 1e-9)) === i;
  const bars = now.flatMap((number, i) =>
    number > 0
      ? [
          svg("rect", {
            x: LEFT + i * wide + 0.5,
            y: y(number),
            width: Math.max(1, wide - 1),
            height: BASE - y(number),
            class: inside(own, i) ? "own" : "",
          }),
        ]
      : [],
  );
  const filled = now.filter((number) => number > 0).length;
  const numbers =
    filled > NUMBERED
      ? []
      : now.flatMap((number, i) =>
          number
            ? [
                Object.assign(
                  svg("text", {
                    x: LEFT + (i + 0.5) * wide,
                    y: y(number) - 4,
                    "text-anchor": "middle",
                    class: "number",
                  }),
                  { textContent: number },
                ),
              ]
            : [],
        );
  const outline = before
    ? [
        svg("path", {
          class: "before",
          d: `M${LEFT} ${BASE}${before.map((number, i) => `V${y(number)}H${LEFT + (i + 1) * wide}`).join("")}V${BASE}`,
        }),
      ]
    : [];
  /** @type {(value: number | undefined, words: string, kind: string, top: number) => SVGElement[]} */
  const label = (value, words, kind, top) => {
    if (value === undefined) return [];
    const end = x(value) > WIDE - 90,
      place = { x: x(value) + (end ? -5 : 5), y: top, "text-anchor": end ? "end" : "start", class: kind };
    const text = svg("text", place);
    text.textContent = `${words} ${minus(value)}`;
    return [svg("line", { x1: x(value), x2: x(value), y1: top - 10, y2: BASE, class: kind }), text];
  };
  const ends = /** @type {[number, string][]} */ ([
    [low, "start"],
    [high, "end"],
  ]).map(([value, anchor]) =>
    Object.assign(svg("text", { x: x(value), y: BASE + 16, "text-anchor": anchor, class: "tick" }), {
      textContent: minus(+value.toPrecision(6)),
    }),
  );
  const peak = now.indexOf(Math.max(...now)),
    said = [
      `${counted(totalOf(tally), "answer")} from ${low} to ${high}, most of them near ${+(start + ((peak + 0.5) * (end - start)) / now.length).toPrecision(4)}`,
      own !== undefined && `yours is ${own}`,
      right !== undefined && `the answer is ${right}`,
    ]
      .filter(Boolean)
      .join("; ");
  return el(
    "div",
    { className: "histogram" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": `${said}.` },
      bars,
      outline,
      svg("line", { x1: LEFT, x2: WIDE - LEFT, y1: BASE, y2: BASE, class: "axis" }),
      label(own, "yours", "own", 12),
      label(right, "answer", "right", 27),
      numbers, // above the lines, which go through the middles of bars
      ends,
    ),
    el("p", {
      className: "quiet",
      textContent: [
        !round.names && totalOf(tally) > 0 && `Mean ${short(meanOf(tally))}.`,
        round.before &&
          `Outline: ${round.before_said || "before"}${round.names ? "" : `, mean ${short(meanOf(round.before))}`}.`,
      ]
        .filter(Boolean)
        .join(" "),
    }),
  );
}
