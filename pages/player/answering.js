// A question on the page is answered by the number keys, which choose, and by Enter, which checks. PageDown and PageUp,
// which a presenter's remote sends, go to the next step and back.

export const PRESSED = "button, summary, a"; // what Space or Enter presses if it has the focus

const TURNS = { PageDown: ".st-key-next button", PageUp: ".st-key-back button" };

export function turned({ key }) {
  // whether it was such a key, and the lesson has a step there
  const button = key in TURNS && document.querySelector(`${TURNS[key]}:not(:disabled)`);
  if (button) button.click();
  return Boolean(button);
}

export function answered({ key, target }, pointed) {
  // whether it was such a key; after a click, none is for what was clicked
  const question = document.querySelector(".st-key-question");
  if (!question?.offsetParent || question.closest?.("[data-held]") || (!pointed && target.closest?.(PRESSED)))
    return false;
  const choices = question.querySelectorAll("[role=radiogroup] label, [data-testid=stCheckbox] label");
  const found =
    key === "Enter"
      ? question.querySelector(".st-key-check button:not(:disabled)")
      : /^[1-9]$/.test(key) && choices[key - 1];
  if (found) found.click();
  return Boolean(found);
}
