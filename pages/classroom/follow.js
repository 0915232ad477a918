// Where the class is: an instructor's browser sends it, a learner's goes there. See pages/player/leading.js for the player.

import { site } from "./drawing.js";

/** @import { Shown } from "../messages.js" */
/** @import { Said } from "./line.js" */

const SCATTER = 300; // milliseconds over which a class asks for a page
const RATE = 60; // milliseconds between two things that an instructor shows
const PATIENCE = 10000; // milliseconds until a page that was asked for is missed
const TRIES = 3; // to get a page
const MOVED = 1500,
  TURNED = 10000; // milliseconds after a press in which it may be what moved the player, or led to another page
const PRESSES = ["pointerdown", "keydown"];

/** @type {(value: string) => string} */
const numbered = (value) => (value !== "" && Number.isFinite(+value) ? String(+value) : value);
/** @type {(query: string) => string} */
const sorted = (query) =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => `${name}=${numbered(value)}`)
    .sort()
    .join("&");
/** @type {(one: string, other: string) => boolean} */
export const alike = (one, other) => sorted(one) === sorted(other); // links may say the same in other words
/** @type {(place: Shown | Here) => string} */
const nameOf = ({ page, query }) => `${page}?${sorted(query)}`;
/** @type {(place: Shown | Here) => string} */
export const stepOf = ({ page, query }) =>
  [page, ...["lesson", "step"].map((name) => new URLSearchParams(query).get(name))].join();

const runs = () => {
  const app = /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stApp]"));
  return app?.dataset.testScriptState !== "notRunning";
};

export function atRest() {
  // the player says so, see pages/player/resting.js; pages without one have a script alone
  const player = /** @type {HTMLElement | null} */ (document.querySelector("[data-at-rest]"));
  return player ? player.dataset.atRest !== "" : !runs();
}

/** @type {(query: string, own: Record<string, string | number>) => string} */
export function withOwn(query, own) {
  // a link with other values in it
  const names = new URLSearchParams(query);
  for (const [name, value] of Object.entries(own)) names.set(name, String(value));
  return String(names);
}

/** @type {(place: Pick<Shown, "page" | "query" | "t">) => void} */
export function visit({ page, query, t }) {
  // have Streamlit go where a link says
  const names = new URLSearchParams(query),
    course = new URLSearchParams(location.search).get("course");
  const search = [query, query && `t=${t}`, course && !names.has("course") && new URLSearchParams({ course })]
    .filter(Boolean)
    .join("&");
  const place = query ? `${names.get("lesson")} ${names.get("step")}` : "cover"; // as the player notes it
  history.replaceState({ ...history.state, place }, "", `${site.folder}${page}${search && `?${search}`}`);
  window.dispatchEvent(new PopStateEvent("popstate", { state: { led: true } }));
}

export class Shows {
  // the instructor's: `by` tells her browsers apart
  /** @type {Shown | null} */ here = null;
  /** @type {Shown | null} */ sent = null;
  /** @type {number | null} */ due = null;
  held = false;

  /** @param {(message: Said) => unknown} say @param {string} by */
  constructor(say, by = "") {
    this.say = say;
    this.ear = (/** @type {CustomEvent<Here>} */ { detail }) => {
      const { page } = detail;
      this.here = page === undefined ? null : { ...detail, page, by }; // a player that has nothing yet
      this.send();
    };
    document.addEventListener("samplescope:here", this.ear);
  }

  again() {
    // after the connection was lost
    this.sent = null;
    this.send();
  }

  send() {
    // at once, and then as often as the class can take it
    if (this.held || this.due || !this.here || this.here === this.sent) return;
    if (!this.say({ show: this.here })) return;
    this.sent = this.here;
    this.due = setTimeout(() => {
      this.due = null;
      this.send();
    }, RATE);
  }

  close() {
    clearTimeout(this.due ?? undefined);
    document.removeEventListener("samplescope:here", this.ear);
  }
}

export class Follows {
  /** @type {Here | undefined} */ here;
  /** @type {Shown | null} */ wanted = null;
  /** @type {string | null} */ going = null;
  /** @type {string | null} */ asked = null;
  /** @type {string | null | undefined} */ got;
  /** @type {number | undefined} */ due;
  /** @type {{ at: number, from: Here } | null} the latest press on the page */ press = null;
  tries = 0;
  free = false;

