// Shows the inspector's cards of the iteration that is on the screen: at rest those that came with the page, and while
// the film moves those that the routes give, some times a second.

import { element, living } from "./canvas.js";
import { Charts } from "./drawn.js";
import { Moving } from "./moving.js";
import { Refused, fetched, speakFor } from "./source.js";

/** @import { Cards as Told } from "../messages.js" */
/** @import { Root } from "./canvas.js" */

const RATE = 6; // cards a second while it plays
const REMEMBERED = 400; // cards

/** @type {(args: Component<Told>) => () => void} */
export default function ({ data: [data], parentElement: root }) {
  const cards = living(root, Cards);
  cards.receive(data);
  return () => setTimeout(() => root.isConnected || cards.close());
}

/** @type {(t: number, playing: boolean, speed: number) => { every: number, second: number, wanted: number }} */
export function cardsAt(t, playing, speed) {
  // one of `every` so many is shown, the `wanted` one now; a second's are asked for together
  const every = playing ? Math.max(1, Math.round(speed / RATE)) : 1;
  const second = playing ? every * Math.max(1, Math.ceil(speed / every)) : 1; // of cards, in iterations
  return { every, second, wanted: t - (t % every) };
}

class Cards {
  /** @type {string} */ source = "";
  /** @type {string | undefined} */ view;
  /** @type {number} */ wanted;
  /** @type {string | undefined} */ drawn;
  /** @type {AbortController | null} */ asking = null;
  /** @type {ShownFrame | null} what the player announced last */ shown = null;
  /** @type {Map<number, string>} */ known = new Map();
  stale = false; // whether what is drawn is of another run

  /** @param {Root} root */
  constructor(root) {
    this.root = root;
    this.box = document.createElement("div");
    this.live = Object.assign(element("div", "unseen"), { role: "status" }); // what a step did, for those who can't see it
    root.replaceChildren(this.box, this.live);
    this.charts = new Charts(this.box, root);
    this.moving = new Moving(this.box, (which, to) =>
      document.dispatchEvent(new CustomEvent("samplescope:moved", { detail: { which, to } })),
    );
    this.onshown = (/** @type {CustomEvent<ShownFrame>} */ { detail }) => {
      this.shown = detail;
      this.follow(detail);
    };
    document.addEventListener("samplescope:shown", this.onshown);
    document.dispatchEvent(new CustomEvent("samplescope:look")); // the player may have been here before
  }

  close() {
    document.removeEventListener("samplescope:shown", this.onshown);
    this.asking?.abort();
    this.charts.close();
  }

  /** @type {(told: Told) => void} */
  receive({ html, source, view, t, session }) {
    speakFor(session);
    if (source !== this.source || view !== this.view) {
      this.asking?.abort();
      this.asking = null;
      this.known.clear();
      Object.assign(this, { source, view, stale: true });
    }
    if (html) this.known.set(t, html);
    this.charts.draw(); // the page may have another theme
    const { shown } = this;
    this.follow(shown?.source === source ? shown : { source, t, playing: false, speed: 1 });
  }

  /** @type {(shown: ShownFrame) => void} */
  follow({ source, t, playing, speed, total = Infinity }) {
    if (source !== this.source || !this.root.isConnected) return;
    const { every, second, wanted } = cardsAt(t, playing, speed);
    this.wanted = wanted;
    this.draw(this.wanted);
    if (!playing) this.tell();
    const next = this.known.has(this.wanted) ? t + second / 2 : t; // those to come are asked for in time
    const from = next - (next % second);
    if (!this.known.has(this.wanted) || (playing && !this.known.has(from) && from <= total))
      this.ask(from, Math.min(from + second, total + 1), every);
  }

  /** @type {(from: number, to: number, every: number) => Promise<void>} */
  async ask(from, to, every) {
    // one answer after the other: if they are slow, there are fewer
    if (this.asking) return;
    const { signal } = (this.asking = new AbortController()),
      { source, view } = this;
    try {
      /** @type {{ cards: string[] }} */
      const { cards } = await fetched(source, "cards", { view, from, to, every }, (said) => this.say(said), signal);
      if (this.known.size > REMEMBERED) this.known.clear();
      cards.forEach((html, i) => this.known.set(from + i * every, html));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      this.known.set(this.wanted, `<p class="quiet">${element("i", "", error.message).innerHTML}</p>`);
    }
    this.asking = null;
    if (this.shown) this.follow(this.shown);
  }

  /** @type {(said: string | null) => void} */
  say(said) {
    // what is waited for, where nothing of this run stands yet
    if (!said || !this.stale) return;
    const line = document.createElement("p");
    Object.assign(line, { className: "quiet", textContent: `${said} …` });
    this.box.replaceChildren(line);
  }

  tell() {
    // of the beat that is under way, or else of the last one
    const beats = /** @type {HTMLElement[]} */ ([...this.box.querySelectorAll(".beat")]),
      said = beats.find((beat) => beat.matches(".main")) ?? beats.at(-1);
    const words = said ? said.innerText.replace(/\s+/g, " ") : ""; // before the first step there is nothing to tell
    if (this.box.ariaBusy !== "true" && words !== this.live.textContent) this.live.textContent = words;
  }

  /** @type {(t: number) => void} */
  draw(t) {
    const html = this.known.get(t);
    this.box.ariaBusy = String(html === undefined);
    if (html === undefined) return;
    this.box.dataset.t = String(t);
    if (html === this.drawn && !this.stale) return;
    this.box.innerHTML = this.drawn = html;
    this.stale = false;
    this.charts.drawn();
    this.moving.drawn();
  }
}
