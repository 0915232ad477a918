// After how many sweeps an error shows in a histogram, as samplers/diagnostics/convergence.py has it.

import { lgamma } from "./lgamma.js";

const MOST_SWEEPS = 1e12;

/** @type {(probabilities: number[], draws: number) => number} the mean distance of the shares of this many draws from the truth */
function noiseFloor(probabilities, draws) {
  const n = Math.max(Math.floor(draws), 1);
  let sum = 0;
  for (const p of probabilities) {
    if (p <= 0 || p >= 1) continue; // never off
    const m = Math.floor(n * p),
      ways = lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m);
    sum += Math.exp(ways - Math.log(n) + (m + 1) * Math.log(p) + (n - m) * Math.log1p(-p));
  }
  return sum;
}

/** @type {(distance: number, right: number[]) => number | null} null if never */
export function sweepsToSeparate(distance, right) {
  const apart = (/** @type {number} */ sweeps) => distance >= noiseFloor(right, sweeps) + 2 / Math.sqrt(sweeps);
  if (!apart(MOST_SWEEPS)) return null;
  let low = 1,
    high = MOST_SWEEPS;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (apart(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
