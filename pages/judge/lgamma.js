// The logarithm of the absolute value of the gamma function, as SciPy has it: Cephes' lgam (Moshier 1989).

const SMALL = [
  8.1161416747050845e-4, -5.95061904284301438e-4, 7.93650340457716944e-4, -2.77777777730099687e-3,
  8.33333333333331928e-2,
];
const ABOVE = [
  -1.3782515256912086e3, -3.88016315134637841e4, -3.31612992738871185e5, -1.16237097492762307e6, -1.72173700820839662e6,
  -8.53555664245765466e5,
];
const BELOW = [
  1, -3.51815701436523471e2, -1.70642106651881159e4, -2.20528590553854455e5, -1.13933444367982507e6,
  -2.53252307177582951e6, -2.01889141433532773e6,
];
const HALF_LOG_2_PI = 0.91893853320467274178,
  LOG_PI = 1.14472988584940017414;

/** @type {(x: number, coefficients: number[]) => number} */
const polynomial = (x, coefficients) => coefficients.reduce((sum, one) => sum * x + one, 0);

/** @type {(x: number) => number} */
export function lgamma(x) {
  if (!Number.isFinite(x)) return x;
  if (x < -34) return reflected(-x);
  if (x < 13) return shifted(x);
  const q = (x - 0.5) * Math.log(x) - x + HALF_LOG_2_PI;
  return x > 1e8 ? q : q + polynomial(1 / (x * x), SMALL) / x;
}

/** @type {(q: number) => number} far below 0 */
function reflected(q) {
  const whole = Math.floor(q),
    part = q - whole > 0.5 ? whole + 1 - q : q - whole,
    sine = q * Math.sin(Math.PI * part);
  return sine === 0 ? Infinity : LOG_PI - Math.log(sine) - lgamma(q);
}

/** @type {(x: number) => number} brought to between 2 and 3 */
function shifted(x) {
  let factor = 1,
    by = 0,
    u = x;
  while (u >= 3) factor *= u = x + --by;
  while (u < 2) {
    if (u === 0) return Infinity;
    factor /= u;
    u = x + ++by;
  }
  const log = Math.log(Math.abs(factor)),
    rest = x + by - 2;
  return u === 2 ? log : log + (rest * polynomial(rest, ABOVE)) / polynomial(rest, BELOW);
}
