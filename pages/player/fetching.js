// Fetches what the player shows: a film with its first frames, those to come, and what is drawn at rest alone.
// `player` is the one of player.js.

import { rowsOf } from "./canvas.js";
import { Film } from "./film.js";
import { firstStop, framesNeeded, nextStop, placeOf } from "./reckoning.js";
import { fetched } from "./source.js";
import { moves, rateOf } from "./transport.js";

/** @import { Described, Message } from "../messages.js" */
/** @import { Frames } from "./canvas.js" */
/** @import { Sets } from "./film.js" */
/** @import { Player } from "./player.js" */

const SOON = 300; // milliseconds until it is said that the first frames are being made
const LASTING = 150; // milliseconds of rest before what is drawn at rest alone is asked for

export class Fetcher {
  filling = false; // an answer is on its way
  /** @type {number | null | undefined} */ stilling = null; // what is drawn at rest is waited for, or on its way
  controller = new AbortController();
  strange = false; // the picture is another step's, and this one's takes its time
  /** @type {string | undefined} whose film is opened, or was */ chain;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  /** @type {(chain: string) => void} */
  wants(chain) {
    // a message has come: what is asked for another film is needed no more
    if (this.chain !== chain) this.controller.abort();
  }

  /** @type {(chain: string) => void} */
  begin(chain) {
    this.chain = chain;
    this.controller = new AbortController();
  }

  get aborted() {
    return this.controller.signal.aborted;
  }

  get needed() {
    const { state } = this.player;
    return framesNeeded({ ...state, rate: rateOf(state) });
  }

  /** @type {(head: Message) => Promise<Film | null>} */
  async opened(head) {
    // the film of a message with its first frames; null if another one is wanted meanwhile
    const { player } = this,
      { signal } = this.controller,
      stop = firstStop(head);
    /** @type {(what: string, args: object) => Promise<any>} */
    const ask = (what, args) => fetched(head.source, what, { ...args }, (said) => player.bar.say(said), signal);
    const another = Boolean(player.film) && placeOf(head.link) !== placeOf(player.message.link);
    const slow = setTimeout(() => {
      player.bar.say("Making the first frames");
      this.strange = another;
      player.veil();
    }, SOON);
    try {
      const still = head.still && head.at < stop ? ask("still", { t: head.at }) : null;
      /** @type {[Described, Frames, Sets | null]} */
      const [described, first, sets] = await Promise.all([
        ask("film", {}),
        ask("frames", { from: 0, to: stop }),
        still,
      ]);
      const film = new Film(described, sets ?? {}, sets && `${head.still} ${head.at}`);
      film.keep(first);
      return film;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  async fill() {
    // one answer after the other
    const { player } = this,
      { film } = player;
    if (this.filling || !film) return;
    this.filling = true;
    const { signal } = this.controller;
    try {
      while (player.film === film && film.frames.length < this.needed && player.root.isConnected) {
        const { state } = player,
          from = film.frames.length,
          to = nextStop(from, { ...state, rate: rateOf(state), needed: this.needed });
        /** @type {Frames} */
        const more = await fetched(
          player.message.source,
          "frames",
          { from, to },
          (said, lost) => player.bar.say(lost ? said : null),
          signal,
        ); // how far it is, the bar says by itself
        if (player.film === film) this.take(film, more);
      }
    } catch (error) {
      if (!signal.aborted) player.bar.fail(error);
    }
    this.filling = false;
    if (player.film !== film) this.fill();
  }

  /** @type {(film: Film, more: Frames) => void} */
  take(film, more) {
    // frames that were asked for are there
    this.player.painter.insert(film.keep(more));
    this.player.do({ type: "frames" });
  }

  settled() {
    // what is drawn at rest alone is asked for once rest lasts
    const { player } = this,
      { film, message, state } = player;
    clearTimeout(this.stilling ?? undefined);
    this.stilling = null;
    const t = Math.floor(state.t),
      key = `${message.still} ${t}`;
    if (!film || !message.still || moves(state) || key === film.drawn) return;
    const { signal } = this.controller,
      soon = Number(film.drawn?.split(" ").at(-1)) === t; // something else has changed than the iteration
    this.stilling = setTimeout(
      async () => {
        /** @type {Sets | void} */
        const sets = await fetched(player.message.source, "still", { t }, () => {}, signal).catch((error) => {
          if (!signal.aborted) console.error(error);
        });
        if (player.message.still && t === Math.floor(player.state.t) && !moves(player.state) && sets) {
          film.rested = sets;
          film.drawn = key;
          for (const [name, columns] of Object.entries(sets)) player.painter.replace(name, rowsOf(columns));
          player.painter.run();
        }
        this.stilling = null;
      },
      soon ? 0 : LASTING,
    );
  }
}
