// A class leads this player, or follows it, by events of the document and without a script; see pages/classroom.
// `player` is the one of player.js.

import { nextRest } from "./reckoning.js";
import { rateOf } from "./transport.js";

const SLACK = 1; // seconds by which a film that plays may be behind or ahead
const BEAT = 1000; // milliseconds between two times that a film that plays says where it is
const FAR = 180; // iterations from which on a run is not walked but jumped to

/** @import { Player } from "./player.js" */

export class Leading {
  /** @type {Partial<Here>} what a class was told last */ told = {};
  at = 0; // and when
  led = false;

  /** @param {Pick<Player, "do" | "film" | "guess" | "last" | "page" | "painter" | "poster" | "reporter" | "root" | "state" | "message">} player */
  constructor(player) {
    this.player = player;
    /** @type {{ [Kind in keyof DocumentEventMap]?: (event: DocumentEventMap[Kind]) => void }} */
    this.ears = {
      "samplescope:where": () => this.tell(true),
      "samplescope:lead": ({ detail }) => this.go(detail),
      "samplescope:run": ({ detail }) => this.run(detail),
      "samplescope:crowd": ({ detail }) => this.player.guess.among(detail),
      "samplescope:guessed": ({ detail }) => this.player.guess.set(detail),
    };
    this.hear("addEventListener");
  }

  close() {
    this.hear("removeEventListener");
  }

  /** @type {(how: "addEventListener" | "removeEventListener") => void} */
  hear(how) {
    for (const [name, ear] of Object.entries(this.ears)) document[how](name, /** @type {EventListener} */ (ear));
  }

  /** @type {Here} */
  get here() {
    // what a class is shown of this
    const { poster, page, film, message, state } = this.player,
      { goal, wanted, t, playing } = state;
    if (poster) return { page, query: "", t: 0, playing: false, speed: 1 };
    const topic = film ? message.source.split("?")[0] : undefined;
    return { page: topic, query: message.link, t: Math.floor(goal ?? wanted ?? t), playing, speed: rateOf(state) };
  }

  /** @type {(again?: boolean) => void} */
  tell(again = false) {
    // to whom it concerns: a page that is in a class asks for it first
    const { root, painter } = this.player;
    if (!document.documentElement.dataset.class || !root.isConnected || (painter.held && !again)) return;
    const { here, told } = this,
      now = performance.now();
    const moved = here.t !== told.t && (!here.playing || now > this.at + BEAT);
    const { page, query, playing, speed } = told;
    const same = page === here.page && query === here.query && playing === here.playing && speed === here.speed;
    if (!again && !moved && same) return;
    this.told = here;
    this.at = now;
    document.dispatchEvent(new CustomEvent("samplescope:here", { detail: here }));
  }

  /** @type {(place: { t: number, playing: boolean, speed: number } | null) => void} */
  go(place) {
    // to where the class is; null lets go
    const { player } = this,
      { state } = player;
    this.led = Boolean(place);
    if (!place || player.poster || player.last < 0) return;
    const { playing, speed } = place,
      t = Math.min(place.t, state.total),
      here = state.goal ?? state.wanted ?? state.t;
    if (!playing) {
      if (here === t && !state.playing) return;
      const steps = t > state.t && t <= nextRest(Math.floor(state.t), 1, state.stride);
      player.do({ type: steps ? "walk" : "settle", t });
      return;
    }
    if (Math.abs(state.t - t) > speed * SLACK) player.do({ type: "jump", t });
    if (!player.state.playing || player.state.hurry !== speed) player.do({ type: "play", hurry: speed });
  }

  /** @type {(t: number) => void} */
  run(t) {
    // a learner's own run, to where the class looks at it
    const { player } = this;
    player.do({ type: "halt" });
    player.do({ type: Math.abs(t - player.state.t) > FAR ? "settle" : "walk", t });
  }

  get quiet() {
    // a class has moved it: a script need not run, unless it draws what is open, or says that a goal is reached
    const { until, t } = this.player.state;
    return (
      this.led && !(until !== null && t >= until) && !document.querySelector(".st-key-inspector:not(:has([data-t]))")
    );
  }

  get untold() {
    const { poster, reporter } = this.player;
    return this.led && !poster && reporter.reported !== reporter.whereabouts;
  }
}
