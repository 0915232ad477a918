// The question on the screens, for the instructor: close it, vote again, show the answers, reveal.

import { button, counted, el, focusIn, focusOn } from "./drawing.js";
import { samePlace, timeLeft } from "./round.js";
import { rightOf, tallied } from "./tally.js";

/** @import { RoundState, RoundWatched } from "../messages.js" */
/** @import { Child } from "./drawing.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Said } from "./line.js" */
/** @import { Place } from "./room.js" */
/** @typedef {RoundState & Partial<RoundWatched>} Results a round with what only the instructor gets of it */

const NEXT = {
  "": "",
  hint: "Next: give a hint, and have them vote again.",
  talk: "Next: have neighbours convince each other, and vote again.",
  explain: "Next: reveal the answer, and explain it.",
}; // by the share of right answers, which these words do not give away
const TIMES = [30, 60, 120]; // seconds after which a question closes by itself

// The answers to the same question in a file that was saved; null if there are none.
/** @type {(text: string, round: Place) => Record<string, number> | null} */
export function earlier(text, round) {
  try {
    /** @type {(Place & { answers: number, tally: Record<string, number> })[]} */
    const rounds = JSON.parse(text).rounds;
    const found = rounds.filter(
      ({ lesson, step, answers }) => lesson === round.lesson && step === round.step && answers > 0,
    );
    return found.at(-1)?.tally ?? null;
  } catch {
    return null;
  }
}

// A result as large as the screen.
/** @type {(round: Results, people?: number) => Node[]} */
export const enlarged = (round, people) => [
  el("h2", { innerHTML: round.title }),
  el("div", { className: "text", innerHTML: round.text }),
  el("p", {
    className: "quiet",
    textContent:
      people && round.open ? `${round.answers} of ${people} have answered` : counted(round.answers, "answer"),
  }),
  tallied(round, round.tally ?? {}),
];

