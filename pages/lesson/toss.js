// A coin to press on the course map: the one of the lesson that comes next, with its tosses, if that begins with a coin.
// Otherwise its probability of heads, θ, is drawn once, from 0 to 1. Each further toss is drawn, too; the curve is the
// posterior of θ under a flat prior, which is Beta(1 + heads, 1 + tails).

const GRID = Array.from({ length: 201 }, (_, i) => i / 200);
const SPIN = 500,
  MULTIPLY = 700,
  STRETCH = 600,
  PAUSE = 90; // milliseconds; the last between two tosses of many
const ASKED = 3,
  MORE = 20; // tosses until the question, and by the button
const MASS = 0.9;
const ROW = 24; // discs that are shown

/** @type {(heads: number, tails: number) => number[]} */
export function density(heads, tails) {
  // of Beta(1 + heads, 1 + tails) on the grid
  let log = Math.log(heads + tails + 1);
  for (let k = 1; k <= tails; k += 1) log += Math.log((heads + k) / k); // 1 / B(1 + h, 1 + t) = (h + t + 1) (h + t choose t)
  /** @type {(base: number, times: number) => number} */
  const power = (base, times) => (times ? times * Math.log(base) : 0);
  return GRID.map((theta) => Math.exp(log + power(theta, heads) + power(1 - theta, tails)));
}

/** @type {(curve: number[], heads: boolean) => number[]} */
export const times = (curve, heads) => curve.map((height, i) => height * (heads ? GRID[i] : 1 - GRID[i]));
/** @type {(heads: number, tails: number) => number} */
export const predictive = (heads, tails) => (heads + 1) / (heads + tails + 2); // of heads at the next toss

/** @type {(curve: number[], mass?: number) => number[]} */
export function middle(curve, mass = MASS) {
  // between which two values of θ it lies with this probability
  const sum = curve.reduce((all, height) => all + height, 0),
    ends = [(1 - mass) / 2, (1 + mass) / 2];
  let below = 0;
  /** @type {number[]} */
  const found = [];
  curve.forEach((height, i) => {
    below += height / sum;
    if (found.length < 2 && below >= ends[found.length]) found.push(GRID[i]);
  });
  return found;
}

/** @type {(heads: number, tails: number, guess: number) => string} */
export function verdict(heads, tails, guess) {
  // on the probability that was said for the next toss
  const exact = predictive(heads, tails),
    off = guess - exact;
  const far =
    Math.abs(off) < 0.015
      ? "That is it"
      : `You said ${guess.toFixed(2)}, ${Math.abs(off).toFixed(2)} too ${off > 0 ? "high" : "low"}`;
  return `${far}: <b>${heads + 1}/${heads + tails + 2} = ${exact.toFixed(2)}</b>, the mean of the curve. The flat start counts as one head and one tail.`;
}

/** @type {(heads: number, tails: number, theta: number) => string} */
export function shown(heads, tails, theta) {
  // of the coin's own θ beside its posterior
  const [low, high] = middle(density(heads, tails)),
    within = low <= theta && theta <= high;
  return `The coin has θ = <b>${theta.toFixed(2)}</b>, ${within ? "between" : "not between"} ${low.toFixed(2)} and ${high.toFixed(2)}, where the curve has 90 % of its area.`;
}

const tops = Math.max,
  ease = (/** @type {number} */ share) => share * share * (3 - 2 * share);
/** @type {(curve: number[], top: number) => string} */
const path = (curve, top) =>
  `M0 100 ${curve.map((height, i) => `L${GRID[i] * 100} ${100 - (96 * height) / top}`).join("")} L100 100Z`;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {(args: Component<{ theta: number, tosses: boolean[] } | null>) => void} */
