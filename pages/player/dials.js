// Numbers that learners turn beside the charts, and words of which they choose one. While something is dragged, its
// latest value is sent as soon as the last one has been answered: the charts keep up with the pointer, however long an
// answer takes. Messages say which report was heard last, so that no older value overwrites a newer one.

import { element } from "./canvas.js";

/** @import { Dial, Touch } from "../messages.js" */

/** @typedef {{ name: string, value: number, done: boolean }} Turned a dial */

/** @template Report */
export class Latest {
  // reports of what changes faster than it is answered
  /** @param {(report: Report) => number} send returns the report's number */
  constructor(send) {
    this.send = send;
    /** @type {{ name: string, number: number } | null} */
    this.told = null;
    /** @type {Map<string, Report>} */
    this.next = new Map();
  }

  /** @type {(name: string, report: Report) => void} */
  put(name, report) {
    this.next.set(name, report);
    if (!this.told) this.tell();
  }

  tell() {
    const [[name, report]] = this.next;
    this.next.delete(name);
    this.told = { name, number: this.send(report) };
  }

  /** @type {(heard: number | undefined) => void} */
  answered(heard) {
    if (!this.told || heard === undefined || heard < this.told.number) return;
    this.told = null;
    if (this.next.size) this.tell();
  }

  /** @type {(name: string) => boolean} */
  awaits(name) {
    return name === this.told?.name || this.next.has(name);
  }
}

/** @type {(value: number | string, step: number | string) => string} */
export function inSteps(value, step) {
  // a number with as many digits as those that it can be
  return (+value).toFixed(String(step).split(".")[1]?.length ?? 0).replace("-", "−");
}

export class Dials {
  /** @param {HTMLElement} box @param {Latest<Turned | Touch>} latest */
  constructor(box, latest) {
    this.box = box;
    this.latest = latest;
    this.names = "";
  }

  /** @type {(dials: Dial[], locked: boolean) => void} */
  show(dials, locked) {
    // as Python has them, but for those of which it has not heard yet
    const names = dials.map(({ name }) => name).join();
    if (names !== this.names) this.box.replaceChildren(...dials.map((dial) => this.made(dial)));
    this.names = names;
    /** @type {NodeListOf<HTMLInputElement | HTMLButtonElement>} */
    const hands = this.box.querySelectorAll("input, button");
    for (const hand of hands) hand.disabled = locked;
    for (const { name, value } of dials) if (!this.latest.awaits(name)) this.put(name, value);
  }

  /** @type {(dial: Dial) => HTMLElement} */
  made(dial) {
    return dial.options.length ? this.tools(dial) : this.range(dial);
  }

  /** @type {(dial: Dial) => HTMLElement} */
  tools({ name, title, help, options }) {
    const group = Object.assign(element("div", "tools"), { role: "group", ariaLabel: title, title: help });
    group.dataset.dial = name;
    new ResizeObserver(() => {
      group.tabIndex = group.scrollWidth > group.clientWidth ? 0 : -1; // swept on a phone
      swept(group);
    }).observe(group);
    group.append(
      ...options.map((option, i) => {
        const button = Object.assign(element("button", "", option), { type: "button" });
        button.onclick = () => this.turned(name, i, true);
        return button;
      }),
    );
    return group;
  }

  /** @type {(dial: Dial) => HTMLElement} */
  range({ name, title, help, low, high, step }) {
    const range = Object.assign(element("input", ""), {
      type: "range",
      min: String(low),
      max: String(high),
      step: String(step),
      name,
      ariaLabel: title,
      ariaDescription: help,
    });
    range.oninput = () => this.turned(name, +range.value, false);
    range.onchange = () => this.turned(name, +range.value, true);
    const label = Object.assign(element("label", "", title), { title: help });
    label.append(range, element("span", ""));
    return label;
  }

  /** @type {(name: string, value: number) => void} */
  put(name, value) {
    const group = this.box.querySelector(`[data-dial="${name}"]`);
    if (group) {
      [...group.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === value)));
      return swept(group);
    }
    const range = /** @type {HTMLInputElement} */ (this.box.querySelector(`[name="${name}"]`));
    range.value = String(value);
    /** @type {HTMLElement} */ (range.nextElementSibling).textContent = inSteps(range.value, range.step);
  }

  /** @type {(name: string, value: number, done: boolean) => void} */
  turned(name, value, done) {
    this.put(name, value);
    this.latest.put(name, { name, value, done });
  }
}

/**
 * Sweeps a row of buttons, where it is wider than its room, until the pressed one is in the middle.
 * @type {(group: Element) => void}
 */
function swept(group) {
  const pressed = group.querySelector('[aria-pressed="true"]');
  if (!pressed || group.scrollWidth <= group.clientWidth) return;
  const [box, room] = [pressed.getBoundingClientRect(), group.getBoundingClientRect()];
  group.scrollLeft += (box.left + box.right - room.left - room.right) / 2;
}
