// A field for a whole number goes up and down by the arrow keys, as far as its range goes. The range is in the class of
// what Streamlit puts around it (pages/lesson/typed.py).

import { typed } from "./typed.js";

const RANGE = /st-key-typed-number-whole-(-?\d+)-to-(-?\d+)/;
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: 1, ArrowDown: -1 };

/** @type {(key: string, text: string, low: number, high: number) => string | undefined} */
export function next(key, text, low, high) {
  // the text of the next number; none by another key, or where there is no number
  const { value } = key in STEPS ? typed(text, -Infinity, Infinity, true) : {};
  return value === undefined ? undefined : String(Math.min(high, Math.max(low, value + STEPS[key]))).replace("-", "−");
}

/** @type {(event: Event) => void} */
function take({ target }) {
  // a field is told its number when the focus leaves it
  const field = /** @type {HTMLElement} */ (target);
  field.blur();
  field.focus();
}

/** @type {(key: string, target: HTMLElement) => boolean} */
export function stepped(key, target) {
  // whether it was such a key in such a field; the number counts when the key is let go
  const found = key in STEPS && RANGE.exec(target.closest?.("[class*=st-key-typed-number-whole]")?.className ?? "");
  if (!found) return false;
  const field = /** @type {HTMLInputElement} */ (target),
    text = next(key, field.value, +found[1], +found[2]);
  if (text === undefined) return false;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text); // as React hears it
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.addEventListener("keyup", take, { once: true });
  return true;
}
