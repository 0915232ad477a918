// Streamlit names a slider by itself and by its group, so that a screen reader says the same name twice.

/** @type {(page?: ParentNode) => void} */
export function namedOnce(page = document) {
  for (const slider of page.querySelectorAll("[data-testid=stSlider] input[aria-label][aria-labelledby]"))
    if (slider.ariaLabel === slider.closest("[role=group]")?.ariaLabel) slider.removeAttribute("aria-labelledby");
}

/** @type {(page?: ParentNode) => void} */
export function droppable(page = document) {
  // Streamlit says that the place to drop a file means nothing, and yet names it
  for (const zone of page.querySelectorAll("[data-testid=stFileUploaderDropzone]")) zone.setAttribute("role", "group");
}
