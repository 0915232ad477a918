// What an instructor sees of a class: a drawer beside the page. What happens on the page is shown to all who follow.

import { TAB, button, counted, el, focusIn, focusOn, remember, remembered, spelt } from "./drawing.js";
import { Shows } from "./follow.js";
import { Lab } from "./lab.js";
import { Large, Projector } from "./projector.js";
import { samePlace } from "./round.js";
import { rightOf, tallied } from "./tally.js";

/** @import { HandsTold, RoundListed, RoundTold, State, Told, Watch } from "../messages.js" */
/** @import { Place, Room } from "./room.js" */
/** @import { Said } from "./line.js" */

const LOOK = 400; // milliseconds between two looks whether the step has a question
const SURE = 4000; // milliseconds in which End has to be pressed again
const FOLDED = "samplescope class folded";

/** @type {(text: string, round: Place) => Record<string, number> | null} */
export function earlier(text, round) {
  // the answers to the same question in a file that was saved; null if there are none
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

export class Desk {
  /** @type {State | null} */ state = null;
  /** @type {Watch | null} */ watch = null;
  /** @type {Place} */ question = { lesson: "", step: "" };
  told = false; // whether a tally is seen here
  /** @type {number | undefined} the round that is shown */ known;
  /** @type {string | undefined} */ drawn;
  /** @type {string | undefined} */ rounds;
  /** @type {string | undefined} */ namedAs;
  /** @type {number | undefined} */ forget;
  /** @type {HTMLElement} */ people;
  /** @type {HTMLElement} */ trouble;
  /** @type {HTMLButtonElement} */ ask;
  /** @type {HTMLElement} */ noask;
  /** @type {HTMLElement} */ asked;
  /** @type {HTMLElement} */ list;
  /** @type {HTMLElement} */ names;
  /** @type {HTMLButtonElement} */ pause;
  /** @type {HTMLButtonElement} */ end;
  /** @type {HTMLButtonElement} */ toggle;
  /** @type {HTMLElement} */ line;
  /** @type {HTMLElement} */ body;
  /** @type {HTMLDetailsElement} */ all;
  /** @type {HTMLElement} */ box;
  lost = false;
  sure = false;
  ended = false;
  folded = false;

  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.shows = new Shows((message) => room.line?.say(message));
    this.projector = new Projector(room);
    this.large = new Large(room.root);
    this.hello = { name: null };
    this.lab = new Lab(room, this.large, (message) => this.say(message));
    this.build();
    this.folding(remembered(TAB, FOLDED) === "yes");
    this.looking = setInterval(() => this.look(), LOOK);
  }

  /** @type {(message: Said) => void} */
  say(message) {
    if (!this.room.line?.say(message)) this.problem("The connection is lost. Try again when it is back.");
  }

  build() {
    const { room } = this;
    this.people = el("p", { className: "people", aria: { role: "status" } });
    this.trouble = el("p", { className: "problem", aria: { role: "status" } });
    this.ask = button("Ask the class", () => this.say({ ask: this.question }), { className: "main" });
    this.noask = el("p", { className: "quiet", textContent: "This step has no question to ask." });
    this.asked = el("div", { className: "asked", hidden: true });
    this.list = el("ol", { className: "rounds" });
    this.names = el("ul", { className: "names" });
    this.pause = button("Pause", () => this.say({ pause: !this.state?.paused }), {
      title: "Learners’ screens hold still until you go on",
    });
    this.end = button("End the class", () => this.ends());
    this.toggle = button("Fold", () => this.folding(!this.folded));
    this.line = el("span", { className: "said" });
    const code = button(spelt(room.code), () => this.projector.open(), {
      className: "code",
      ariaLabel: `Code ${spelt(room.code)}: show it large`,
      title: "Show it large",
    });
    const files = ["csv", "html", "json"].map((kind) =>
      button(kind.toUpperCase(), () => this.take(kind), { ariaLabel: `Save the answers as ${kind.toUpperCase()}` }),
    );
    this.body = el(
      "div",
      { className: "body", tabIndex: -1 },
      el(
        "div",
        { className: "row live" },
        button("Code and QR for the class", () => this.projector.open()),
      ),
      this.trouble,
      this.people,
      el(
        "section",
        { className: "live" },
        el("h2", { textContent: "Question" }),
        this.noask,
        el("div", { className: "row" }, this.ask),
        this.asked,
      ),
      this.lab.box,
      (this.all = el(
        "details",
        {},
        el("summary", { textContent: "Questions so far" }),
        this.list,
        el("div", { className: "row" }, el("span", { textContent: "Save all answers:" }), files),
      )),
      el("details", {}, el("summary", { textContent: "Who is here" }), this.names),
      el("div", { className: "row foot" }, this.pause, this.end),
    );
    const top = el(
      "div",
      { className: "bar" },
      el("span", { className: "who" }, el("span", { className: "wide", textContent: "Class " }), code, this.line),
      this.toggle,
    );
    this.box = el("section", { className: "dock desk", ariaLabel: "Your class" }, top, this.body);
  }

  // ---- what is heard -------------------------------------------------------------------------------------------

  /** @type {(told: Told) => void} */
  hear({ state, watch, sorry }) {
    if (state) this.state = state;
    if (watch) this.watch = watch;
    if (sorry || watch?.notice) this.problem(sorry ?? watch?.notice ?? "");
    this.show();
  }

  /** @type {(lost: boolean) => void} */
  changed(lost) {
    this.lost = lost;
    if (!lost) this.shows.again();
    this.show();
  }

  /** @type {(text: string) => void} */
  problem(text) {
    this.trouble.textContent = text;
    clearTimeout(this.forget);
    this.forget = setTimeout(() => {
      this.trouble.textContent = this.state?.trouble ?? "";
    }, 8000);
  }

  show() {
    const { state, watch, lost } = this,
      people = watch?.people ?? state?.people ?? 0,
      round = state?.round;
    if (state?.ended) this.over();
    const here = state?.ended
      ? "The class has ended. Its answers are deleted a day from now: save them."
      : lost
        ? "The connection is lost: trying again"
        : `${people} here${watch ? `, ${watch.follow} follow${watch.follow === 1 ? "s" : ""}` : ""}${state?.paused ? " · paused" : ""}`;
    if (this.people.textContent !== here) this.people.textContent = here;
    this.line.textContent = this.folded
      ? ` · ${here}${round?.open ? ` · ${counted(round.answers, "answer")}` : ""}`
      : "";
    if (state?.trouble) this.trouble.textContent = state.trouble;
    this.pause.textContent = state?.paused ? "Go on" : "Pause";
    this.round(round);
    this.lab.show(state?.hands ?? null, watch?.hands ?? null, people);
    this.listed(watch?.rounds ?? []);
    this.called(watch?.names ?? []);
    this.projector.show(people);
    this.look();
  }

  look() {
    // is there anything to ask?
    const names = new URLSearchParams(this.room.here?.query ?? ""),
      lesson = names.get("lesson") ?? "",
      step = names.get("step") ?? "";
    const has = Boolean(lesson && step && document.querySelector(".st-key-question")),
      round = this.state?.round,
      open = Boolean(round?.open),
      asked = Boolean(round && samePlace(this.room.here, round));
    this.question = { lesson, step };
    this.ask.hidden = !has || (open && asked);
    this.noask.hidden = has || open;
    this.ask.textContent = asked ? "Ask again" : "Ask the class";
    if (!this.state?.hands) this.lab.offer();
  }

  // ---- a question ----------------------------------------------------------------------------------------------

  /** @type {(round: RoundTold | null | undefined) => void} */
  round(round) {
    this.asked.hidden = !round;
    if (!round) return this.picture(null);
    if (this.known !== round.id) Object.assign(this, { known: round.id, told: false });
    const shown = !round.open || this.told,
      tally = (round.open ? this.watch?.tally : round.tally) ?? {};
    const key = JSON.stringify([
      round.id,
      round.open,
      shown,
      shown && tally,
      shown && round.before,
      shown && round.right,
      !round.open && this.watch?.rounds?.length,
    ]);
    if (this.drawn !== key) {
      this.drawn = key;
      this.picture(shown ? tally : null);
      this.large.offer("round", shown ? () => [el("h2", { innerHTML: round.title }), tallied(round, tally)] : null);
      const had = focusIn(this.room.root);
      this.asked.replaceChildren(...this.parts(round, shown, tally));
      focusOn(this.asked, had);
    }
    const people = this.watch?.people ?? 0,
      words = round.open ? `${round.answers} of ${people} have answered` : counted(round.answers, "answer");
    const count = this.asked.querySelector(".count");
    if (count && count.textContent !== words) count.textContent = words;
    if (!round.open) this.pass(round);
  }

  /** @type {(round: RoundTold, shown: boolean, tally: Record<string, number>) => Node[]} */
  parts(round, shown, tally) {
    const title = el("p", { className: "title", innerHTML: round.title }),
      count = el("p", { className: "count" });
    const show = el(
      "label",
      { className: "switch" },
      el("input", {
        type: "checkbox",
        checked: shown,
        data: { act: "show" },
        onchange: ({ currentTarget }) => {
          this.told = /** @type {HTMLInputElement} */ (currentTarget).checked;
          this.show();
        },
      }),
      " Show the answers so far here",
    );
    const open = [
      el(
        "div",
        { className: "row" },
        button("Close the question", () => this.say({ close: true }), { className: "main", data: { act: "close" } }),
      ),
      show,
    ];
    return [
      title,
      count,
      ...(round.open ? open : []),
      ...(shown ? [tallied(round, tally), el("div", { className: "row" }, this.large.button("round"))] : []),
      ...(round.open
        ? []
        : [
            this.import(round),
            el(
              "div",
              { className: "row" },
              button("Put away", () => this.say({ close: true }), { data: { act: "away" } }),
            ),
          ]),
    ];
  }

  /** @type {(tally: Record<string, number> | null) => void} */
  picture(tally) {
    document.dispatchEvent(new CustomEvent("samplescope:crowd", { detail: tally }));
  } // marks beside the own guess

  /** @type {(round: RoundTold) => void} */
  pass(round) {
    // the page goes on as if the right answer had been given there
    const right = rightOf(round);
    if (right.length && samePlace(this.room.here, round))
      this.room.give({ id: `${this.room.code} ${round.id}`, lesson: round.lesson, step: round.step, keys: right });
  }

  /** @type {(round: RoundTold) => HTMLElement} */
  import(round) {
    // what was said before, from a file that was saved then
    const file = el("input", {
      type: "file",
      accept: ".json",
      onchange: async () => {
        const [saved] = file.files ?? [],
          found = saved && earlier(await saved.text(), round);
        if (!found) return this.problem("This file has no answers to this question.");
        this.say({ before: { tally: found } });
      },
    });
    return el(
      "details",
      {},
      el("summary", { textContent: "Compare with an earlier class" }),
      el("label", { className: "import quiet" }, "Its answers, saved as JSON: ", file),
    );
  }

  /** @type {(rounds: RoundListed[]) => void} */
  listed(rounds) {
    const key = JSON.stringify(rounds);
    if (this.rounds === key) return;
    this.rounds = key;
    this.list.replaceChildren(
      ...rounds.map(({ title, answers, open }) =>
        el(
          "li",
          {},
          el("span", { innerHTML: title }),
          el("span", { className: "quiet", textContent: ` ${counted(answers, "answer")}${open ? ", open" : ""}` }),
        ),
      ),
    );
    if (!rounds.length) this.list.replaceChildren(el("li", { className: "quiet", textContent: "None yet." }));
  }

  /** @type {(people: [string, boolean][]) => void} */
  called(people) {
    const key = JSON.stringify(people);
    if (this.namedAs === key) return;
    this.namedAs = key;
    const named = people.filter(([name]) => name),
      rest = people.filter(([name]) => !name),
      away = rest.filter(([, follows]) => !follows).length;
    const others = people.length
      ? `${named.length ? "and " : ""}${rest.length} without a name${away ? `, ${away} of them exploring` : ""}`
      : "Nobody yet.";
    const lines = named.map(([name, follows]) =>
      el(
        "li",
        { textContent: name },
        ...(follows ? [] : [el("span", { className: "quiet", textContent: " · exploring" })]),
      ),
    );
    this.names.replaceChildren(
      ...lines,
      ...(rest.length || !named.length ? [el("li", { className: "quiet", textContent: others })] : []),
    );
  }

  // ---- the class -----------------------------------------------------------------------------------------------

  ends() {
    if (this.sure) return this.say({ end: true });
    this.sure = true;
    this.end.textContent = "Really end it? Press again";
    setTimeout(() => {
      this.sure = false;
      this.end.textContent = "End the class";
    }, SURE);
  }

  over() {
    // what is left to do is to save the answers
    if (this.ended) return;
    this.ended = true;
    this.all.open = true;
    this.box.classList.add("over");
    this.end.replaceWith(button("Close", () => this.room.leave(), { className: "main" }));
  }

  /** @type {(kind: string) => Promise<void>} */
  async take(kind) {
    const { room } = this;
    try {
      const answer = await fetch(`${room.address.href}/${room.code}/answers.${kind}`, {
        headers: { authorization: `Bearer ${room.secret}` },
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const link = el("a", {
        href: URL.createObjectURL(await answer.blob()),
        download: `class-${spelt(room.code)}.${kind}`,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch {
      this.problem("The file could not be made. Try again in a moment.");
    }
  }

  /** @type {(folded: boolean) => void} */
  folding(folded) {
    this.folded = folded;
    remember(TAB, FOLDED, folded ? "yes" : null);
    this.body.hidden = folded;
    this.box.classList.toggle("folded", folded);
    Object.assign(this.toggle, { textContent: folded ? "Open" : "Fold", ariaExpanded: String(!folded) });
    if (this.state) this.show();
  }

  close() {
    clearInterval(this.looking);
    clearTimeout(this.forget);
    this.shows.close();
    for (const part of [this.projector, this.large]) part.close();
    this.picture(null);
    this.box.remove();
  }
}
