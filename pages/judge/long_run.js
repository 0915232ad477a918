// The long run of sweeps, from the rows of their updates, as samplers/judge/long_run.py has it.

/** @import { Rows } from "./table.js" */
/** @typedef {{ rows: Rows, size: number, sites: number }} Chain whose update `site * size + state` leads from a state */

const SWEEPS = 400,
  SETTLED = 1e-12;

/** @type {(chain: Chain, distribution: Float64Array) => Float64Array} after a sweep */
export function after({ rows: { start, to, p }, size, sites }, distribution) {
  for (let site = 0; site < sites; site++) {
    const next = new Float64Array(size);
    for (let state = 0; state < size; state++) {
      const has = distribution[state];
      if (has === 0) continue;
      const update = site * size + state;
      for (let i = start[update]; i < start[update + 1]; i++) next[to[i]] += has * p[i];
    }
    distribution = next;
  }
  return distribution;
}

/** @type {(chain: Chain) => Float64Array} the stationary distribution, where all states lead to one another */
export function longRun(chain) {
  /** @type {Float64Array} */
  let found = new Float64Array(chain.size).fill(1 / chain.size);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = found;
    found = after(chain, found);
    if (found.reduce((sum, one, i) => sum + Math.abs(one - before[i]), 0) < SETTLED) return found;
  }
  return stationary(
    Array.from({ length: chain.size }, (_, state) => {
      const one = new Float64Array(chain.size);
      one[state] = 1;
      return after(chain, one);
    }),
  );
}

/** @type {(matrix: Float64Array[]) => Float64Array} by elimination of state after state (Grassmann, Taksar & Heyman 1985) */
function stationary(matrix) {
  const size = matrix.length;
  for (let n = size - 1; n > 0; n--) {
    const row = matrix[n];
    let out = 0;
    for (let j = 0; j < n; j++) out += row[j];
    for (let i = 0; i < n; i++) {
      const by = (matrix[i][n] /= out);
      if (by !== 0) for (let j = 0; j < n; j++) matrix[i][j] += by * row[j];
    }
  }
  const found = new Float64Array(size);
  found[0] = 1;
  for (let n = 1; n < size; n++) for (let i = 0; i < n; i++) found[n] += found[i] * matrix[i][n];
  const total = found.reduce((sum, one) => sum + one, 0);
  return found.map((one) => one / total);
}

/** @type {(steps: number[][][], start: Uint8Array) => Uint8Array} the states that some sweeps can reach from these */
function reached(steps, start) {
  let found = start;
  for (;;) {
    let front = found;
    for (const step of steps) {
      const next = new Uint8Array(front.length);
      front.forEach((is, state) => {
        if (is) for (const to of step[state]) next[to] = 1;
      });
      front = next;
    }
    const more = found.map((is, state) => is | front[state]);
    if (more.every((is, state) => is === found[state])) return found;
    found = more;
  }
}

/** @type {(chain: Chain) => number[][][]} where each update can lead, by site and state */
const stepsOf = ({ rows: { start, to, p }, size, sites }) =>
  Array.from({ length: sites }, (_, site) =>
    Array.from({ length: size }, (_, state) => {
      const leads = [];
      for (let i = start[site * size + state]; i < start[site * size + state + 1]; i++) if (p[i] > 0) leads.push(to[i]);
      return leads;
    }),
  );

/** @type {(step: number[][]) => number[][]} */
function turned(step) {
  /** @type {number[][]} */
  const found = step.map(() => []);
  step.forEach((leads, from) => leads.forEach((to) => found[to].push(from)));
  return found;
}

/** @type {(chain: Chain) => Uint8Array} the states to which a chain that began with the first one comes back for ever */
export function closedClass(chain) {
  const steps = stepsOf(chain),
    backwards = steps.map(turned).reverse();
  let start = Uint8Array.from({ length: chain.size }, (_, state) => +(state === 0));
  for (;;) {
    const ahead = reached(steps, start),
      behind = reached(backwards, start),
      left = ahead.findIndex((is, state) => is === 1 && !behind[state]);
    if (left < 0) return ahead;
    start = Uint8Array.from({ length: chain.size }, (_, state) => +(state === left));
  }
}

/** @type {(a: number, b: number) => number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** @type {(chain: Chain) => number} the period of a chain whose states all lead to one another */
export function period(chain) {
  const steps = stepsOf(chain);
  if (steps[0].some((_, state) => steps.every((step) => step[state].includes(state)))) return 1;
  const depth = new Int32Array(chain.size).fill(-1);
  let front = [0],
    found = 0;
  depth[0] = 0;
  for (let t = 1; front.length; t++) {
    let here = new Set(front);
    for (const step of steps) here = new Set([...here].flatMap((state) => step[state]));
    for (const state of here) if (depth[state] >= 0) found = divisor(found, t - depth[state]);
    front = [...here].filter((state) => depth[state] < 0);
    for (const state of front) depth[state] = t;
  }
  return found;
}
