// States, probabilities and verdicts as small pictures.

import { element } from "../player/canvas.js";
import { general } from "./figures.js";
import { CASE, isRight, smallest, testCase } from "./kinds.js";

/** @import { RuleCounterexample, RuleProblem, RuleVerdict } from "../messages.js" */
/** @import { Known } from "./rule.js" */

const LISTED = 6; // entries of a list that are shown
const COLORS = 10; // of labels; then they repeat, as the number in each says

/** @type {(label: string, onclick: () => void, className?: string) => HTMLButtonElement} */
export const button = (label, onclick, className = "") =>
  Object.assign(element("button", className, label), { type: /** @type {const} */ ("button"), onclick });

/** @type {(state: readonly number[], problem: Pick<RuleProblem, "first" | "columns">, ringed?: readonly number[]) => HTMLElement} */
export function drawnState(state, { first, columns }, ringed = []) {
  const box = element("span", columns ? "state matrix" : "state");
  if (columns) box.style.setProperty("--columns", String(columns));
  box.append(
    ...state.map((label, i) => {
      const one = element("i", ringed.includes(i) ? "ringed" : "", String(label + first));
      one.style.setProperty("--label", `var(--label-${label % COLORS})`);
      return one;
    }),
  );
  return box;
}

/** @type {(reached: readonly number[], problem: Pick<RuleProblem, "form" | "lines" | "first" | "columns">) => HTMLElement} */
export function drawnEnd(reached, problem) {
  // what an option leads to; of several formulas, which of them it is
  const { form, lines } = problem;
  return form === "value" && lines.length > 1
    ? element("span", "", lines[reached[0]].label)
    : drawnState(reached, problem);
}

/** @type {(share: number, className: string) => HTMLElement} */
export function bar(share, className) {
  const box = element("span", `portion ${className}`);
  box.style.setProperty("--share", String(Math.max(0, Math.min(1, share)) || 0));
  return box;
}

/** @type {(value: number) => string} */
export const figure = (value) => general(value, 3).replace("-", "−");

/** @type {(value: Known[string]) => string} */
export function valued(value) {
  if (typeof value === "number") return figure(value);
  return `[${value.slice(0, LISTED).map(figure).join(", ")}${value.length > LISTED ? ", …" : ""}]`;
}

/** @type {(known: Known) => string} */
export const inWords = (known) =>
  Object.entries(known)
    .map(([name, value]) => `${name} = ${valued(value)}`)
    .join(", ");

/** @type {(state: readonly number[], site: RuleCounterexample["site"], reached: readonly (readonly number[])[]) => number[]} */
export function changing(state, site, reached) {
  // the places in a state that an update changes
  if (typeof site === "number") return [site];
  return state.flatMap((label, i) =>
    reached.some((one) => one.length === state.length && one[i] !== label) ? [i] : [],
  );
}

/** @type {(site: RuleCounterexample["site"], form: string) => boolean} whether it has no state, but its numbers alone */
export const isCase = (site, form) => site === CASE || form === "value";

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

/** @type {(verdict: RuleVerdict, problem: RuleProblem, staged: boolean) => HTMLElement} */
export function drawnVerdict(verdict, problem, staged) {
  const { form } = problem,
    { kind, text, counterexample } = verdict,
    about = testCase(problem, staged),
    fine = isRight(verdict),
    box = element("div", `proof ${fine ? "right" : "wrong"}`);
  const title = kind === "broken" && form === "value" ? "No number" : HEADS[kind];
  box.append(element("h4", "", `${fine ? "✓" : "✗"} ${title}`), element("p", "", text));
  if (about) box.append(element("p", "quiet", about));
  if (!counterexample) return box;
  const { points, site, state, reached, right, given, shared } = counterexample,
    table = element("table", "counterexample"),
    caption = element("caption", "", `${smallest(problem, points)}: `),
    head = element("tr", "");
  const plain = form === "value",
    known = inWords(shared);
  if (!isCase(site, form))
    caption.append(drawnState(state, problem, changing(state, site, reached)), known ? ", " : "");
  caption.append(known);
  const options = !plain || reached.length > 1;
  head.append(
    ...[...(options ? [plain ? "of" : "leads to"] : []), plain ? "the value" : "the right share", "yours"].map(
      (words) => element("th", "", words),
    ),
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
    to.append(drawnEnd(one, problem));
    row.append(...(options ? [to] : []), ...cells);
    table.append(row);
  });
  box.append(table);
  return box;
}
