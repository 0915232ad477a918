// Streamlit names a slider by itself and by its group, so that a screen reader says the same name twice.

/** @type {(page?: ParentNode) => void} */
export function namedOnce(page = document) {
  for (const slider of page.querySelectorAll("[data-testid=stSlider] input[aria-label][aria-labelledby]"))
    if (slider.ariaLabel === slider.closest("[role=group]")?.ariaLabel) slider.removeAttribute("aria-labelledby");
}
