// The state of a bare stage of a published course, in place of embed/leads.js: a step of a lesson that was recorded.

import { COURSE, Refused, json, plays } from "./packs.js";
import { answered, another, opened, viewsOf } from "./step.js";

/** @import { Published, Staged, Scene } from "../messages.js" */

const NOT_A_RUN = ["lesson", "step", "t", "view", "answered", "charts", "theme"]; // in an address

/** @type {(id: string | null) => Promise<Published>} */
async function lessonOf(id) {
  const entry = COURSE.sections.flatMap(({ lessons }) => lessons).find((lesson) => lesson.id === id);
  if (!entry) throw new Refused("This course has no lesson of that name.");
  const lesson = await json(entry.file);
  plays(lesson.films);
  return lesson;
}

/** @type {(one: string | null, other: string) => boolean} numbers may be written otherwise */
const alike = (one, other) => one === other || (one !== null && other !== "" && Number(one) === Number(other));

/** @type {(scenes: Scene[], search: URLSearchParams) => Scene | undefined} */
export function sceneOf(scenes, search) {
  // the run with the settings of the address
  const wanted = [...search].filter(([name]) => !NOT_A_RUN.includes(name));
  return scenes.find(({ message }) => {
    const has = new URLSearchParams(message.source.split("?")[1]);
    return wanted.every(([name, value]) => !has.has(name) || alike(has.get(name), value));
  });
}

/** @type {(search: URLSearchParams, say: unknown, event?: any) => Promise<Staged>} */
export async function lead(search, say, event) {
  const lesson = await lessonOf(search.get("lesson")),
    named = search.get("step") ?? lesson.steps[0].id,
    index = lesson.steps.findIndex(({ id }) => id === named);
  if (index < 0) throw new Refused("This lesson has no step of that name.");
  const step = lesson.steps[index],
    told = search.get("answered") === "1",
    asks = step.question !== null && !told,
    before = (asks && step.asked) || step.then || step.asked,
    scene = sceneOf([before, ...step.runs], search);
  if (!scene) throw new Refused("This copy does not have this run; the app has it.");
  let where = another({ ...opened(lesson, null, index, told), view: search.get("view") ?? "" }, scene);
  const t = search.get("t");
  if (t !== null && !asks) where = { ...where, t: Math.max(0, Math.min(Math.floor(+t) || 0, scene.message.total)) };
  const uncovers = asks && event?.kind === "answered";
  if (uncovers) where = { ...answered(lesson, where), view: where.view };
  return stagedOf(where, { id: lesson.id, step: step.id, asks: asks && !uncovers, told: told || uncovers });
}

/** @type {(where: import("./step.js").Where, of: { id: string, step: string, asks: boolean, told: boolean }) => Staged} */
function stagedOf({ scene, t, view, go }, { id, step, asks, told }) {
  const { message } = scene;
  return {
    message: {
      ...message,
      at: t,
      ask: message.ask && { ...message.ask, hand: false },
      address: message.address || `lesson=${id}&step=${step}`,
    },
    views: viewsOf(scene, () => told),
    view,
    notes: [],
    asks,
    answered: told,
    walks: go?.walk ? true : null,
  };
}

export const start = location.search;

/** @type {(search: URLSearchParams, answered: boolean) => void} as in embed/leads.js */
export const went = (search, answered) => {
  if (answered) history.replaceState(null, "", `?${search}`);
};

/** @type {(search: string) => string} of the page that shows the same with its text */
export const appAt = (search) => new URL(`index.html#${search.slice(1)}`, location.href).href;
