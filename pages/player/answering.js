// A question on the page is answered by the number keys, which choose, and by Enter, which checks.

export function answered({ key, target }) { // whether it was such a key
  const question = document.querySelector(".st-key-question");
  if (!question?.offsetParent || target.closest?.("button, summary, a")) return false;
  const choices = question.querySelectorAll("[role=radiogroup] label, [data-testid=stCheckbox] label");
  const found = key === "Enter" ? question.querySelector(".st-key-check button:not(:disabled)") : /^[1-9]$/.test(key) && choices[key - 1];
  if (found) found.click();
  return Boolean(found);
}
