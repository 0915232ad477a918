// What an answer of a published course is worth, and how it reads.

import { element } from "../player/canvas.js";
import { isRight, ticksOf } from "./step.js";

/** @import { Told } from "../messages.js" */
/** @typedef {{ right: boolean, some: boolean, words: string }} Verdict with the answer as HTML */

/** @type {(step: Told, keys: string[]) => Verdict} */
export function judged({ question, goals }, keys) {
  if (question) {
    const { options, rule } = question,
      code = keys.slice(0, -1).map((line) => element("i", "", line).innerHTML),
      chosen = rule
        ? [code.map((line) => `<code>${line}</code>`).join(", ")]
        : options.filter(({ key }) => keys.includes(key)).map(({ words }) => words),
      number = element("i", "", keys[0].replace("-", "−")).innerHTML;
    return { right: isRight(question, keys), some: false, words: options.length ? chosen.join("; ") : number };
  }
  const reached = goals.filter((goal) => ticksOf(goal, keys) === goal.seeds).length;
  return {
    right: reached === goals.length,
    some: reached > 0,
    words: `${reached} of ${goals.length} goals reached`,
  };
}
