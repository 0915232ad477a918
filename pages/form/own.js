// A rule of the learner's own, made of one guess on a case. All but one of these rules are the true rule with one thing
// weighed more or less, by as much as makes the case come out as she said; both then run with the same random numbers.

import { draw } from "../judge/walk.js";

/** @typedef {(tilt: number, seed: number) => number[]} Run a number after each step; a tilt of 0 is the true rule */
/** @typedef {{ right: number, by: number, run: Run, said: (tilt: number) => string, x: string, y: string, chance: boolean }} World */

const MOST = 0.995, // a rule that is certain has no weight that could be told
  SAME_TILT = 0.02;

/** @type {(p: number) => number} */
const logit = (p) => Math.log(p / (1 - p));
/** @type {(x: number) => number} */
const share = (x) => 1 / (1 + Math.exp(-x));
/** @type {(x: number, mean: number, variance: number) => number} up to a constant */
const logNormal = (x, mean, variance) => -((x - mean) ** 2) / (2 * variance) - Math.log(variance) / 2;
/** @type {(factor: number) => string} */
const times = (factor) => `${+factor.toPrecision(2)} times`;

/** @type {(numbers: number[]) => number[]} the mean so far, after each */
function means(numbers) {
  let sum = 0;
  return numbers.map((number, i) => (sum += number) / (i + 1));
}

/** @type {(logs: number[], dart: number) => number} which option a dart hits */
export function picked(logs, dart) {
  const most = Math.max(...logs),
    weights = logs.map((log) => Math.exp(log - most));
  let left = dart * weights.reduce((sum, one) => sum + one, 0);
  for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return i;
  return logs.length - 1;
}

/** @type {(many: number) => number[]} */
const upTo = (many) => [...Array(many).keys()];

/** @type {(labels: number[], sweeps: number, seed: number, update: (labels: number[], site: number, dart: number) => number, told: (labels: number[]) => number) => number[]} */
function swept(labels, sweeps, seed, update, told) {
  const found = upTo(sweeps).map((sweep) => {
    for (const site of labels.keys()) labels[site] = update(labels, site, draw(seed, sweep * labels.length + site));
    return told(labels);
  });
  return means(found);
}

// ---- the seven cases -----------------------------------------------------------------------------------------------

export const PLACES = { stays: 0.5 };
/** @type {Run} 0 is the left place */
function walked(tilt, seed) {
  let right = 0;
  const back = share(logit(PLACES.stays) + tilt);
  return means(upTo(400).map((t) => (right = right && draw(seed, t) < back ? 0 : 1)));
}

export const POINTS = { data: [-1, 0, 2], variance: 0.5, prior: 4, alpha: 1 };
/** @type {(labels: number[], site: number, tilt: number) => number[]} log weights of the labels 0, 1, 2; only the first empty one is on offer */
export function seats(labels, site, tilt) {
  const { data, variance, prior, alpha } = POINTS,
    others = (/** @type {number} */ table) => data.filter((_, i) => i !== site && labels[i] === table),
    free = upTo(3).find((table) => !others(table).length);
  return upTo(3).map((table) => {
    const there = others(table),
      spread = 1 / (1 / prior + there.length / variance),
      mean = (spread * there.reduce((sum, x) => sum + x, 0)) / variance,
      count = there.length ? Math.log(there.length) : table === free ? Math.log(alpha) + tilt : -Infinity;
    return count + logNormal(data[site], mean, spread + variance);
  });
}
/** @type {Run} */
const seated = (tilt, seed) =>
  swept(
    [0, 0, 0],
    400,
    seed,
    (labels, site, dart) => picked(seats(labels, site, tilt), dart),
    (labels) => new Set(labels).size,
  );

