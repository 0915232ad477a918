// Keys to press in place of a keyboard, and what they do to a field.

import { element } from "../player/canvas.js";

const ROWS = [
  [" + ", " - ", " * ", " / ", " ** ", "(", ")", ", "],
  ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "."],
  ["exp(", "log(", "sqrt(", "lgamma(", "sum(", "min(", "max("],
  [" if ", " else ", " < ", " > ", " == "],
];
const BACK = "⌫",
  SAID = { [BACK]: "Delete", " * ": "times", " / ": "divided by", " - ": "minus", " ** ": "to the power" };

/** @type {(field: HTMLInputElement, text: string) => void} puts a text where the caret is */
export function put(field, text) {
  const start = field.selectionStart ?? field.value.length,
    end = field.selectionEnd ?? start;
  if (text === BACK) field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end");
  else field.setRangeText(start === 0 || field.value[start - 1] === " " ? text.trimStart() : text, start, end, "end");
  field.dispatchEvent(new Event("input"));
}

/** @type {(press: (text: string) => void) => HTMLElement} */
export function keyboard(press) {
  const fold = element("details", "rule-keys");
  fold.append(element("summary", "", "Keys"));
  fold.open = matchMedia("(hover: none)").matches;
  for (const row of ROWS) {
    const line = element("div", "");
    for (const text of row === ROWS[0] ? [...row, BACK] : row) {
      const key = Object.assign(element("button", "", text.trim()), { type: "button" });
      if (text in SAID) key.ariaLabel = SAID[/** @type {keyof typeof SAID} */ (text)];
      key.onclick = () => press(text);
      line.append(key);
    }
    fold.append(line);
  }
  return fold;
}
