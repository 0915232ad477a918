// The kinds of verdicts, and what their numbers are about.

/** @import { RuleProblem, RuleVerdict } from "../messages.js" */

export const CASE = "case"; // the only site of a formula's cases
const CASES = "cases"; // the noun of points that are cases of their own, and not the data of one

/** @type {(noun: string, points: number) => string} */
const counted = (noun, points) => `${points} ${points === 1 ? noun.replace(/s$/, "") : noun}`;

/** @type {(noun: string, points: number) => string} where a rule is still right */
export function withMany(noun, points) {
  if (noun === CASES) return points === 1 ? "in the first case" : `in the first ${points} cases`;
  return points === 1 ? `with one ${noun.replace(/s$/, "")}` : `with ${points} ${noun}`;
}

/** @type {(problem: RuleProblem, points: number) => string} the head of a counterexample */
export const smallest = ({ noun }, points) =>
  noun === CASES
    ? "The first case in which it differs"
    : `The smallest case in which it differs, with ${counted(noun, points)}`;

/** @type {(verdict: RuleVerdict) => boolean} */
export const isRight = ({ kind }) => kind === "right" || kind === "invariant";

/** @type {(problem: RuleProblem, staged: boolean) => string} "" if the chain that is seen is the one that a verdict is about */
export function testCase({ points, proved_on, noun }, staged) {
  if (!proved_on || (!staged && points === proved_on)) return "";
  return `These numbers are of a small test case with ${counted(noun, proved_on)}, not of the chain ${staged ? "in the picture" : "below"}.`;
}
