// A learner's calibration as rows of HTML, the same as pages/drawing/calibration.py writes.

import { LEVELS } from "./review.js";

/** @import { Calibration } from "./review.js" */

const AXIS = '<span></span><span class="axis"><span>0 %</span><span>50 %</span><span>100 %</span></span><span></span>';

/** @type {(share: number) => string} */
const perCent = (share) => `${(Math.floor(share * 1000 + 0.5) / 10).toFixed(1)}%`;

/** @type {(rows: Calibration[]) => string} */
export const curve = (rows) => `<div class="calibration">${rows.map(rowOf).join("")}${AXIS}</div>`;

/** @type {(row: Calibration) => string} */
const rowOf = ({ level, right, many, low, high }) =>
  `<span>${LEVELS[level]}</span><span class="track"><i style="left: ${perCent(low)}; width: ${perCent(high - low)}"></i><b style="left: ${perCent(right / many)}"></b></span><span>${right} of ${many} right</span>`;
