// The bar below the charts: where the player is in words, its buttons, and what Step goes by.
// `player` is the one of player.js.

import { element, fill } from "./canvas.js";
import { aims } from "./transport.js";

/** @import { Player } from "./player.js" */

/** @type {Record<string, string>} what a lesson locks is called by the smaller step */
export const CONTROL = { first: "back", last: "step", goal: "play" };

export class Bar {
  /** @type {string | null} why nothing moves */ said = null;
  level = ""; // what Step goes by
  /** @type {string[]} */ names = [];

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.now = player.part("now");
    this.scrub = /** @type {HTMLInputElement} */ (player.part("scrub"));
    this.speed = /** @type {HTMLSelectElement} */ (player.part("speed"));
  }

  /** @type {(act: string) => HTMLButtonElement} */
  button(act) {
    return /** @type {HTMLButtonElement} */ (this.player.root.querySelector(`[data-act=${act}]`));
  }

  /** @type {(said: string | null) => void} */
  say(said) {
    this.said = said;
    if (said) this.now.textContent = said;
  }

  /** @type {(error: unknown) => void} */
  fail(error) {
    console.error(error);
    this.now.textContent = "The charts could not be drawn. Reload the page to try again.";
  }

  /** @type {(at: number, said: Record<string, number>) => void} */
  show(at, said) {
    const { state, message, film } = this.player,
      label = fill(message.label, said);
    this.scrub.max = String(state.total);
    this.scrub.value = String(at);
    this.scrub.setAttribute("aria-valuetext", label);
    this.now.textContent = this.said ?? (state.wanted === null ? label : `computing ${film?.last} of ${state.wanted}`);
    this.controls();
  }

  controls() {
    const { player } = this,
      { t, goal, wanted, playing, total, until, before, after } = player.state;
    const moving = playing || wanted !== null || (goal ?? 0) - t > 1; // a single step is over at once
    const start = t <= 0,
      over = t >= total;
    /** @type {Record<string, boolean>} */
    const end = { back: start && !before, first: start, step: over && !after, last: over };
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = player.root.querySelectorAll("button[data-act]");
    for (const button of buttons) {
      const act = button.dataset.act ?? "";
      button.disabled = player.locked(CONTROL[act] ?? act) || Boolean(end[act]);
    }
    const run = this.button("goal"),
      ahead = aims(player.state);
    run.hidden = !ahead;
    if (ahead) run.textContent = run.ariaLabel = `Run to ${until}`;
    this.button("last").hidden = ahead; // goes there too
    this.scrub.disabled = player.locked("scrub");
    const play = this.button("play");
    play.classList.toggle("on", moving);
    play.classList.toggle("busy", wanted !== null);
    play.setAttribute("aria-label", `${wanted !== null ? "Stop" : moving ? "Pause" : "Play"} (space)`);
    document.documentElement.toggleAttribute("data-playing", playing);
  }

  /** @type {(levels: string[]) => void} */
  offer(levels) {
    // what Step can go by: frames of this film, or those of one that shows the run from nearer or farther
    const { player } = this,
      strides = player.film?.described.strides ?? [],
      here = new Map(strides),
      names = levels.length ? levels : [...here.keys()];
    if (!here.has(this.level)) this.level = strides[0][0];
    player.do({ type: "stride", stride: here.get(this.level) ?? 1 });
    const box = player.part("levels");
    box.hidden = names.length < 2;
    if (this.names.join() !== names.join()) box.replaceChildren(...names.map((name) => this.levelled(name)));
    this.names = names;
    for (const button of /** @type {HTMLButtonElement[]} */ ([...box.children])) {
      button.setAttribute("aria-pressed", String(button.textContent === this.level));
      button.disabled = !here.has(button.textContent ?? "") && player.locked("controls");
    }
  }

  /** @type {(name: string) => HTMLElement} */
  levelled(name) {
    const button = Object.assign(element("button", "", name), { type: "button" });
    button.onclick = () => {
      const { player } = this;
      this.level = name;
      if (player.film?.described.strides.some(([level]) => level === name)) this.offer(this.names);
      else player.reporter.send("zoom", { level: name, t: Math.floor(player.state.t) });
    };
    return button;
  }
}