export const WORDS = { word: [0, 0, 1, 0, 2, 3, 3, 2, 0, 1, 2, 3], each: 4, alpha: 0.5, beta: 0.4, many: 4 };
/** @type {(labels: number[], site: number, topic: number) => [number, number]} the logs of both factors: of the message, of the word */
export function factors(labels, site, topic) {
  const { word, each, alpha, beta, many } = WORDS,
    of = upTo(word.length).filter((i) => i !== site && labels[i] === topic),
    message = of.filter((i) => Math.floor(i / each) === Math.floor(site / each)).length;
  const same = of.filter((i) => word[i] === word[site]).length;
  return [Math.log(message + alpha), Math.log((same + beta) / (of.length + many * beta))];
}
/** @type {(labels: number[]) => number} messages with words of both topics */
const mixed = (labels) =>
  upTo(3).filter((m) => new Set(labels.slice(m * WORDS.each, (m + 1) * WORDS.each)).size > 1).length;
/** @type {Run} */
const sorted = (tilt, seed) =>
  swept(
    [1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0],
    400,
    seed,
    (labels, site, dart) =>
      picked(
        [0, 1].map((topic) => {
          const [message, word] = factors(labels, site, topic);
          return message + (1 + tilt) * word;
        }),
        dart,
      ),
    mixed,
  );

export const HOURS = { values: [0.3, -0.6, 1.1, 0.7, 2.4, 1.2, 2.9, 1.5], middles: [0, 2], stay: 0.85 };
/** @type {(states: number[], hour: number, tilt: number) => number[]} log weights of both states */
export function hourly(states, hour, tilt) {
  const { values, middles, stay } = HOURS;
  return middles.map((middle, state) => {
    const agree = [hour - 1, hour + 1].filter((at) => states[at] === state).length;
    return logNormal(values[hour], middle, 1) + agree * (logit(stay) + tilt);
  });
}
/** @type {Run} */
const kept = (tilt, seed) =>
  swept(
    [0, 0, 0, 0, 1, 1, 1, 1],
    400,
    seed,
    (states, hour, dart) => picked(hourly(states, hour, tilt), dart),
    (states) => states[2],
  );

export const LINE = { weights: [1.06726463, 0.21198214], fourth: [0.9, -0.4], sixth: [2.7, 0.3] };
const [, size] = LINE.weights.reduce(([sum], w) => [sum + w * w, Math.sqrt(sum + w * w)], [0, 0]),
  reach = (/** @type {number[]} */ point) => point.reduce((sum, x, i) => sum + x * LINE.weights[i], 0) / size;
export const FOUR = reach(LINE.fourth),
  SIX = reach(LINE.sixth);
const along = upTo(121).map((i) => (i * 2 * SIX) / 120);
/** @type {(guess: number) => (distance: number) => number} through one half, point 4 and the guess, by straight lines */
export const straight = (guess) => (distance) => {
  const four = share(size * FOUR);
  const line =
    distance < FOUR
      ? 0.5 + ((four - 0.5) * distance) / FOUR
      : four + ((guess - four) * (distance - FOUR)) / (SIX - FOUR);
  return Math.max(0, Math.min(1, line));
};

export const LABELS = [1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0]; // the first twelve: a later step asks for the number after all
/** @type {Run} the probability of class 1 for the next example, after each */
function counted(tilt) {
  const seen = [1, 1];
  return [0.5].concat(LABELS.map((label) => (seen[label]++, share((1 + tilt) * Math.log(seen[1] / seen[0])))));
}

export const PLATES = { alpha: 2 };
/** @type {Run} the share of the old dishes that are taken, so far; a customer who finds none counts as none */
function filled(tilt, seed) {
  /** @type {number[]} */ const dishes = [];
  let darts = 0,
    offered = 0,
    taken = 0;
  return upTo(100).map((before) => {
    for (const [dish, many] of dishes.entries()) {
      const takes = draw(seed, ++darts) < share(Math.log(many / (before + 1 - many)) + tilt);
      offered++;
      taken += +takes;
      dishes[dish] += +takes;
    }
    const none = Math.exp(-PLATES.alpha / (before + 1)); // Knuth's way to a Poisson number of new dishes
    let u = draw(seed + 1000, before * 40);
    for (let i = 1; u > none; i++) {
      dishes.push(1);
      u *= draw(seed + 1000, before * 40 + i);
    }
    return offered ? taken / offered : 0;
  });
}

// ---- by name -------------------------------------------------------------------------------------------------------

