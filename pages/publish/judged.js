// What an answer of a published course is worth, and how it reads.

import { element } from "../player/canvas.js";
import { isRight, ticksOf, wordsOf } from "./step.js";

/** @import { Told } from "../messages.js" */
/** @typedef {{ right: boolean, some: boolean, words: string }} Verdict with the answer as HTML */

/** @type {(step: Told, keys: string[]) => Verdict} */
export function judged({ question, goals }, keys) {
  if (question) {
    const { options, rule } = question,
      code = keys.slice(0, -1).map((line) => `<code>${element("i", "", line).innerHTML}</code>`),
      number = element("i", "", keys[0].replace("-", "−")).innerHTML,
      words = rule ? code.join(", ") : options.length ? wordsOf(question, keys) : number;
    return { right: isRight(question, keys), some: false, words };
  }
  const reached = goals.filter((goal) => ticksOf(goal, keys) === goal.seeds).length;
  return {
    right: reached === goals.length,
    some: reached > 0,
    words: `${reached} of ${goals.length} goals reached`,
  };
}
