// The kinds of verdicts, and what their numbers are about.

/** @import { RuleProblem, RuleVerdict } from "../messages.js" */

/** @type {(verdict: RuleVerdict) => boolean} */
export const isRight = ({ kind }) => kind === "right" || kind === "invariant";

/** @type {(problem: RuleProblem, staged: boolean) => string} "" if the chain that is seen is the one that a verdict is about */
export function testCase({ points, proved_on, noun }, staged) {
  if (!proved_on || (!staged && points === proved_on)) return "";
  const many = `${proved_on} ${proved_on === 1 ? noun.replace(/s$/, "") : noun}`;
  return `These numbers are of a small test case with ${many}, not of the chain ${staged ? "in the picture" : "below"}.`;
}
