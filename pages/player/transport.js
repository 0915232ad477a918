// How the player moves: from one state and an event to the next state, and what is to be done about it. Nothing here
// waits, draws or asks: see player.js for who does what is to be done.

import { LONGEST, SMOOTH, nextRest, walked } from "./reckoning.js";

/**
 * @typedef {object} State where the player is, and where it goes
 * @property {number} t the iteration, with a fraction while something moves
 * @property {number | null} goal where a walk ends
 * @property {number | null} wanted where a jump goes, as long as its frames are still computed
 * @property {boolean} playing
 * @property {number} speed iterations a second, as they were chosen
 * @property {number | null} hurry those of a run to a goal, or of a class
 * @property {number} least those that a walk makes at least
 * @property {boolean} arriving whether a film has just opened: cards have no numbers of iterations on the way
 * @property {number} stride how many frames Step goes by
 * @property {number} total the last iteration
 * @property {number | null} until where a lesson's step has its goal
 * @property {boolean} before whether another film comes before this one
 * @property {boolean} after and after it
 * @property {number} lasts seconds that a step takes
 */
/** @typedef {{ last: number, still: boolean, led: boolean }} Now the last frame that is there; motion unwelcome; led by a class */
/**
 * @typedef {"stir" | "fill" | "show" | "rest" | "rest anew" | "run" | "again" | "next" | "previous"} Effect
 *   "stir": something begins. "fill": frames are fetched. "show": it is painted. "rest": said to Python, if nothing moves.
 *   "run": the clock runs. "again": it ticks once more. "next" and "previous": another chapter is asked for.
 */
/** @typedef {"play" | "step" | "back" | "first" | "last" | "goal" | "slower" | "faster"} Act a button or a key */
/** @typedef {Pick<State, "total" | "until" | "before" | "after">} Facts of a message */
/**
 * @typedef {{ type: "act", act: Act } | { type: "walk" | "run to" | "settle", t: number }
 *   | { type: "jump", t: number, arriving?: boolean } | { type: "enter", on: boolean } | { type: "pace", speed: number }
 *   | { type: "play", hurry: number } | { type: "loop", speed: number } | { type: "halt" } | { type: "hold" }
 *   | { type: "finish" } | { type: "frames" } | { type: "tick", seconds: number } | { type: "stride", stride: number }
 *   | { type: "told", facts: Facts } | { type: "film", t: number, lasts: number } | { type: "pause" }} Event
 */
/** @typedef {[State, Effect[]]} Next */

const SPEEDS = [0.5, 1, 2, 5, 15, 60]; // iterations a second

/** @type {State} */
export const START = {
  t: 0,
  goal: null,
  wanted: null,
  playing: false,
  speed: 2,
  hurry: null,
  least: 0,
  arriving: false,
  stride: 1,
  total: 0,
  until: null,
  before: false,
  after: false,
  lasts: 0.5,
};

/** @type {(state: State) => number} */
export const rateOf = ({ hurry, speed }) => hurry ?? speed; // iterations a second
/** @type {(state: State, at: number, last: number) => { t: number, playing: boolean, speed: number }} */
export function cardsOf(state, at, last) {
  // which cards belong beside frame `at`: where a step or a jump ends; a longer walk has theirs on the way, like a run
  const { t, goal, wanted, arriving, playing, stride, least } = state,
    speed = rateOf(state);
  if (arriving && wanted !== null) return { t: wanted, playing, speed };
  if (goal === null || goal > last) return { t: at, playing, speed };
  if (Math.abs(goal - t) <= stride) return { t: goal, playing, speed };
  return { t: at, playing: true, speed: Math.max(speed, least) };
}
/** @type {(state: State) => boolean} */
export const moves = ({ playing, goal, wanted }) => playing || goal !== null || wanted !== null;
/** @type {(state: State, asks: boolean) => boolean} whether an open question is about a later frame than the one that is there */
export const early = ({ arriving, wanted }, asks) => asks && arriving && wanted !== null;
/** @type {(state: State) => boolean} */
export const aims = ({ until, t }) => until !== null && until > t; // whether a goal lies ahead
/** @type {(state: State) => number} */
const stopOf = (state) => (aims(state) ? /** @type {number} */ (state.until) : state.total); // a goal comes before the end
/** @type {(state: State) => State} */
const halted = (state) => ({ ...state, playing: false, goal: null, wanted: null, hurry: null });

/** @type {(state: State, last: number) => State} */
function caught(state, last) {
  // the picture follows what is being computed
  if (state.wanted === null) return state;
  const t = Math.min(state.wanted, last);
  return { ...state, t, wanted: t === state.wanted ? null : state.wanted };
}

/** @type {(state: State, t: number, now: Now, arriving?: boolean) => Next} */
function jump(state, t, { last }, arriving = false) {
  const wanted = Math.max(0, Math.min(state.total, t));
  return [caught({ ...halted(state), arriving, wanted }, last), ["stir", "fill", "show"]];
}

