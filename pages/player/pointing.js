// What is pointed at in one place is lit in all others: a chart's mark, numbers on a card, a lesson's words. Its name stands
// in the field `mark` of a chart's row, in the attribute data-mark of a card's element, in the address of a link, #mark:new.

/** @import { Root } from "./canvas.js" */

const MARK = "[data-mark], a[href^='#mark:']";
/** @type {(element: Element) => string} */
export const markOf = (element) => {
  const found = /** @type {HTMLElement | null | undefined} */ (element.closest?.(MARK));
  return found ? (found.dataset.mark ?? (found.getAttribute("href") ?? "").slice("#mark:".length)) : "";
};

/** @type {(mark: string) => string} */
export function lightOf(mark) {
  // the rule of style by which all that has this name is lit
  const [name, link] = [mark, `#mark:${mark}`].map((text) => JSON.stringify(text));
  return mark
    ? `[data-mark=${name}], a[href=${link}] { background: #B07C0038; outline: 2.5px solid #B07C00 !important; outline-offset: -1px; border-radius: 3px; }`
    : "";
}

export class Pointing {
  /**
   * @param {Root} root
   * @param {(mark: string) => void} light has the charts light the mark of a name, none if it is empty
   */
  constructor(root, light) {
    this.light = light;
    this.mark = "";
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(this.sheet);
    this.onpoint = (/** @type {Event} */ event) =>
      event.composedPath().includes(root) || this.to(markOf(/** @type {Element} */ (event.target))); // charts tell by themselves
    this.onclick = (/** @type {Event} */ event) =>
      /** @type {Element} */ (event.target).closest?.("a[href^='#mark:']") && event.preventDefault(); // it leads nowhere
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, this.onpoint);
    document.addEventListener("click", this.onclick, true);
  }

  close() {
    for (const kind of ["pointerover", "focusin"]) document.removeEventListener(kind, this.onpoint);
    document.removeEventListener("click", this.onclick, true);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }

  /** @type {(view: View) => void} */
  watch(view) {
    // a finger hovers over nothing: what it taps stays lit
    for (const kind of /** @type {const} */ (["pointerover", "touchstart"]))
      view.addEventListener(kind, (_, item) => this.to(item?.datum?.mark ?? ""));
    view.addEventListener("pointerout", () => this.to(""));
  }

  /** @type {(mark: string) => void} */
  to(mark) {
    if (mark === this.mark) return;
    this.mark = mark;
    this.sheet.replaceSync(lightOf(mark));
    this.light(mark);
  }
}
