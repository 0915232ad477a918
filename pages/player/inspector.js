// The inspector on pages without Streamlit: a button for each view, and the cards of the open one.

import { element } from "./canvas.js";
import mountCards from "./cards.js";

/** @typedef {{ source: string, t: number, about: boolean }} Shown of which run and iteration, and whether it is what a step is about */

export class Inspector {
  /** @type {HTMLElement | null} */ box = null;
  leave = () => {};

  /** @param {HTMLElement} bar for the buttons, above the cards @param {(name: string) => void} choose */
  constructor(bar, choose) {
    this.bar = bar;
    this.choose = choose;
  }

  close() {
    this.box?.remove(); // or its old cards would be waited for
    this.box = null;
    this.leave();
    this.leave = () => {};
  }

  /** @type {(views: [string, string][], view: string, shown: Shown) => void} */
  show(views, view, { source, t, about }) {
    this.bar.hidden = !views.length;
    this.bar.replaceChildren(...views.map(([name, title]) => this.button(name, title, name === view)));
    if (!view) return this.close();
    this.box ??= this.opened();
    this.box.classList.toggle("st-key-about", about); // then the main picture is lower
    this.leave = mountCards({
      data: [{ html: "", source, view, t, session: "" }],
      parentElement: /** @type {any} */ (this.box),
      setTriggerValue: () => {},
      setStateValue: () => {},
    });
  }

  /** @type {() => HTMLElement} */
  opened() {
    const box = element("div", "st-key-inspector");
    this.bar.after(box);
    // cards that are wider than a phone scroll, by key as well
    new ResizeObserver(() => (box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1)).observe(box);
    return box;
  }

  /** @type {(name: string, title: string, pressed: boolean) => HTMLElement} */
  button(name, title, pressed) {
    const one = Object.assign(element("button", "", title), { type: "button", ariaPressed: String(pressed) });
    one.onclick = () => this.choose(name);
    return one;
  }

  focus() {
    // on the view that is open
    /** @type {HTMLElement | null} */ (this.bar.querySelector('[aria-pressed="true"]'))?.focus();
  }
}