export class Asked {
  peeks = false; // whether a tally is seen here
  /** @type {number | undefined} the round that is shown */ known;
  /** @type {string | undefined} */ drawn;

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.box = el("div", { className: "asked", hidden: true });
  }

  /** @type {(round: RoundState | null, own: RoundWatched | null, people: number) => void} */
  show(round, own, people) {
    // `own` is what only the instructor gets of it
    this.box.hidden = !round;
    if (!round) return this.picture(null);
    if (this.known !== round.id) Object.assign(this, { known: round.id, peeks: false });
    const seen = round.open || !round.shown ? this.peeks : true,
      results = { ...round, ...own };
    const key = JSON.stringify([
      ...[round.id, round.open, round.shown, round.revealed, round.until, results.act],
      ...[seen, seen && results],
    ]);
    if (this.drawn !== key) {
      this.drawn = key;
      this.picture((seen && round.lesson && results.tally) || null);
      this.desk.large.offer("round", seen ? () => [...enlarged(results, people), ...this.controls(round)] : null);
      const had = focusIn(this.desk.room.root);
      this.box.replaceChildren(...this.parts(round, results, seen));
      focusOn(this.box, had);
    }
    const words = round.open
      ? `${round.answers} of ${people} have answered.${timeLeft(round)}`
      : counted(round.answers, "answer");
    const count = this.box.querySelector(".count");
    if (count && count.textContent !== words) count.textContent = words;
    if (round.revealed) this.pass(round);
  }

  /** @type {(words: string, name: string, message: Said, main?: boolean) => HTMLButtonElement} */
  act(words, name, message, main = false) {
    return button(words, () => this.desk.say(message), { className: main ? "main" : "", data: { act: name } });
  }

  /** @type {(round: RoundState) => Node[]} */
  controls(round) {
    const row = (/** @type {(Child | Child[])[]} */ ...parts) => el("div", { className: "row" }, ...parts);
    if (round.open)
      return [
        row(this.act("Close the question", "close", { close: true }, true)),
        row(
          el("span", { className: "quiet", textContent: "Close it after" }),
          TIMES.map((seconds) => this.act(`${seconds} s`, `time-${seconds}`, { timer: seconds })),
          Boolean(round.until) && this.act("No limit", "time-0", { timer: 0 }),
        ),
      ];
    return [
      row(
        !round.made && !round.revealed && this.act("Reveal the answer", "reveal", { reveal: true }, true),
        this.act(
          round.shown ? "Hide the answers" : "Show the answers",
          "tally",
          { tally: !round.shown },
          round.made && !round.shown,
        ),
        this.act("Vote again", "again", { again: round.id }),
        this.act("Hide the question", "away", { away: true }),
      ),
    ];
  }

  /** @type {(round: RoundState, results: Results, seen: boolean) => Node[]} */
  parts(round, results, seen) {
    const look = el(
      "label",
      { className: "switch" },
      el("input", {
        type: "checkbox",
        checked: seen,
        data: { act: "show" },
        onchange: ({ currentTarget }) => {
          this.peeks = /** @type {HTMLInputElement} */ (currentTarget).checked;
          this.desk.show();
        },
      }),
      " Show the answers to me alone",
    );
    return [
      el("p", { className: "title", innerHTML: round.title }),
      el("p", { className: "count" }),
      ...(results.act ? [el("p", { className: "next", textContent: NEXT[results.act] })] : []),
      ...this.controls(round),
      ...(round.shown ? [] : [look]),
      ...(seen ? this.results(round, results) : []),
      ...(round.open || round.made ? [] : [this.import(round)]),
    ];
  }

  /** @type {(round: RoundState, results: Results) => Node[]} */
  results(round, results) {
    const chart = round.kind === "text" ? this.texts(round, results) : tallied(results, results.tally ?? {});
    return [chart, el("div", { className: "row" }, this.desk.large.button("round"))];
  }

  /** @type {(round: RoundState, results: Results) => HTMLElement} */
  texts(round, { tally = {}, picked = [] }) {
    // answers in words: everyone sees those that are ticked
    const pick = (/** @type {string} */ text, /** @type {boolean} */ on) =>
      this.desk.say({
        unmask: { round: round.id, texts: on ? [...picked, text] : picked.filter((one) => one !== text) },
      });
    const rows = Object.entries(tally).map(([text, many]) =>
      el(
        "label",
        { className: "switch" },
        el("input", {
          type: "checkbox",
          checked: picked.includes(text),
          onchange: ({ currentTarget }) => pick(text, /** @type {HTMLInputElement} */ (currentTarget).checked),
        }),
        ` ${text}${many > 1 ? ` (${many})` : ""}`,
      ),
    );
    return el("div", {}, el("p", { className: "quiet", textContent: "Tick the answers that everyone may see." }), rows);
  }

  /** @type {(tally: Record<string, number> | null) => void} */
  picture(tally) {
    document.dispatchEvent(new CustomEvent("samplescope:crowd", { detail: tally })); // marks beside the own guess
  }

  /** @type {(round: RoundState) => void} */
  pass(round) {
    // the page goes on as if the right answer had been given there; it counts as the class's, not as a learner's
    const { room } = this.desk,
      right = rightOf(round);
    if (right.length && samePlace(room.here, round))
      room.give({ id: `${room.code} ${round.id}`, lesson: round.lesson, step: round.step, keys: right });
  }

  /** @type {(round: RoundState) => HTMLElement} */
  import(round) {
    // an earlier class's answers, from a saved file
    const file = el("input", {
      type: "file",
      accept: ".json",
      onchange: async () => {
        const [saved] = file.files ?? [],
          found = saved && earlier(await saved.text(), round);
        if (!found) return this.desk.problem("This file has no answers to this question.");
        this.desk.say({ before: { tally: found } });
      },
    });
    return el(
      "details",
      {},
      el("summary", { textContent: "Compare with an earlier class" }),
      el("label", { className: "import quiet" }, "Its answers, saved as JSON: ", file),
    );
  }

  close() {
    this.picture(null);
  }
}

// A form for a question made on the spot.
/** @type {(say: (message: Said) => void) => HTMLElement} */
export function maker(say) {
  const text = el("input", {
    type: "text",
    maxLength: 400,
    placeholder: "Your question",
    ariaLabel: "Your question",
    required: true,
  });
  const choices = el("textarea", { rows: 3, placeholder: "One choice a line", ariaLabel: "Choices, one a line" });
  const kinds = { choices: "with choices", number: "a number", text: "in words" };
  const kind = el(
    "select",
    { ariaLabel: "How learners answer", onchange: () => (choices.hidden = kind.value !== "choices") },
    Object.entries(kinds).map(([value, textContent]) => el("option", { value, textContent })),
  );
  const lines = () =>
    choices.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  const form = el(
    "form",
    {
      className: "lab",
      onsubmit: (event) => {
        event.preventDefault();
        const how = /** @type {"choices" | "number" | "text"} */ (kind.value);
        say({ make: { kind: how, text: text.value, choices: kind.value === "choices" ? lines() : [] } });
        box.open = false;
        form.reset();
        choices.hidden = false;
      },
    },
    text,
    el("label", {}, "answered ", kind),
    choices,
    el("div", { className: "row" }, el("button", { type: "submit", className: "main", textContent: "Ask it" })),
  );
  const box = el("details", { className: "live" }, el("summary", { textContent: "Ask something else" }), form);
  return box;
}
