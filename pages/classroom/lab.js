// Hands on, for the instructor: what differs between learners' runs, what each reports, and the pile of outcomes.

import { button, counted, el, focusIn, focusOn, short } from "./drawing.js";
import { visit, withOwn } from "./follow.js";
import { pile } from "./pile.js";
import { next } from "../player/stepping.js";
import { typed } from "../player/typed.js";

/** @import { HandsState, Run } from "../messages.js" */
/** @import { Room } from "./room.js" */
/** @import { Large } from "./projector.js" */
/** @import { Said } from "./line.js" */

/** @typedef {{ seeded: boolean, settings: Record<string, string>, outcomes: Record<string, string> }} Topic of forms.py */

/** @type {(text: string) => string[]} */
export const valuesIn = (text) =>
  text
    .split(/[\s;]+|,(?=\s)/)
    .filter(Boolean)
    .flatMap((one) => {
      // a comma without a blank comes before decimals, if that can be
      const { value } = typed(one);
      if (value !== undefined) return [String(value)];
      const parts = one.split(",").filter(Boolean);
      return parts.length > 2 ? parts : [one]; // 1,150 has two readings: it is refused as it is
    });

export class Lab {
  /** @type {HandsState | null} */ hands = null;
  /** @type {Here | undefined} */ base;
  /** @type {Record<string, Topic> | null} */ forms = null;
  /** @type {string | null} */ offered = null;
  /** @type {string | null} */ drawn = null;

  /** @param {Room} room @param {Large} large @param {(message: Said) => unknown} say */
  constructor(room, large, say) {
    this.room = room;
    this.large = large;
    this.say = say;
    this.vary = el("select", { ariaLabel: "What differs between runs", onchange: () => this.fit() });
    this.values = el("input", { type: "text", placeholder: "0.5 1 2 4", ariaLabel: "The values, with blanks between" });
    this.outcome = el("select", { ariaLabel: "What each run reports" });
    this.t = el("input", {
      type: "text",
      inputMode: "numeric",
      ariaLabel: "After how many iterations",
      onkeydown: (event) => this.step(event),
    });
    this.refused = el("p", { className: "problem", hidden: true, aria: { role: "status" } });
    this.form = el(
      "form",
      { className: "lab", onsubmit: (event) => this.start(event) },
      el("p", { className: "quiet", textContent: "Everyone runs this" }),
      el("label", {}, "with a different ", this.vary),
      (this.valued = el("label", {}, "one of ", this.values)),
      el("label", {}, "for ", this.t, " iterations"),
      this.refused,
      el("label", {}, "and reports ", this.outcome),
      el("div", { className: "row" }, el("button", { type: "submit", className: "main", textContent: "Start" })),
    );
    this.found = el("div", { className: "asked", hidden: true });
    this.none = el("p", { className: "quiet", textContent: "Open a topic first: learners then run its sampler." });
    this.box = el(
      "details",
      { className: "live", ontoggle: () => this.offer() },
      el("summary", { textContent: "Hands on" }),
      this.none,
      this.form,
      this.found,
    );
  }

  get page() {
    // the topic that is shown
    return (this.room.here?.query && this.room.here.page) || "";
  }

  async offer() {
    // what the topic that is shown can vary and find; until that is known there is nothing to start
    const { page } = this;
    this.form.hidden = page !== this.offered || Boolean(this.hands?.open);
    this.none.hidden = Boolean(page) || Boolean(this.hands);
    if (!this.box.open || !page || page === this.offered) return;
    this.forms ??= await fetch(new URL("../../room.json", import.meta.url)).then(
      (answer) => answer.json(),
      () => null,
    );
    const topic = this.forms?.[page];
    if (!topic) this.forms = null;
    if (!topic || page !== this.page || page === this.offered) return; // asked twice, it keeps what has been chosen
    /** @type {(pairs: Record<string, string>) => HTMLOptionElement[]} */
    const options = (pairs) =>
      Object.entries(pairs).map(([value, textContent]) => el("option", { value, textContent }));
    this.vary.replaceChildren(...options({ ...(topic.seeded ? { seed: "seed" } : {}), ...topic.settings }));
    this.outcome.replaceChildren(...options(topic.outcomes));
    this.t.value = String(this.room.here?.t || 60);
    this.fit();
    this.offered = page;
    this.form.hidden = Boolean(this.hands?.open);
  }