export default function ({ data: [known], parentElement: root, setStateValue }) {
  /** @type {(name: string) => HTMLElement} */
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`));
  const guess = /** @type {HTMLInputElement} */ (part("guess"));
  if (root.coin) return;
  const coin = { theta: known?.theta ?? Math.random(), heads: 0, tails: 0, answered: false, left: 0 };
  root.coin = coin;
  let frame = 0,
    after = /** @type {(() => void) | null} */ (null);

  /** @type {(curve: number[], top: number) => void} */
  const draw = (curve, top) => part("curve").setAttribute("d", path(curve, top));
  const now = () => density(coin.heads, coin.tails);
  /** @type {(curve: number[]) => number} */
  const top = (curve) => tops(2, ...curve) * 1.05;
  /** @type {(html: string) => void} */
  const say = (html) => {
    part("said").innerHTML = html;
  };

  /** @type {(milliseconds: number, show: (share: number) => void, then: () => void) => void} */
  function move(milliseconds, show, then) {
    // show is given a share from 0 to 1
    after = then;
    if (still() || !milliseconds) return finish();
    const start = performance.now();
    /** @type {(time: number) => void} */
    const step = (time) => {
      const share = Math.min(1, Math.max(0, time - start) / milliseconds);
      show(ease(share));
      if (share < 1) frame = requestAnimationFrame(step);
      else finish();
    };
    frame = requestAnimationFrame(step);
  }

  function finish() {
    cancelAnimationFrame(frame);
    const then = after;
    after = null;
    then?.();
  }

  function rest() {
    // what is under way is over at once
    for (let tries = 0; after && tries < 9; tries += 1) finish();
  }

  /** @type {(heads: boolean) => void} */
  function land(heads) {
    const before = now(),
      product = times(before, heads);
    coin[heads ? "heads" : "tails"] += 1;
    const next = now(),
      side = heads ? "heads" : "tails",
      factor = heads ? "θ" : "1 − θ";
    part("coin").dataset.side = side;
    const disc = Object.assign(document.createElement("li"), { className: side, textContent: side[0].toUpperCase() });
    part("row").append(disc);
    while (part("row").children.length > ROW) part("row").firstElementChild?.remove();
    part("plot").setAttribute(
      "aria-label",
      `Posterior of θ after ${coin.heads} heads and ${coin.tails} tails, mean ${predictive(coin.heads, coin.tails).toFixed(2)}`,
    );
    part("last").setAttribute(
      "d",
      path(before, top(before)).replace(/^M0 100 L|L100 100Z$/g, (cut) => (cut[0] === "M" ? "M" : "")),
    );
    const quick = coin.left > 0,
      from = top(before),
      to = top(next);
    if (!quick) say(`<b>${side === "heads" ? "Heads" : "Tails"}</b>: the curve times ${factor} …`);
    const area = predictive(coin.heads - Number(heads), coin.tails - Number(!heads));
    /** @type {(share: number) => number[]} */
    const grown = (share) => product.map((height) => height * (1 + share * ((heads ? 1 / area : 1 / (1 - area)) - 1)));
    const settled = () => {
      draw(next, to);
      part("last").setAttribute("d", "");
      if (quick && coin.left > 1) return again();
      if (known) setStateValue("tosses", coin.heads + coin.tails); // the lesson goes on from here
      if (quick) return again();
      say(`<b>${side === "heads" ? "Heads" : "Tails"}</b>: the curve times ${factor}, stretched back to area 1.`);
      if (coin.heads + coin.tails >= ASKED && !coin.answered) ask();
      else if (coin.answered) tell();
    };
    const stretch = () =>
      move(quick ? PAUSE : STRETCH, (share) => draw(grown(share), from + share * (to - from)), settled);
    move(
      quick ? 0 : MULTIPLY,
      (share) =>
        draw(
          before.map((height, i) => height + share * (product[i] - height)),
          from,
        ),
      stretch,
    );
  }

  function press() {
    rest();
    coin.left = 0;
    spin();
  }

  function spin() {
    part("guessed").hidden = true; // it was on the toss before
    const heads = known?.tosses[coin.heads + coin.tails] ?? Math.random() < coin.theta,
      button = part("coin");
    if (coin.left) return land(heads);
    button.classList.remove("spins");
    void button.offsetWidth; // it spins anew
    button.classList.add("spins");
    move(
      SPIN,
      () => {},
      () => land(heads),
    );
  }

  function again() {
    coin.left -= 1;
    if (coin.left > 0) return spin();
    return tell();
  }

  function ask() {
    guess.hidden = part("marker").hidden = false;
    say(`${part("said").innerHTML} How probable is heads next? <b>Drag the marker.</b>`);
    mark();
  }

  function mark() {
    part("marker").style.left = `${100 * +guess.value}%`;
  }

  function check() {
    if (coin.answered) return;
    rest();
    coin.answered = true;
    guess.hidden = true;
    part("guessed").hidden = part("then").hidden = false;
    part("guessed").style.setProperty("--at", `${100 * +guess.value}`);
    part("marker").style.left = `${100 * predictive(coin.heads, coin.tails)}%`;
    say(verdict(coin.heads, coin.tails, Number(guess.value)));
  }

  function tell() {
    const { heads, tails } = coin,
      [low, high] = middle(now());
    part("marker").style.left = `${100 * predictive(heads, tails)}%`;
    say(
      `${heads} heads, ${tails} tails: θ lies between <b>${low.toFixed(2)}</b> and <b>${high.toFixed(2)}</b> with probability 0.9, around the mean ${predictive(heads, tails).toFixed(2)}.`,
    );
  }

  part("coin").onclick = press;
  guess.oninput = mark;
  guess.onchange = check;
  part("more").onclick = () => {
    rest();
    coin.left = MORE;
    spin();
  };
  part("show").onclick = () => {
    rest();
    part("own").hidden = false;
    part("own").style.setProperty("--at", `${100 * coin.theta}`);
    part("show").hidden = true;
    say(shown(coin.heads, coin.tails, coin.theta));
  };
  draw(now(), top(now()));
  say("Press the coin. Which θ does it have?");
}
