// What an instructor sees of a class: a drawer beside the page. Followers see what happens on her page.

import { Asked, enlarged, maker } from "./asked.js";
import { Baton } from "./baton.js";
import { TAB, button, counted, el, remember, remembered, site, spelt } from "./drawing.js";
import { Follows, Shows } from "./follow.js";
import { Lab } from "./lab.js";
import { People } from "./people.js";
import { pile } from "./pile.js";
import { Large, Projector } from "./projector.js";
import { clock, samePlace } from "./round.js";
import { Walks } from "./walks.js";

/** @import { News, Result, RoundListed, State, Watch } from "../messages.js" */
/** @import { Place, Room } from "./room.js" */
/** @import { Said } from "./line.js" */

const LOOK = 400; // milliseconds between two looks whether the step has a question
const SURE = 4000; // milliseconds in which End has to be pressed again
const FOLDED = "samplescope class folded",
  BY = "samplescope class by"; // what tells the browsers apart by which one class is led

export class Desk {
  /** @type {State | null} */ state = null;
  /** @type {Watch | null} */ watch = null;
  /** @type {Place} */ question = { lesson: "", step: "" };
  /** @type {string | undefined} */ rounds;
  /** @type {number | undefined} */ forget;
  /** @type {HTMLElement} */ people;
  /** @type {HTMLElement} */ trouble;
  /** @type {HTMLButtonElement} */ ask;
  /** @type {HTMLElement} */ noask;
  /** @type {HTMLElement} */ list;
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
    this.by = remembered(TAB, BY) ?? Math.random().toString(36).slice(2, 12);
    remember(TAB, BY, this.by);
    this.shows = new Shows((message) => room.line?.say(message), this.by);
    this.follows = new Follows(() => this.takes()); // where another browser leads the class
    this.shows.held = true; // until it is known where the class is
    this.projector = new Projector(room);
    this.large = new Large(room.root);
    this.hello = { name: null };
    this.lab = new Lab(room, this.large, (message) => this.say(message));
    this.baton = new Baton(this.large, (message) => this.say(message));
    this.asked = new Asked(this);
    this.crowd = new People(this);
    this.build();
    this.folding(remembered(TAB, FOLDED) === "yes");
    this.looking = setInterval(() => this.look(), LOOK);
  }

  /** @type {(message: Said) => void} */
  say(message) {
    if (!this.room.line?.say(message)) this.problem("Connection lost. Try again when it is back.");
  }

  build() {
    const { room } = this;
    this.people = el("p", { className: "people", aria: { role: "status" } });
    this.trouble = el("p", { className: "problem", aria: { role: "status" } });
    this.ask = button("Ask the class", () => this.say({ ask: this.question }), { className: "main" });
    this.noask = el("p", { className: "quiet", textContent: "This step has no question to ask." });
    this.list = el("ol", { className: "rounds" });
    this.pause = button("Pause", () => this.say({ pause: !this.state?.paused }), {
      title: "Learners’ screens stay still until you go on",
    });
    this.end = button("End the class", () => this.ends());
    this.toggle = button("Hide the panel", () => this.folding(!this.folded));
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
        button("Code and QR", () => this.projector.open()),
        button("Projector window", () => this.project(), {
          title: "Drag it to the projector: it shows no names and no notes",
        }),
      ),
      this.trouble,
      this.people,
      el(
        "section",
        { className: "live" },
        el("h2", { textContent: "Question" }),
        this.noask,
        el("div", { className: "row" }, this.ask),
        this.asked.box,
      ),
      maker((message) => this.say(message)),
      this.lab.box,
      this.baton.box,
      (this.all = el(
        "details",
        {},
        el("summary", { textContent: "Questions so far" }),
        this.list,
        el("div", { className: "row" }, el("span", { textContent: "Save all answers:" }), files),
      )),
      this.crowd.box,
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

  /** @type {(news: News) => void} */
  hear({ state, watch, sorry, table, result, clock: time }) {
    if (time) clock.ahead = time - Date.now() / 1000;
    if (table) return this.crowd.hear(table);
    if (result) return this.reopen(result);
    if (state) this.state = state;
    if (state) this.moves(state);
    if (watch) this.watch = watch;
    if (sorry || watch?.notice) this.problem(sorry ?? watch?.notice ?? "");
    this.show();
  }

  /** @type {(state: State) => void} */
  moves({ show }) {
    // the class is led from here, unless another browser of hers has led it since
    if (!show || show.by === this.by) {
      if (this.shows.held && !show) this.takes();
      else if (this.shows.held && !this.follows.wanted) this.takes();
      return;
    }
    this.shows.held = true;
    this.follows.show(show);
  }

  takes() {
    this.follows.stay();
    this.shows.held = false;
    this.shows.again();
  }

  project() {
    window.open(`${site.folder}?screen=${this.room.code}`, "_blank", "noopener,popup,width=1280,height=720");
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
      ? `The class has ended. The server deletes its answers in ${counted(this.room.hours, "hour")}: save them first.`
      : lost
        ? "Connection lost, trying again"
        : [
            `${people} here`,
            watch && `${watch.follow} follow${watch.follow === 1 ? "s" : ""}`,
            watch?.lost && `${watch.lost} lost`,
          ]
            .filter(Boolean)
            .join(", ") + (state?.paused ? " · paused" : "");
    if (this.people.textContent !== here) this.people.textContent = here;
    this.line.textContent = this.folded
      ? ` · ${here}${round?.open ? ` · ${counted(round.answers, "answer")}` : ""}`
      : "";
    if (state?.trouble) this.trouble.textContent = state.trouble;
    this.pause.textContent = state?.paused ? "Go on" : "Pause";
    this.asked.show(round ?? null, watch?.round ?? null, people);
    this.crowd.show(state, watch);
    this.lab.show(state?.hands ?? null, watch?.hands ?? null, people, (...who) => this.crowd.called(...who));
    this.baton.show(state?.relay ?? null, watch?.relay ?? null);
    this.listed(watch?.rounds ?? []);
    this.projector.show(people);
    this.look();
  }

  look() {
    // does the step have a question?
    const names = new URLSearchParams(this.room.here?.query ?? ""),
      lesson = names.get("lesson") ?? "",
      step = names.get("step") ?? "";
    const has = Boolean(lesson && step && document.querySelector(".st-key-question"));
    this.question = { lesson, step };
    const round = this.state?.round ?? null,
      here = Boolean(round?.lesson && samePlace(this.room.here, round));
    this.ask.hidden = !has || here; // it is voted on again below
    this.noask.hidden = has || Boolean(round);
    document.documentElement.toggleAttribute("data-held", Boolean(here && !round?.revealed)); // the page's own Check waits meanwhile
    if (!this.state?.hands) this.lab.offer();
  }

  // ---- lists ---------------------------------------------------------------------------------------------------

  /** @type {(rounds: RoundListed[]) => void} */
  listed(rounds) {
    const key = JSON.stringify([rounds, this.ended]);
    if (this.rounds === key) return;
    this.rounds = key;
    this.list.replaceChildren(
      ...rounds.map(({ id, title, answers, open, hands, relay }) =>
        el(
          "li",
          {},
          button("", () => this.say(this.ended ? { result: id } : { recall: id }), {
            className: "recall",
            title: this.ended ? "Show it large" : "Put it on the screens again",
            [hands || relay ? "textContent" : "innerHTML"]: title,
          }),
          el("span", {
            className: "quiet",
            textContent: ` ${counted(answers, relay ? "step" : "answer")}${open ? ", open" : ""}`,
          }),
        ),
      ),
    );
    if (!rounds.length) this.list.replaceChildren(el("li", { className: "quiet", textContent: "None yet." }));
  }

  /** @type {(result: Result) => void} */
  reopen({ round, hands, relay }) {
    // large, once the class is over
    const walks = new Walks();
    walks.show(relay);
    this.large.offer("result", () => {
      if (round) return enlarged(round);
      if (hands) return [el("h2", { textContent: hands.label }), pile(hands, null)];
      return relay ? [el("h2", { textContent: relay.title }), walks.box] : [];
    });
    this.large.open("result");
  }

  // ---- the class -----------------------------------------------------------------------------------------------

  ends() {
    if (this.sure) return this.say({ end: true });
    this.sure = true;
    this.end.textContent = "End it for everyone? Press again";
    setTimeout(() => {
      this.sure = false;
      this.end.textContent = "End the class";
    }, SURE);
  }

  over() {
    // what is left is to look at the answers and to save them
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
    Object.assign(this.toggle, {
      textContent: folded ? "Show the panel" : "Hide the panel",
      ariaExpanded: String(!folded),
    });
    if (this.state) this.show();
  }

  close() {
    clearInterval(this.looking);
    document.documentElement.removeAttribute("data-held");
    clearTimeout(this.forget);
    for (const part of [this.shows, this.follows, this.projector, this.large, this.asked, this.crowd]) part.close();
    this.box.remove();
  }
}