  /** @param {() => unknown} [left] is called when somebody who follows goes elsewhere by a press of her own */
  constructor(left = () => {}) {
    this.left = left;
    this.ear = (/** @type {CustomEvent<Here>} */ { detail }) => {
      this.here = detail;
      if (this.going) setTimeout(() => this.come());
      else if (this.strays) this.left();
    };
    this.onpress = (/** @type {Event} */ event) => this.pressed(event);
    document.addEventListener("samplescope:here", this.ear);
    for (const kind of PRESSES) document.addEventListener(kind, this.onpress, true);
  }

  /** @type {(event: Event) => void} */
  pressed(event) {
    // on the page, not in the panels of the class
    if (
      !event.isTrusted ||
      !this.here ||
      event.composedPath().some((one) => one instanceof Element && one.id === "samplescope-class")
    )
      return;
    this.press = { at: performance.now(), from: this.here };
  }

  get strays() {
    // whether the latest press has led away from where the class is
    const { press, wanted, here } = this;
    if (!press || !wanted || !here || this.free) return false;
    const since = performance.now() - press.at,
      turned = nameOf(here) !== nameOf(press.from);
    if (turned) return since < TURNED && nameOf(here) !== nameOf(wanted);
    if (since > MOVED) return false;
    if (here.playing !== press.from.playing) return here.playing !== wanted.playing; // before it has moved
    return !here.playing && here.t !== press.from.t && here.t !== wanted.t;
  }

  /** @type {(place: Shown | null, free?: boolean) => void} */
  show(place, free = false) {
    // go where the class is; null stays. What is free is played by the learner
    if (free && !this.free) document.dispatchEvent(new CustomEvent("samplescope:lead", { detail: null }));
    this.free = free;
    const news = JSON.stringify(place) !== JSON.stringify(this.wanted);
    this.wanted = place;
    if (news) this.press = null;
    if (news) this.tries = 0;
    if (news) this.come();
  }

  get there() {
    // what cannot be shown here just so, a view that is hidden until a question is answered, is there as near as it can be
    const wanted = this.wanted && nameOf(this.wanted),
      here = this.here && nameOf(this.here);
    return (wanted && here === wanted) || (this.asked === wanted && here && here === this.got);
  }

  get near() {
    // the step at least, or the page
    return this.here && this.wanted && stepOf(this.here) === stepOf(this.wanted);
  }

  come() {
    if (!this.wanted) return;
    if (this.there) {
      clearTimeout(this.due);
      this.going = null;
      const { t, playing, speed } = this.wanted;
      if (!this.free) document.dispatchEvent(new CustomEvent("samplescope:lead", { detail: { t, playing, speed } }));
    } else if (this.going !== nameOf(this.wanted)) {
      this.going = nameOf(this.wanted);
      clearTimeout(this.due);
      this.due = setTimeout(() => this.go(), Math.random() * SCATTER);
    }
  }

  go() {
    if (!this.wanted) return;
    Object.assign(this, { asked: this.going, got: null });
    visit(this.wanted);
    this.settle(performance.now());
  }

  /** @type {(start: number, ran?: boolean) => void} */
  settle(start, ran = false) {
    // has the page come, as far as it can?
    clearTimeout(this.due);
    this.due = setTimeout(() => {
      ran ||= runs();
      if (!(ran && atRest()) && performance.now() < start + PATIENCE) return this.settle(start, ran);
      this.got = this.here && nameOf(this.here);
      if (this.going === this.asked) this.going = null;
      if (!this.wanted || nameOf(this.wanted) !== this.asked) return;
      if (this.near || this.tries >= TRIES) return this.come();
      Object.assign(this, { got: null, asked: null, tries: this.tries + 1 }); // a page that came late took its place
      this.come();
    }, 50);
  }

  stay() {
    // where the learner is, whose player is their own again
    clearTimeout(this.due);
    Object.assign(this, { going: null, wanted: null });
    document.dispatchEvent(new CustomEvent("samplescope:lead", { detail: null }));
  }

  close() {
    this.stay();
    document.removeEventListener("samplescope:here", this.ear);
    for (const kind of PRESSES) document.removeEventListener(kind, this.onpress, true);
  }
}
