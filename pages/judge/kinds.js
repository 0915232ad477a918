// The kinds of verdicts.

/** @import { RuleVerdict } from "../messages.js" */

/** @type {(verdict: RuleVerdict) => boolean} */
export const isRight = ({ kind }) => kind === "right" || kind === "invariant";