/** @type {(state: State, t: number, now: Now) => Next} */
function settle(state, t, now) {
  const [next, effects] = jump(state, t, now);
  return [next, [...effects, "rest"]];
}

/** @type {(state: State, t: number, now: Now) => Next} */
function walk(state, t, { last, still }) {
  // an unfinished walk is finished at once: two quick clicks are two steps
  const from = state.goal ?? state.t,
    goal = Math.min(t, state.total);
  const here = still ? Math.min(goal, Math.max(from, last)) : from;
  return [{ ...state, t: here, playing: false, goal, least: (goal - from) / LONGEST }, ["run"]];
}

/** @type {(state: State, t: number, now: Now) => Next} */
function runTo(state, t, now) {
  // in a moment, however far it is
  if (now.still) return settle(state, t, now);
  const hurry = Math.max(state.speed, (t - state.t) / LONGEST);
  return [{ ...halted(state), hurry, playing: true }, ["run"]];
}

/** @type {(state: State) => Next} */
function toggle(state) {
  const next = halted(state);
  if (!moves(state)) return [{ ...next, t: state.t >= state.total ? 0 : state.t, playing: true }, ["run"]];
  return [rateOf(next) > SMOOTH ? { ...next, t: Math.floor(next.t) } : next, ["show", "rest"]];
}

/** @type {(state: State, seconds: number, now: Now) => Next} */
function tick(state, seconds, { last, led }) {
  if (!state.playing && state.goal === null) return [state, []]; // paused, or a jump took over: it waits by itself
  const end = state.goal ?? stopOf(state);
  const t = walked({ ...state, rate: rateOf(state), last }, end, seconds);
  const arrived = t >= end,
    on = arrived && state.playing && state.after && end === state.total && !led;
  const next = arrived && !on ? halted({ ...state, t }) : { ...state, t };
  return [caught(next, last), ["fill", "show", on ? "next" : arrived ? "rest" : "again"]];
}

/** @type {(state: State, act: Act, now: Now) => Next} */
function acted(state, act, now) {
  const { t, goal, total, stride, speed, until } = state,
    place = SPEEDS.indexOf(speed);
  switch (act) {
    case "play":
      return toggle(state);
    case "step":
      if (t >= total && state.after) return [state, ["next"]];
      return walk(state, nextRest(Math.floor(goal ?? t), 1, stride), now);
    case "back":
      if (t <= 0 && state.before) return [state, ["previous"]];
      return settle(state, nextRest(Math.ceil(t), -1, stride), now);
    case "first":
      return settle(state, 0, now);
    case "last":
      return settle(state, stopOf(state), now);
    case "goal":
      return until === null ? [state, []] : runTo(state, until, now);
    case "slower":
      return [{ ...state, speed: SPEEDS[Math.max(0, place - 1)] }, []];
    case "faster":
      return [{ ...state, speed: SPEEDS[Math.min(SPEEDS.length - 1, place + 1)] }, []];
  }
}

/** @type {(state: State, event: Event, now: Now) => Next} */
export function reduced(state, event, now) {
  switch (event.type) {
    case "act":
      return acted(state, event.act, now);
    case "walk":
      return walk(state, event.t, now);
    case "jump":
      return jump(state, event.t, now, event.arriving);
    case "settle":
      return settle(state, event.t, now);
    case "run to":
      return runTo(state, event.t, now);
    case "pace":
      return [{ ...state, speed: event.speed }, []];
    case "stride":
      return [{ ...state, stride: event.stride }, []];
    case "pause": // whatever else is under way goes on
      return [{ ...state, playing: false }, []];
    case "halt":
      return [halted(state), []];
    case "hold": // while a dial is turned: the film of its last value may still be on its way to where it was
      return [{ ...halted(state), wanted: state.wanted }, []];
    case "play": // as a class does it
      return [{ ...halted(state), hurry: event.hurry, playing: true }, ["run"]];
    case "loop": {
      // on a cover: from the first frame, or only the last one
      const next = { ...state, hurry: null, speed: event.speed };
      if (now.still) return jump(next, state.total, now);
      const [first, effects] = jump(next, 0, now);
      return [{ ...first, playing: true }, [...effects, "run"]];
    }
    case "finish": // a step that is under way, if its frames are there
      return state.goal !== null && state.goal - state.t <= state.stride && state.goal <= now.last
        ? jump(state, state.goal, now)
        : [state, []];
    case "frames": {
      // Python knew where this would end, but not when
      const next = caught(state, now.last);
      return [next, state.wanted !== null && next.wanted === null ? ["show", "rest anew"] : ["show"]];
    }
    case "tick":
      return tick(state, event.seconds, now);
    case "film":
      return [{ ...state, t: event.t, lasts: event.lasts, goal: null, wanted: null }, []];
    case "told":
      return [{ ...state, ...event.facts }, []];
    case "enter": {
      // a new film opens where Python says; one that plays on from the last chapter goes on playing
      const [opened, effects] = jump(state, state.t, now, true);
      if (!event.on) return [opened, effects];
      const [playing, more] = toggle(opened);
      return [playing, [...effects, ...more]];
    }
  }
}