const CASE = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]; // labels of the words before that of the question, the ninth
const wordOf = (/** @type {number} */ topic) => factors(CASE, 8, topic)[1];
const SAME = "The rest of the rule is the same.";

/** @type {Record<string, World>} `by`: by how much a tilt of 1 moves the log odds of the case */
export const WORLDS = {
  places: {
    right: 0.5,
    by: 1,
    run: walked,
    said: (tilt) => `From the right, your walker goes left with probability ${+share(tilt).toPrecision(2)}.`,
    x: "steps",
    y: "share of the time on the right",
    chance: true,
  },
  tables: {
    right: share(seats([2, 0, 0], 0, 0)[0] - seats([2, 0, 0], 0, 0)[1]),
    by: -1,
    run: seated,
    said: (tilt) => `Your share makes every new table weigh ${times(Math.exp(tilt))} as much as here. ${SAME}`,
    x: "sweeps over the three points",
    y: "tables, on average",
    chance: true,
  },
  words: {
    right: share(factors(CASE, 8, 1).reduce((a, b) => a + b) - factors(CASE, 8, 0).reduce((a, b) => a + b)),
    by: wordOf(1) - wordOf(0),
    run: sorted,
    said: (tilt) => `Your share takes the factor of the word to the power ${+(1 + tilt).toFixed(2)}. ${SAME}`,
    x: "sweeps over the twelve words",
    y: "mixed messages, on average",
    chance: true,
  },
  states: {
    right: share(hourly([0, 0, 1, 0], 2, 0)[1] - hourly([0, 0, 1, 0], 2, 0)[0]),
    by: -2,
    run: kept,
    said: (tilt) =>
      `Your share is that of hours that stay with probability ${+share(logit(HOURS.stay) + tilt).toPrecision(2)}. ${SAME}`,
    x: "sweeps over the eight hours",
    y: "share of the time that hour 3 has state 2",
    chance: true,
  },
  counts: {
    right: 2 / 3,
    by: Math.log(2),
    run: counted,
    said: (tilt) => `Your share takes the ratio of the counts to the power ${+(1 + tilt).toFixed(2)}. ${SAME}`,
    x: "examples seen",
    y: "probability of class 1 for the next",
    chance: false,
  },
  dishes: {
    right: 0.8,
    by: 1,
    run: filled,
    said: (tilt) => `Your share makes the odds of every old dish ${times(Math.exp(tilt))} those of here. ${SAME}`,
    x: "customers",
    y: "share of the old dishes that are taken",
    chance: true,
  },
};

/** @typedef {{ hers: number[], theirs: number[], xs: number[], x: string, y: string, end: string, said: string, chance: boolean }} Beside
 *    `end` says where the last numbers are */

/** @type {(name: string, guess: number, seed: number) => Beside} both rules, run from the same start */
export function beside(name, guess, seed) {
  if (name === "distances") return curves(guess);
  const { right, by, run, said, x, y, chance } = WORLDS[name],
    shared = Math.max(1 - MOST, Math.min(MOST, guess)),
    tilt = (logit(shared) - logit(right)) / by,
    hers = run(tilt, seed),
    words = Math.abs(tilt) < SAME_TILT ? "Your share is that of the true rule, so both run alike." : said(tilt),
    certain = shared === guess ? "" : ` ${guess} is taken as ${+shared.toFixed(3)}, so that it can run.`,
    xs = hers.map((_, i) => (chance ? i + 1 : i));
  return {
    hers,
    theirs: run(0, seed),
    xs,
    x,
    y,
    end: `after ${xs[xs.length - 1]} ${x}`,
    said: words.replace("-", "−") + certain,
    chance,
  };
}

/** @type {(guess: number) => Beside} */
function curves(guess) {
  const said =
    "Your rule goes through one half on the line, point 4 and your guess. Straight lines join them, and end at 0 and 1.";
  return {
    hers: along.map(straight(guess)),
    theirs: along.map((distance) => share(size * distance)),
    xs: along,
    x: "distance from the line",
    y: "probability of blue",
    end: "at the right end",
    said,
    chance: false,
  };
}
