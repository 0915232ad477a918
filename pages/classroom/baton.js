// A relay, for the instructor: what is passed on, how many steps there are, and how far each half is from the target.

import { button, counted, el, short } from "./drawing.js";
import { typed } from "../player/typed.js";
import { Walks } from "./walks.js";

/** @import { RelayState, RelayWatched } from "../messages.js" */
/** @import { Large } from "./projector.js" */
/** @import { Said } from "./line.js" */

// What the distances come to, for the instructor alone.
/** @type {(relay: RelayState, watched: RelayWatched) => string[]} */
export function verdict({ halves }, { distances, limits, slips, found }) {
  const each = distances.map((off, half) => {
    const limit = limits.length ? `; the right rule exceeds ${short(limits[half])} once in a hundred times` : "";
    return `Half ${halves[half]}: ${short(off)} from the exact distribution${limit}. ${counted(slips[half], "step")} not by its rule.`;
  });
  if (!limits.length) return each;
  return [
    ...each,
    found.length ? `Beyond the limit: half ${found.join(" and half ")}.` : "Neither is beyond the limit.",
  ];
}

export class Baton {
  /** @type {number | undefined} the relay that is shown */ known;

  /** @param {Large} large @param {(message: Said) => unknown} say */
  constructor(large, say) {
    this.large = large;
    this.say = say;
    this.walks = new Walks();
    this.shown = new Walks(); // in large
    this.question = el("input", {
      type: "text",
      maxLength: 400,
      placeholder: "The most likely number of …",
      ariaLabel: "A question to the class’s mind",
      required: true,
    });
    this.low = el("input", { type: "text", inputMode: "numeric", value: "0", ariaLabel: "The lowest number" });
    this.high = el("input", { type: "text", inputMode: "numeric", value: "100", ariaLabel: "The highest number" });
    this.refused = el("p", { className: "problem", aria: { role: "status" } });
    this.form = el(
      "form",
      { className: "lab", onsubmit: (event) => this.start(event) },
      el("p", { className: "quiet", textContent: "Learners accept or reject, and pass chains on" }),
      el(
        "div",
        { className: "row" },
        button("Pass on what is shown", () => this.say({ relay: { question: "", low: 0, high: 1 } }), {
          className: "main",
        }),
      ),
      el("p", { className: "quiet", textContent: "Or two numbers each: which is the more likely?" }),
      this.question,
      el("label", {}, "from ", this.low, " to ", this.high),
      this.refused,
      el("div", { className: "row" }, el("button", { type: "submit", textContent: "Pass on this question" })),
    );
    this.count = el("p", { className: "count" });
    this.stop = button("Stop", () => this.say({ stop_relay: true }), { data: { act: "stop-relay" } });
    this.far = el("div");
    this.verdict = el(
      "details",
      { hidden: true },
      el("summary", { textContent: "How far each half is, for me alone" }),
      this.far,
    );
    this.found = el(
      "div",
      { className: "asked", hidden: true },
      this.count,
      el("div", { className: "row" }, this.stop, large.button("relay")),
      this.walks.box,
      this.verdict,
    );
    this.box = el(
      "details",
      { className: "live" },
      el("summary", { textContent: "The class is the chain" }),
      this.found,
      this.form,
    );
  }

  /** @type {(event: Event) => void} */
  start(event) {
    event.preventDefault();
    const [low, high] = [this.low, this.high].map(({ value }) => typed(value, -1e6, 1e6, true)),
      refused = low.said ?? high.said ?? "";
    this.refused.textContent = refused;
    if (!refused && low.value !== undefined && high.value !== undefined)
      this.say({ relay: { question: this.question.value, low: low.value, high: high.value } });
  }

  /** @type {(relay: RelayState | null, watched: RelayWatched | null) => void} */
  show(relay, watched) {
    const fresh = this.known !== relay?.id;
    this.known = relay?.id;
    this.form.hidden = Boolean(relay?.open);
    this.found.hidden = !relay;
    for (const walks of [this.walks, this.shown]) walks.show(relay);
    if (fresh) this.large.offer("relay", relay && (() => [el("h2", { textContent: relay.title }), this.shown.box]));
    if (!relay) return;
    if (fresh) Object.assign(this.verdict, { open: false });
    if (fresh && relay.open) this.box.open = true;
    const said = watched?.distances.length ? verdict(relay, watched) : [];
    this.count.textContent = `${counted(relay.steps, "step")} of ${counted(relay.places.length, "chain")}`;
    this.stop.textContent = relay.open ? "Stop" : "Hide the result";
    this.stop.classList.toggle("main", relay.open);
    this.verdict.hidden = !said.length;
    this.far.replaceChildren(...said.map((textContent) => el("p", { textContent })));
  }
}