  fit() {
    this.valued.hidden = this.vary.value === "seed";
  }

  /** @type {(event: KeyboardEvent) => void} */
  step(event) {
    const text = next(event.key, this.t.value, 1, Infinity);
    if (text === undefined) return;
    this.t.value = text;
    event.preventDefault(); // else the caret goes to an end of the text
  }

  /** @type {(event: Event) => void} */
  start(event) {
    event.preventDefault();
    const values = this.vary.value === "seed" ? [] : valuesIn(this.values.value),
      { value: t, said } = typed(this.t.value, 1, Infinity, true),
      unclear = values.filter((one) => /^[+−-]?[\d.,']+$/.test(one)).map((one) => typed(one).said),
      refused = unclear.find(Boolean) ?? said ?? "";
    this.refused.textContent = refused;
    this.refused.hidden = !refused;
    if (!refused && t !== undefined)
      this.say({ hands: { vary: this.vary.value, values, outcome: this.outcome.value, t } });
  }

  /** @type {(hands: HandsState | null, runs: Run[] | null, people: number, called: (index: number, name: string) => string) => void} */
  show(hands, runs, people, called) {
    const fresh = hands && this.hands?.id !== hands.id;
    if (fresh) this.base = this.room.here;
    if (fresh) this.box.open = true;
    this.hands = hands;
    this.found.hidden = !hands;
    this.offer();
    if (!hands) return this.large.offer("hands", null);
    const key = JSON.stringify([hands, runs?.map((run) => [run, called(run.index, run.name)]), people]);
    if (key === this.drawn) return;
    this.drawn = key;
    const chosen = this.found.querySelector("select")?.value,
      focused = focusIn(this.room.root);
    const list = (runs ?? []).filter(({ value }) => value !== null),
      open = (/** @type {number} */ index, /** @type {number} */ value) =>
        this.open(list.find((run) => run.index === index && run.value === value));
    this.large.offer(
      "hands",
      hands.points.length
        ? () => [
            el("h2", { textContent: hands.label }),
            pile(
              hands,
              null,
              list.length
                ? (...which) => {
                    this.large.box.close();
                    open(...which);
                  }
                : null,
            ),
          ]
        : null,
    );
    const pick = el(
      "select",
      { ariaLabel: "A learner’s run" },
      list.map(({ index, name, value, set }, i) => {
        const how = Object.entries(set).map((pair) => pair.join(" "));
        return el("option", {
          value: i,
          textContent: [short(value), called(index, name), how.join(", ")].join(" · "),
          selected: String(i) === chosen,
        });
      }),
    );
    this.found.replaceChildren(
      el("p", {
        className: "count",
        textContent: hands.open
          ? `${hands.n} of ${people} have a result · ${counted(hands.points.length, "run")}`
          : counted(hands.points.length, "run"),
      }),
      el(
        "div",
        { className: "row" },
        hands.open
          ? button("Stop", () => this.say({ stop_hands: true }), { className: "main", data: { act: "stop" } })
          : button("Hide the result", () => this.say({ stop_hands: true }), { data: { act: "stop" } }),
        button(
          hands.folded ? "Show on the projector" : "Hide on the projector",
          () => this.say({ fold_hands: !hands.folded }),
          { data: { act: "fold" } },
        ),
      ),
      pile(hands, null, list.length ? open : null),
      el("div", { className: "row" }, this.large.button("hands")),
      ...(list.length
        ? [
            el(
              "div",
              { className: "row" },
              pick,
              button("Open this run", () => this.open(list[+pick.value]), { data: { act: "run" } }),
            ),
          ]
        : []),
    );
    focusOn(this.found, focused);
  }

  /** @type {(run: Run | undefined) => void} */
  open(run) {
    // on this screen, at the iteration that was looked at
    const { base, hands } = this;
    if (run && hands && base?.page !== undefined)
      visit({ ...base, page: base.page, query: withOwn(base.query, run.set), t: hands.t });
  }
}
