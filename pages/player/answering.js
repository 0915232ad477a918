// A question on the page is answered by the number keys, which choose, and by Enter, which checks. PageDown and PageUp,
// which a presenter's remote sends, go to the next step and back.

export const PRESSED = "button, summary, a"; // what Space or Enter presses if it has the focus

/** @type {Record<string, string>} */
const TURNS = { PageDown: ".st-key-next button", PageUp: ".st-key-back button" };

/** @type {(selector: string, within?: ParentNode) => HTMLElement | null} */
const pressable = (selector, within = document) => within.querySelector(selector);

/** @type {(key: string, target: Element, pointed: boolean) => boolean} */
export function turned(key, target, pointed) {
  // whether it was such a key, and the lesson has a step there; a slider that was reached by Tab moves by it
  if (!pointed && target.matches?.("[type=range]")) return false;
  const button = key in TURNS && pressable(`${TURNS[key]}:not(:disabled)`);
  if (button) button.click();
  return Boolean(button);
}

/** @type {(event: KeyboardEvent, pointed: boolean) => boolean} */
export function answered({ key, target }, pointed) {
  // whether it was such a key; after a click, none is for what was clicked
  const question = pressable(".st-key-question"),
    on = /** @type {Element} */ (target);
  if (!question?.offsetParent || question.closest?.("[data-held]") || (!pointed && on.closest?.(PRESSED))) return false;
  /** @type {NodeListOf<HTMLElement>} */
  const choices = question.querySelectorAll(".choices label");
  const found =
    key === "Enter"
      ? pressable(".st-key-check button:not(:disabled)", question)
      : /^[1-9]$/.test(key) && choices[+key - 1];
  if (found) found.click();
  return Boolean(found);
}
