// The menu of a link: the link itself, to copy, and as a QR code, and what puts the same on another page.

import { addressesOf, about } from "./addresses.js";
import { element } from "./canvas.js";

/** @import { Root } from "./canvas.js" */
/** @typedef {{ address: string, source: string, t: number, title: string }} Now what is on the screen; the main picture's title */

const TALL = 560; // pixels of a frame

/** @type {(text: string) => string} for HTML's attributes and texts */
export const escaped = (text) =>
  text.replace(/[&"<>]/g, (sign) => `&${{ "&": "amp", '"': "quot", "<": "lt", ">": "gt" }[sign]};`);

/** @type {(stage: string, title: string) => string} */
export const frameOf = (stage, title) =>
  `<iframe src="${escaped(stage)}" title="${escaped(title)}" style="width: 100%; height: ${TALL}px; border: 0" loading="lazy"></iframe>`;

/** @type {(stage: string, script: string, title: string) => string} */
export const elementOf = (stage, script, title) =>
  `<script src="${escaped(script)}" async></script>\n<samplescope-stage src="${escaped(stage)}"><a href="${escaped(stage)}">${escaped(title)}</a></samplescope-stage>`;

export class Sharing {
  /** @param {Root} root @param {HTMLElement} button @param {() => Now} now */
  constructor(root, button, now) {
    this.button = button;
    this.now = now;
    this.box = /** @type {HTMLElement} */ (root.querySelector("[data-part=links]"));
    this.box.onclick = ({ target }) => this.copy(/** @type {Element} */ (target).closest("button")?.dataset.copy);
    this.box.ontoggle = (event) =>
      button.setAttribute("aria-expanded", String(/** @type {ToggleEvent} */ (event).newState === "open"));
  }

  /** @type {(name: string) => HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.box.querySelector(`[data-shared="${name}"]`));
  }

  open() {
    this.box.togglePopover();
    if (!this.box.matches(":popover-open")) return;
    const { right, bottom } = this.button.getBoundingClientRect(),
      most = document.documentElement.clientWidth - this.box.offsetWidth - 8;
    this.box.style.cssText = `top: ${bottom + 6}px; right: ${Math.max(8, Math.min(document.documentElement.clientWidth - right, most))}px`;
    this.fill();
  }

  async fill() {
    const now = this.now(),
      { link, stage, script } = addressesOf(now),
      title = [now.title, "Samplescope"].filter(Boolean).join(" · ");
    this.field("link").value = link;
    this.field("frame").value = frameOf(stage, title);
    this.field("element").value = elementOf(stage, script, title);
    this.say("");
    const { qr, says } = await about(link);
    if (this.field("link").value !== link) return; // another was opened meanwhile
    const place = /** @type {HTMLElement} */ (this.box.querySelector("[data-part=qr]"));
    place.replaceChildren();
    if (qr) place.innerHTML = qr;
    place.firstElementChild?.setAttribute("aria-label", "QR code of this link");
    /** @type {Element} */ (this.box.querySelector("[data-part=framed]")).replaceChildren(
      ...says.map((words, i) => (i % 2 ? element("code", "", words) : words)),
    );
  }

  /** @type {(text: string) => void} */
  say(text) {
    /** @type {Element} */ (this.box.querySelector("[role=status]")).textContent = text;
  }

  /** @type {(name: string | undefined) => Promise<void>} */
  async copy(name) {
    if (!name) return;
    const field = this.field(name);
    const done = await navigator.clipboard?.writeText(field.value).then(
      () => true,
      () => false,
    );
    if (!done) field.select();
    this.say(done ? "Copied." : "Copy what is selected.");
  }
}
