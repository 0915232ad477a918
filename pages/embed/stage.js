// The bare stage: the player, and its cards on demand, on a page of their own that others show in a frame. It keeps nothing.

import { element } from "../player/canvas.js";
import { Inspector } from "../player/inspector.js";
import mountPlayer from "../player/player.js";
import { searchOf } from "../player/reckoning.js";
import { Refused } from "../player/source.js";
import { appAt, lead, start, went } from "./leads.js";

/** @import { Staged } from "../messages.js" */

const NOT_HERE = '[data-act="link"], [data-take="keep"]'; // a frame's link is in its page, and it has no My work
const LEAST = 144; // pixels of the main picture
const FAILED = "This could not be shown. Reload the page to try again.";

/** @type {(selector: string) => HTMLElement} */
const part = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

export class BareStage {
  /** @type {Staged} */ told;
  view = ""; // the open one
  t = 0;
  heard = 0; // the player's last report
  /** @type {Staged["message"]["go"]} */ go = null;
  /** @type {Promise<void>} */ busy = Promise.resolve();

  constructor() {
    this.root = part(".st-key-player").attachShadow({ mode: "open" });
    this.inspector = new Inspector(part(".st-key-views"), (name) => this.look(name));
    const sizes = new ResizeObserver(() => this.fit());
    for (const one of [document.documentElement, this.root.host]) sizes.observe(one);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.told && this.show());
    addEventListener("message", ({ source, data }) => {
      if (source === parent && typeof data?.samplescopeTheme === "string") this.paint(data.samplescopeTheme);
    });
  }

  /** @type {(theme: string) => void} as the page around it looks */
  paint(theme) {
    document.documentElement.dataset.theme = theme;
    if (this.told) this.show();
  }

  /** @type {(search: URLSearchParams, event?: object) => Promise<void>} */
  async lead(search, event) {
    try {
      this.take(await lead(search, (said) => this.say(said ?? ""), event));
    } catch (error) {
      if (!(error instanceof Refused)) console.error(error);
      this.say(error instanceof Refused ? error.message : FAILED);
      if (this.told) this.show(); // the player waits for an answer
    }
  }

  /** @type {(told: Staged) => void} */
  take(told) {
    const before = this.told?.message,
      { message, walks } = told;
    if (walks !== null && before?.source === message.source)
      this.go = { token: String(Number(this.go?.token ?? 0) + 1), t: message.at, walk: walks };
    this.view = before
      ? this.view && (message.address === before.address ? this.view : told.view || this.view)
      : told.view;
    if (!told.views.some(([name]) => name === this.view)) this.view = this.view && (told.views[0]?.[0] ?? "");
    Object.assign(this, { told, t: message.at });
    this.say(told.notes.join(" "));
    this.show();
    this.offer();
  }

  /** @type {(words: string) => void} */
  say(words) {
    part("[role=status]").textContent = words;
  }

  /** The address of what is shown, without the iteration. */
  get address() {
    return [this.told.message.address, this.view && `view=${this.view}`].filter(Boolean).join("&");
  }

  get search() {
    const search = new URLSearchParams(searchOf(this.address, this.t, start, this.told.message.source));
    if (this.told.answered) search.set("answered", "1");
    return search;
  }

  show() {
    const { message, views } = this.told,
      { t, heard, go, address, view } = this;
    mountPlayer({
      data: [{ ...message, at: t, heard, go, address }],
      parentElement: /** @type {any} */ (this.root),
      setStateValue: () => {},
      setTriggerValue: (_, reports) => this.hear(reports),
    });
    for (const one of this.root.querySelectorAll(NOT_HERE)) one.remove();
    this.inspector.show(views, view, { source: message.source, t, about: false });
    document.documentElement.classList.toggle("open", Boolean(view));
    if (appAt(this.address)) part(".st-key-views").append(this.away());
    went(this.search, this.told.answered);
  }

  fit() {
    // the main picture takes what the frame leaves it
    const canvas = this.root.querySelector(".main .canvas"),
      besides = part("main").offsetHeight - (canvas?.clientHeight ?? Infinity);
    if (canvas) document.documentElement.style.setProperty("--room", `${Math.max(LEAST, innerHeight - besides)}px`);
  }

  away() {
    const link = Object.assign(element("a", "away", "Open in Samplescope"), { target: "_blank", rel: "noopener" });
    link.onclick = () => {
      link.href = appAt(searchOf(this.address, this.t));
    };
    link.href = appAt(searchOf(this.address, this.t));
    return link;
  }

  /** @type {(name: string) => void} */
  look(name) {
    this.view = name === this.view ? "" : name;
    this.show();
    this.inspector.focus();
  }

  offer() {
    // the answer to the question that a lesson asks first
    const box = part(".asks");
    box.hidden = !this.told.asks;
    part(".asks button").onclick = () => this.then({ kind: "answered" });
  }

  /** @type {(reports: any) => void} */
  hear(reports) {
    for (const report of reports.filter((/** @type {any} */ { number }) => number > this.heard)) {
      this.heard = report.number;
      if (report.kind !== "rest") this.then(report);
      else if (report.chain === this.told.message.chain) this.t = report.t;
    }
    this.show();
  }

  /** @type {(event: object) => void} one after the other: each goes on from where the last one led */
  then(event) {
    this.busy = this.busy.then(() => this.lead(this.search, event));
  }
}

new BareStage().lead(new URLSearchParams(start));
