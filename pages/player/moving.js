// Parts of a card that can be put into another order: by pointer or finger, or by the arrow keys of one that has the focus.
// `moved` is told which part goes where, both counted from 1.

/** @template {Element} Part @param {Part[]} parts @param {number} x @param {number} y @returns {Part} */
export function nearestOf(parts, x, y) {
  const far = (/** @type {Element} */ one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return Math.hypot(x - (left + right) / 2, 2 * (y - (top + bottom) / 2)); // parts stand in lines
  };
  return parts.reduce((best, one) => (far(one) < far(best) ? one : best));
}

/** @type {(event: Event) => HTMLElement | null} */
const partOf = (event) => /** @type {Element} */ (event.target).closest("[data-place]");

export class Moving {
  /** @param {HTMLElement} box @param {(which: number, to: number) => void} moved */
  constructor(box, moved) {
    this.box = box;
    this.moved = moved;
    /** @type {{ part: HTMLElement, x: number, y: number } | null} */
    this.held = null;
    /** @type {string | null | undefined} */
    this.person = null;
    box.addEventListener("pointerdown", (event) => this.take(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    box.addEventListener("pointerup", (event) => this.drop(event));
    box.addEventListener("pointercancel", () => this.leave());
    box.addEventListener("keydown", (event) => this.key(event));
  }

  /** @type {(part: Element) => HTMLElement[]} */
  parts(part) {
    return /** @type {HTMLElement[]} */ ([...(part.parentElement?.querySelectorAll("[data-place]") ?? [])]);
  }

  /** @type {(event: PointerEvent) => void} */
  take(event) {
    const part = partOf(event);
    if (!part || event.button) return;
    part.setPointerCapture(event.pointerId);
    this.held = { part, x: event.clientX, y: event.clientY };
  }

  /** @type {(event: PointerEvent) => void} */
  drag({ clientX, clientY }) {
    if (this.held) this.held.part.style.translate = `${clientX - this.held.x}px ${clientY - this.held.y}px`;
  }

  leave() {
    if (this.held) this.held.part.style.translate = "";
    this.held = null;
  }

  /** @type {(event: PointerEvent) => void} */
  drop({ clientX, clientY }) {
    if (!this.held) return;
    const { part } = this.held;
    this.leave();
    this.tell(part, nearestOf(this.parts(part), clientX, clientY));
  }

  /** @type {(event: KeyboardEvent) => void} */
  key(event) {
    const part = partOf(event),
      by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!part || !by) return;
    event.preventDefault();
    const parts = this.parts(part);
    this.tell(part, parts[parts.indexOf(part) + by] ?? part);
  }

  /** @type {(part: HTMLElement, there: HTMLElement) => void} */
  tell(part, there) {
    if (there === part) return;
    this.person = part.dataset.person;
    this.moved(Number(part.dataset.place), Number(there.dataset.place));
  }

  drawn() {
    // what was moved keeps the focus where it is now
    /** @type {HTMLElement | null} */
    const part = this.person ? this.box.querySelector(`[data-person="${this.person}"]`) : null;
    part?.focus({ preventScroll: true });
    this.person = null;
  }
}
