// Says, on the element that holds the player, whether anything is under way on the page: `data-at-rest` is the iteration
// at which all is drawn, told, heard by the server and on the cards, and it is empty until then.
// `player` is the one of player.js.

import { Fold } from "./fold.js";
import { droppable, namedOnce } from "./naming.js";
import { placeOf } from "./reckoning.js";

const LOOK = 40; // milliseconds between two looks while something is under way
const ANSWERED = 300; // milliseconds after a press until the page says that its script runs: Streamlit puts off what a slider says
const PRESSES = ["pointerdown", "pointerup", "click", "keydown", "input", "change"];

/** @import { Player } from "./player.js" */

export class Resting {
  pressed = -Infinity; // when something was pressed on the page
  calm = 0; // how many looks in a row have found nothing under way
  /** @type {number | null} */ due = null;
  fold = new Fold();
  /** @type {Element | null} */ cards = null; // whose size is watched: a chart on them comes when all else is at rest

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.host = player.host;
    this.app = /** @type {HTMLElement} */ (document.querySelector("[data-testid=stApp]"));
    this.onpress = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(player.root)) this.pressed = performance.now();
      this.stir();
    };
    for (const kind of PRESSES) document.addEventListener(kind, this.onpress, true);
    window.addEventListener("popstate", this.onpress, true);
    this.runs = new MutationObserver(() => this.stir());
    this.runs.observe(this.app, { attributeFilter: ["data-test-script-state"] });
    this.sizes = new ResizeObserver(() => this.stir());
    this.stir();
  }

  close() {
    clearTimeout(this.due ?? undefined);
    for (const kind of PRESSES) document.removeEventListener(kind, this.onpress, true);
    window.removeEventListener("popstate", this.onpress, true);
    this.runs.disconnect();
    this.sizes.disconnect();
  }

  stir() {
    // something has begun, or may have
    if (this.host.dataset.atRest !== "") this.host.dataset.atRest = "";
    this.calm = 0;
    this.due ??= setTimeout(() => this.look(), LOOK);
  }

  look() {
    // twice in a row: what is seen at the first look is painted at the second
    this.due = null;
    if (!this.player.root.isConnected) return;
    this.watch();
    this.calm = this.busy ? 0 : this.calm + 1;
    if (this.calm > 1 && this.fold.fit(this.step, !this.player.part("divide").hidden)) this.calm = 0;
    if (this.calm > 1) this.rest();
    else this.due = setTimeout(() => this.look(), LOOK);
  }

  rest() {
    namedOnce();
    droppable();
    this.player.reading.tell();
    this.host.dataset.atRest = String(this.player.at);
  }

  watch() {
    const cards = document.querySelector(".st-key-inspector");
    if (cards === this.cards) return;
    this.cards = cards;
    this.sizes.disconnect();
    if (cards) this.sizes.observe(cards);
  }

  get step() {
    // the lesson's step that is open, "" on covers and in free play
    const { poster, message } = this.player;
    return !poster && message.link.includes("lesson=") ? placeOf(message.link) : "";
  }

  get busy() {
    const { player, app, pressed } = this,
      { latest } = player;
    const moves = player.restless && !(player.poster && player.state.playing); // a cover plays on and on
    const told = player.reporter.unheard.length > 0 || latest.told !== null || latest.next.size > 0;
    return (
      moves ||
      told ||
      player.due > 0 ||
      app.dataset.testScriptState !== "notRunning" ||
      performance.now() < pressed + ANSWERED ||
      this.waits
    );
  }

  get waits() {
    // for cards of this iteration, or for what is computed slice by slice
    const cards = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-inspector [data-t]"));
    const behind =
      cards && !this.player.poster && (cards.ariaBusy === "true" || Number(cards.dataset.t) !== this.player.at);
    return behind || document.querySelector(".stProgress") !== null;
  }
}
