// A learner's confidence in a prediction: one tap before the answer, and its curve in My work, as in the app; see
// pages/lesson/sure.py.

import { element } from "../player/canvas.js";
import { written } from "../form/looks.js";
import { curve } from "./calibration.js";
import { ASKED, calibration, LEVELS } from "./review.js";
import { all } from "./store.js";

const SAID =
  "A dot is the share of your first answers that were right, and the line its 95 % interval. If you are well calibrated, <i>I know</i> is near 100 % and <i>A guess</i> near what guessing gives.";

/** @type {(now: string, tapped: (level: string) => void) => HTMLElement} */
export function howSure(now, tapped) {
  const box = element("div", "st-key-sure"),
    group = element("div", "levels");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", ASKED);
  for (const [level, words] of Object.entries(LEVELS)) {
    const one = Object.assign(element("button", "", words), { type: "button" });
    one.setAttribute("aria-pressed", String(level === now));
    one.onclick = () => {
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === one));
      tapped(level);
    };
    group.append(one);
  }
  box.append(element("p", "quiet", ASKED), group);
  return box;
}

/** @type {() => HTMLElement[]} */
export function curveOfMine() {
  const rows = calibration(all());
  if (!rows.length) return [];
  const fold = element("details", "");
  fold.append(
    element("summary", "", "How sure you were, and how often right"),
    written("div", "", curve(rows)),
    written("p", "quiet", SAID),
  );
  return [fold];
}
