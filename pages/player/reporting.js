// Says to Python what happens here, until it is heard, and keeps the address bar at what is on the screen.
// `player` is the one of player.js.

import { isAt, placeOf, searchOf, untold } from "./reckoning.js";
import { moves } from "./transport.js";

/** @import { Events, Message } from "../messages.js" */
/** @import { Player } from "./player.js" */
/** @typedef {{ kind: keyof Events, number: number, chain: string | null }} Report with the parts of its event */

const ENCORE = 2500; // milliseconds before a poster plays again
const PATIENCE = 2000; // milliseconds until a report is told once more
const PAUSE = 2000; // milliseconds between two steps, from which on each is told at once
const SETS = ["change", "keydown"]; // what sets a widget, besides clicks
const COVER = "cover";

export class Reporter {
  /** @type {(name: string, reports: Report[]) => void} */ post = () => {};
  /** @type {Report[]} */ unheard = [];
  /** @type {number | undefined} the report that Python heard last */ heard;
  count = 0; // of reports
  /** @type {string | null} where Python knows the player to be */ reported = null;
  /** @type {number | null} a rest is told soon */ telling = null;
  restedAt = -Infinity;
  sending = false;
  /** @type {number | null} a press on the page is on its way */ yields = null;
  /** @type {number | undefined} */ again;
  /** @type {number | undefined} */ encore;

