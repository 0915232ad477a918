// States, probabilities and verdicts as small pictures.

import { element } from "../player/canvas.js";
import { general } from "./figures.js";
import { isRight } from "./kinds.js";

/** @import { RuleCounterexample, RuleVerdict } from "../messages.js" */

const COLORS = 10; // of labels; then they repeat, as the number in each says

/** @type {(label: string, onclick: () => void, className?: string) => HTMLButtonElement} */
export const button = (label, onclick, className = "") =>
  Object.assign(element("button", className, label), { type: /** @type {const} */ ("button"), onclick });

/** @type {(state: readonly number[], ringed?: readonly number[]) => HTMLElement} */
export function drawnState(state, ringed = []) {
  const box = element("span", "state");
  box.append(
    ...state.map((label, i) => {
      const one = element("i", ringed.includes(i) ? "ringed" : "", String(label + 1));
      one.style.setProperty("--label", `var(--label-${label % COLORS})`);
      return one;
    }),
  );
  return box;
}

/** @type {(share: number, className: string) => HTMLElement} */
export function bar(share, className) {
  const box = element("span", `share ${className}`);
  box.style.setProperty("--share", String(Math.max(0, Math.min(1, share)) || 0));
  return box;
}

/** @type {(value: number) => string} */
export const figure = (value) => general(value, 3).replace("-", "−");

/** @type {(state: readonly number[], site: RuleCounterexample["site"], reached: readonly (readonly number[])[]) => number[]} */
export function changing(state, site, reached) {
  // the places in a state that an update changes
  if (typeof site === "number") return [site];
  return state.flatMap((label, i) =>
    reached.some((one) => one.length === state.length && one[i] !== label) ? [i] : [],
  );
}

/** @type {Record<string, string>} */
const HEADS = {
  right: "Right",
  invariant: "Right, though it looks otherwise",
  known: "A known error",
  unknown: "Not right",
  broken: "No probabilities",
  reducible: "States that are never reached again",
  periodic: "A chain that goes round in a circle",
};

/** @type {(verdict: RuleVerdict, noun: string, form: string) => HTMLElement} */
export function drawnVerdict(verdict, noun, form) {
  const { kind, text, counterexample } = verdict,
    fine = isRight(verdict),
    box = element("div", `proof ${fine ? "right" : "wrong"}`);
  const title = kind === "broken" && form === "value" ? "No number" : HEADS[kind];
  box.append(element("h4", "", `${fine ? "✓" : "✗"} ${title}`), element("p", "", text));
  if (!counterexample) return box;
  const { points, site, state, reached, right, given } = counterexample,
    table = element("table", "counterexample"),
    caption = element(
      "caption",
      "",
      `The smallest case in which it differs, with ${points} ${points === 1 ? noun.replace(/s$/, "") : noun}: `,
    ),
    head = element("tr", "");
  caption.append(drawnState(state, changing(state, site, reached)));
  const plain = form === "value";
  head.append(
    ...["leads to", plain ? "the value" : "the right share", "yours"].map((words) => element("th", "", words)),
  );
  table.append(caption, head);
  reached.forEach((one, i) => {
    const row = element("tr", ""),
      cells = [right[i], given[i]].map((share, which) => {
        const cell = element("td", "");
        if (!plain) cell.append(bar(share, which ? "given" : ""));
        cell.append(element("b", "", figure(share)));
        return cell;
      }),
      to = element("td", "");
    to.append(drawnState(one));
    row.append(to, ...cells);
    table.append(row);
  });
  box.append(table);
  return box;
}
