// Parts of a card that can be put into another order: by pointer or finger, or by the arrow keys of one that has the focus.
// `moved` is told which part goes where, both counted from 1.

export function nearestOf(parts, x, y) {
  const far = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return Math.hypot(x - (left + right) / 2, 2 * (y - (top + bottom) / 2)); // parts stand in lines
  };
  return parts.reduce((best, one) => (far(one) < far(best) ? one : best));
}

export class Moving {
  constructor(box, moved) {
    Object.assign(this, { box, moved, held: null, person: null });
    box.addEventListener("pointerdown", (event) => this.take(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    box.addEventListener("pointerup", (event) => this.drop(event));
    box.addEventListener("pointercancel", () => this.leave());
    box.addEventListener("keydown", (event) => this.key(event));
  }

  parts(part) {
    return [...part.parentElement.querySelectorAll("[data-place]")];
  }

  take(event) {
    const part = event.target.closest("[data-place]");
    if (!part || event.button) return;
    part.setPointerCapture(event.pointerId);
    this.held = { part, x: event.clientX, y: event.clientY };
  }

  drag({ clientX, clientY }) {
    if (this.held) this.held.part.style.translate = `${clientX - this.held.x}px ${clientY - this.held.y}px`;
  }

  leave() {
    if (this.held) this.held.part.style.translate = "";
    this.held = null;
  }

  drop({ clientX, clientY }) {
    if (!this.held) return;
    const { part } = this.held;
    this.leave();
    this.tell(part, nearestOf(this.parts(part), clientX, clientY));
  }

  key(event) {
    const part = event.target.closest("[data-place]"),
      by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!part || !by) return;
    event.preventDefault();
    const parts = this.parts(part);
    this.tell(part, parts[parts.indexOf(part) + by] ?? part);
  }

  tell(part, there) {
    if (there === part) return;
    this.person = part.dataset.person;
    this.moved(+part.dataset.place, +there.dataset.place);
  }

  drawn() {
    // what was moved keeps the focus where it is now
    if (this.person) this.box.querySelector(`[data-person="${this.person}"]`)?.focus({ preventScroll: true });
    this.person = null;
  }
}