  /** @param {Player} player */
  constructor(player) {
    const { root } = player;
    this.player = player;
    this.onpoint = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(root)) this.flush();
    };
    this.onclick = (/** @type {MouseEvent} */ event) => this.hold(event);
    this.onset = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(root)) this.yield();
    };
    this.onback = (/** @type {PopStateEvent} */ event) => {
      if (event.isTrusted) this.leave();
      else if (!event.state?.led) this.note("now"); // the store's, before it has the page run from the address
    };
    document.addEventListener("pointerdown", this.onpoint, true);
    document.addEventListener("click", this.onclick, true);
    for (const kind of SETS) document.addEventListener(kind, this.onset, true);
    window.addEventListener("popstate", this.onback, true); // before Streamlit's
  }

  close() {
    this.calm();
    clearTimeout(this.encore);
    document.removeEventListener("pointerdown", this.onpoint, true);
    document.removeEventListener("click", this.onclick, true);
    for (const kind of SETS) document.removeEventListener(kind, this.onset, true);
    window.removeEventListener("popstate", this.onback, true);
  }

  // ---- reports --------------------------------------------------------------------------------------------------

  /** @type {<Kind extends keyof Events>(kind: Kind, report: Events[Kind]) => number} */
  send(kind, report) {
    // told again with the next one until a message says that it was heard: one may get lost
    if (kind !== "rest") this.flush();
    const number = ++this.count;
    this.player.resting.stir();
    this.unheard = untold(this.unheard, { kind, number, chain: this.player.film?.described.chain ?? null, ...report });
    this.tell(PATIENCE);
    return number;
  }

  /** @type {(patience: number) => void} */
  tell(patience) {
    clearTimeout(this.again);
    if (!this.player.root.isConnected || !this.unheard.length) return;
    if (this.yields) {
      this.again = setTimeout(() => this.tell(patience), 0);
      return;
    }
    this.post("told", [...this.unheard]);
    this.sending = true;
    setTimeout(() => {
      this.sending = false;
    }, 0);
    this.again = setTimeout(() => this.tell(2 * patience), patience);
  }

  /** @type {(heard: number) => void} */
  acknowledge(heard) {
    this.heard = heard;
    this.count = Math.max(this.count, heard); // there was a page before this one
    this.unheard = this.unheard.filter(({ number }) => number > heard);
    if (!this.unheard.length) clearTimeout(this.again);
  }

  // Streamlit sends what it is told in one turn as one message, and has only the stage drawn for one of the player's. So
  // what is pressed on the page and what the player tells have turns of their own, in the order in which they came.

  /** @type {(event: MouseEvent) => void} */
  hold(event) {
    // a press after a report comes once that is sent
    const path = event.composedPath(),
      target = /** @type {Element} */ (path[0]); // in a shadow root the event's own target is only the host
    if (path.includes(this.player.root)) return;
    this.flush();
    if (!this.sending) return this.yield();
    event.preventDefault();
    event.stopImmediatePropagation();
    const Kind = /** @type {typeof MouseEvent} */ (event.constructor);
    setTimeout(() => target.isConnected && target.dispatchEvent(new Kind(event.type, event)), 0);
  }

  yield() {
    // a report after a press
    clearTimeout(this.yields ?? undefined);
    this.yields = setTimeout(() => {
      this.yields = setTimeout(() => {
        this.yields = null;
      }, 0);
    }, 0); // Streamlit's turn is between
  }

  // ---- where the learner is -------------------------------------------------------------------------------------

  get whereabouts() {
    const { film, state } = this.player;
    return `${film?.described.chain} ${Math.floor(state.t)}`;
  }

  get left() {
    // Back or Forward was pressed, and Python has not answered yet: a report of this place would come after that
    const noted = history.state?.place;
    return Boolean(noted) && noted !== placeOf(this.player.message.link);
  }

  leave() {
    if (this.left) this.unheard = this.unheard.filter(({ kind }) => kind !== "rest"); // nor is one told again
  }

  calm() {
    clearTimeout(this.telling ?? undefined);
    this.telling = null;
  }

  rest() {
    // report where the learner is, once, when nothing moves any more
    const { player } = this,
      { state, leading } = player;
    if (moves(state)) return;
    if (player.poster) {
      if (!player.still.matches)
        this.encore = setTimeout(() => player.root.isConnected && player.loop(state.speed), ENCORE);
      return;
    }
    this.note();
    this.calm();
    if (this.reported === this.whereabouts || leading.quiet || this.left) return player.fetcher.settled();
    const now = performance.now(),
      since = now - this.restedAt;
    this.restedAt = now;
    // whoever steps on and on has a script run, and what is drawn at rest alone, at the first pause; and cards all along
    if (since > PAUSE || (state.until !== null && state.t >= state.until)) this.report();
    else this.telling = setTimeout(() => this.report(), 1.5 * since + 200);
  }

  report() {
    this.calm();
    if (this.left) return;
    this.reported = this.whereabouts;
    this.send("rest", { t: Math.floor(this.player.state.t) });
    this.player.fetcher.settled();
  }

  flush() {
    // before anything else is told, or pressed on the page
    const walks = this.player.do({ type: "finish" }).length > 0;
    if (walks || this.telling || this.player.leading.untold) this.report();
  }

  // ---- the address ----------------------------------------------------------------------------------------------

  /** @type {(came?: string, covered?: boolean) => void} */
  note(came = "", covered = false) {
    // the address bar reproduces what is on the screen; each step of a lesson is an entry in the history
    const { player } = this,
      { state, message, film } = player;
    if (((state.playing || player.painter.held) && !came) || !player.root.isConnected) return;
    if (!film || !isAt(message.source, location.pathname)) return; // another page's address, to which Back has led, or no film yet
    if (player.poster) return history.replaceState({ ...history.state, place: COVER }, "");
    const place = placeOf(message.link),
      noted = history.state?.place;
    if (this.left && !came) return;
    const on = covered || (noted && (came === "on" || noted === COVER)); // a page that was just opened has no entry of ours to keep
    history[on && noted !== place ? "pushState" : "replaceState"](
      { ...history.state, place },
      "",
      searchOf(message.address, state.t, location.search, message.source),
    );
  }

  async copyLink() {
    this.note();
    const said = /** @type {Element} */ (this.player.bar.button("link").querySelector(".said"));
    said.textContent =
      (await navigator.clipboard?.writeText(location.href).then(
        () => "Copied",
        () => null,
      )) ?? "See the address bar";
    setTimeout(() => {
      said.textContent = "";
    }, 2000);
  }
}
