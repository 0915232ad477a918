// How much of a lesson is right at the first try: what a learning platform and a record store are told.

import { judged } from "./judged.js";
import { canBe } from "./step.js";
import { kept, triesOf } from "./store.js";

/** @import { Published, Told } from "../messages.js" */
/** @typedef {{ right: number, many: number, done: boolean }} Score right at the first try, out of many questions */

/** @type {(step: Told, name: string) => boolean} */
function rightAtFirst(step, name) {
  const keys = kept(name),
    { first } = triesOf(name);
  if (!keys) return false;
  return judged(step, step.question && first && canBe(step.question, first) ? first : keys).right;
}

/** @type {(lesson: Published) => Score} */
export function scoreOf({ id, steps }) {
  const asked = steps.filter(({ question, goals }) => question || goals.length);
  return {
    right: asked.filter((step) => rightAtFirst(step, `${id}/${step.id}`)).length,
    many: asked.length,
    done: asked.every((step) => kept(`${id}/${step.id}`)),
  };
}
