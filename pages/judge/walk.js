// A chain that moves by the learner's rule, over the listed states of a few points; each draw depends on the seed and on
// its number alone, so that a link replays it.

/** @import { Table } from "./table.js" */
/** @typedef {{ t: number, state: number, site: number }} Place in a chain: after t updates, in a state, about to update a site */

/** @type {(seed: number, t: number) => number} from 0 to 1 (mulberry32) */
export function draw(seed, t) {
  let a = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(t + 1, 0x85ebca6b)) >>> 0;
  a = (a + 0x6d2b79f5) | 0;
  let b = Math.imul(a ^ (a >>> 15), 1 | a);
  b = (b + Math.imul(b ^ (b >>> 7), 61 | b)) ^ b;
  return ((b ^ (b >>> 14)) >>> 0) / 4294967296;
}

/** @type {(table: Table) => Place} a state that is neither the first nor the last, whose update has options */
export function begun(table) {
  const state = Math.floor(table.size / 2),
    open = (/** @type {number} */ site) => optionsAt(table, { t: 0, state, site }).length > 1,
    site = table.told.sites.findIndex((_, i) => open(i));
  return { t: 0, state, site: Math.max(0, site) };
}

/** @type {(table: Table, place: Place) => number[]} the options of an update */
export function optionsAt(table, { state, site }) {
  const update = site * table.size + state;
  return Array.from({ length: table.start[update + 1] - table.start[update] }, (_, i) => table.start[update] + i);
}

/** @type {(table: Table, place: Place, probabilities: number[], seed: number) => Place} one update later, by those of its options; of cases, the next */
export function moved(table, place, probabilities, seed) {
  const { t, state, site } = place,
    next = { t: t + 1, site: (site + 1) % table.told.sites.length };
  if (!table.chain) return { ...next, state: (state + 1) % table.size };
  let left = draw(seed, t);
  for (const [i, option] of optionsAt(table, place).entries()) {
    left -= probabilities[i];
    if (left < 0) return { ...next, state: table.told.target[option] };
  }
  return { ...next, state }; // nothing was accepted
}
