// Numbers in sentences, as Python's format writes them.

/** @type {(value: number) => string} 1234 as 1,234 */
export const grouped = (value) => value.toLocaleString("en", { maximumFractionDigits: 0 });

/** @type {(value: number, digits: number) => string} as `{:.4g}` */
export function general(value, digits) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa, power] = value.toExponential(digits - 1).split("e"),
    plain = (/** @type {string} */ text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (+power >= -4 && +power < digits) return plain(value.toFixed(digits - 1 - +power));
  return `${plain(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}
