// A lesson of a published course: the step's text beside the app's own player and cards, which hear from here what they
// hear from the app's script elsewhere. The parts of the page have the names under which style sheet and scripts know them.

import { element } from "../player/canvas.js";
import { Inspector } from "../player/inspector.js";
import mountPlayer from "../player/player.js";
import { Desk } from "../judge/desk.js";
import { Form } from "../form/form.js";
import { wordsOf, written } from "../form/looks.js";
import { ending, freely } from "./ending.js";
import { tableFrom, verdictFrom } from "./judging.js";
import { linked } from "./map.js";
import { COURSE, json, plays } from "./packs.js";
import {
  another,
  answered,
  canBe,
  comesTo,
  isDone,
  isRight,
  isSettled,
  messageOf,
  nearest,
  opened,
  reached,
  standing,
  ticksOf,
  viewsOf,
} from "./step.js";
import { askedAgain, beforeYouGoOn, note, onward, returning, thenSaid } from "./returning.js";
import { SURE } from "./review.js";
import { report } from "./scorm.js";
import { give, kept, leaveAt, leftAt, put, takeBack, triesOf } from "./store.js";
import { howSure } from "./sure.js";
import { tell } from "./xapi.js";

/** @import { Published, Question, RuleVerdict, Scene, Told } from "../messages.js" */
/** @import { Keys, Where } from "./step.js" */

const STAGE = `<div class="stHorizontalBlock"><div class="stColumn"><div class="st-key-stage">
<div class="st-key-player"></div><div class="st-key-views" role="group" aria-label="Inspector"></div>
</div></div>
<div class="stColumn"><div class="st-key-text"></div></div></div>`;

/** @type {(label: string, onclick: () => void, className?: string) => HTMLElement} */
function button(label, onclick, className = "") {
  const box = element("div", className);
  box.append(Object.assign(element("button", "", label), { type: "button", onclick }));
  return box;
}

export class LessonPage {
  /** @type {Published} */ lesson;
  /** @type {Where} */ where;
  far = 0; // the last iteration that the player has come to in this step: a run that is done stays so
  sure = ""; // how sure the learner is of an answer that is not given yet
  heard = 0; // the player's last report
  /** @type {Record<string, number>} */ misses = {}; // wrong answers by step
  /** @type {Form | undefined} */ form;
  /** @type {import("./returning.js").Again | undefined} */ again; // what a question that came back comes from
  leavePlayer = () => {};
  /** @type {Inspector | null} */ inspector = null;

  /** @param {HTMLElement} main @param {string} id */
  constructor(main, id) {
    this.main = main;
    this.id = id;
  }

  close() {
    this.main.replaceChildren();
    this.leavePlayer();
    this.inspector?.close();
    this.form?.close();
    this.closed = true;
  }

  /** @type {(asked: URLSearchParams) => Promise<void>} */
  async open(asked) {
    const all = COURSE.sections.flatMap(({ lessons }) => lessons),
      entry = all.find(({ id }) => id === this.id),
      comesBack = returning(this.id);
    if (!entry && !comesBack)
      return this.main.replaceChildren(
        linked("#", "Course map"),
        element("p", "", "This course has no lesson of that name."),
      );
    this.next = entry && all[all.indexOf(entry) + 1];
    this.main.innerHTML = STAGE;
    this.text = this.part(".st-key-text");
    this.inspector = new Inspector(this.part(".st-key-views"), (name) => this.look(name));
    this.root = this.part(".st-key-player").attachShadow({ mode: "open" });
    if (comesBack) this.again = await askedAgain(comesBack);
    this.lesson = this.again?.lesson ?? (await json(/** @type {import("../messages.js").OnMap} */ (entry).file));
    if (this.closed) return;
    plays(this.lesson.films);
    this.follow(asked);
  }

  /** @type {(selector: string) => HTMLElement} */
  part(selector) {
    return /** @type {HTMLElement} */ (this.main.querySelector(selector));
  }

  /** @type {(step: Told) => string} */
  name(step) {
    return `${this.id}/${step.id}`;
  }

  get step() {
    return this.lesson.steps[this.where.index];
  }

  /** @type {Keys} */
  get given() {
    return kept(this.name(this.step));
  }

  /** @type {(step: Told | undefined) => boolean} */
  isSettled(step) {
    // whether nothing hides the answer any more
    return !!step?.question && isSettled(step.question, kept(this.name(step)), this.misses[step.id] ?? 0);
  }

  /** @type {(keys: string[]) => void} */
  give(keys) {
    const name = this.name(this.step),
      { question } = this.step;
    const fine = !!question && !triesOf(name).tries && (isRight(question, keys) ? "right" : "wrong");
    if (fine && this.again) note(this.again.entry, fine === "right");
    if (fine && this.sure) put(SURE + name, [this.sure, fine]);
    give(name, keys);
    report();
    if (!this.again) tell(this.lesson, this.step, keys);
  }

  /** @type {(asked: URLSearchParams) => void} */
  follow(asked) {
    // where the address says, or where the lesson was left
    const { steps } = this.lesson,
      named = asked.get("step") ?? leftAt(this.id),
      index = Math.max(
        0,
        steps.findIndex(({ id }) => id === named),
      );
    if (this.where?.index === index && asked.has("step")) return;
    this.go(asked.get("step") || index < steps.length - 1 ? index : 0);
  }

  /** @type {(index: number) => void} */
  go(index) {
    const step = this.lesson.steps[index];
    this.far = 0;
    this.where = opened(this.lesson, this.where ?? null, index, this.isSettled(step));
    this.sure = "";
    if (!this.again) leaveAt(this.id, step.id);
    const address = `#lesson=${this.id}&step=${step.id}`;
    if (location.hash !== address)
      history[location.hash.includes("step=") ? "pushState" : "replaceState"](null, "", address);
    report();
    document.title = `${wordsOf(step.title)} · ${wordsOf(this.lesson.title)}`;
    this.draw();
    this.text?.scrollTo(0, 0);
  }

  // ---- the stage ------------------------------------------------------------------------------------------------

  show() {
    const { where } = this,
      message = messageOf(where, this.given, this.heard);
    this.leavePlayer = mountPlayer({
      data: [message],
      parentElement: /** @type {any} */ (this.root),
      setStateValue: () => {},
      setTriggerValue: (_, reports) => this.hear(reports),
    });
    this.drawViews();
  }

  drawViews() {
    const { where } = this,
      views = viewsOf(where.scene, (name) =>
        this.isSettled(this.lesson.steps.find((step) => this.name(step) === name)),
      ),
      view = views.some(([name]) => name === where.view) ? where.view : (views[0]?.[0] ?? ""),
      { source } = where.scene.message;
    this.inspector?.show(views, view, { source, t: where.t, about: this.lesson.about.includes(view) });
  }

  /** @type {(name: string) => void} */
  look(name) {
    this.where = { ...this.where, view: name };
    this.measure();
    this.show();
    this.inspector?.focus();
  }

  /** @type {(reports: any) => void} */
  hear(reports) {
    // of the player: where it rests; what else it can report is locked
    const news = reports.filter((/** @type {any} */ { number }) => number > this.heard);
    let redraw = false;
    for (const { kind, number, t, chain } of news) {
      this.heard = number;
      if (chain !== this.where.scene.message.chain) continue;
      if (kind === "rest") {
        const before = this.done;
        this.where = { ...this.where, t };
        this.far = Math.max(this.far, t);
        redraw ||= this.measure() || this.done !== before;
      }
    }
    if (redraw) this.draw();
    else if (news.length) this.show();
  }

  get done() {
    return isDone(this.step, Math.max(this.where.t, this.far), this.given);
  }

  measure() {
    // ticks the goals that hold here
    const news = reached(this.step, this.where, this.given);
    if (news.length) this.give([...(this.given ?? []), ...news]);
    if (news.length) this.drawGoals();
    return news.length > 0;
  }

  // ---- the text -------------------------------------------------------------------------------------------------

  draw() {
    const { step, lesson } = this,
      last = lesson.steps.length - 1,
      { index } = this.where,
      text = /** @type {HTMLElement} */ (this.text);
    text.dir = lesson.dir;
    const words = written("div", "words", step.html);
    const heading = written("h2", "", step.title);
    for (const part of [heading, words]) Object.assign(part, { lang: lesson.language, dir: lesson.dir });
    const top = element("div", "crumbs");
    top.append(linked("#", COURSE.title), " · ", written("h1", "", `${this.again ? "Review · " : ""}${lesson.title}`));
    text.replaceChildren(top, ...(index || this.again ? [] : beforeYouGoOn(this.id)), heading, words);
    if (index === last)
      words.append(...ending(lesson, (step) => kept(this.name(step)), this.next, this.live(freely(this.where.scene))));
    if (step.sure && !this.given) text.append(howSure(this.sure, (level) => (this.sure = level)));
    if (step.question) this.drawQuestion();
    if (step.goals.length) text.append(element("div", "st-key-goals bordered"));
    this.drawGoals();
    for (const hint of this.isSettled(step) ? [] : step.hints) {
      const fold = element("details", "hint");
      fold.append(element("summary", "", "Hint"), written("div", "", hint));
      text.append(fold);
    }
    if (step.until !== null) text.append(this.goalOfRun(step.until, step.unit));
    if (step.controls.length) text.append(this.controls());
    if (step.missing) {
      const note = element("p", "quiet", `${step.missing} `);
      if (COURSE.live) note.append(linked(this.live(step.asked.message.link), "Open this step there"));
      else note.append("Ask your instructor for its address, or install Samplescope: it is free.");
      text.append(note);
    }
    if (this.again && this.isSettled(step)) text.append(...thenSaid(this.again));
    text.append(this.again ? onward(this.id, this.done) : this.steps(index, last));
    this.show();
  }

  /** @type {(until: number, unit: string) => HTMLElement} */
  goalOfRun(until, unit) {
    const { done } = this;
    return written(
      "div",
      `said ${done ? "right" : ""}`,
      done ? `Done: ${unit} ${until} is reached.` : `Play to ${unit} ${until}, or press <b>Run to ${until}</b>.`,
    );
  }

  /** @type {(link: string) => string} */
  live(link) {
    // the same place in the app; "" for a course that names none
    return COURSE.live && `${COURSE.live}/${this.step.asked.message.source.split("?")[0]}?${link}`;
  }

  controls() {
    // each offers the values of the runs that are here, and leads to the nearest run that has the chosen one
    const { runs, controls } = this.step,
      box = element("div", "controls"),
      now = () => runs.find(({ message }) => message.source === this.where.scene.message.source) ?? runs[0];
    const selects = controls.map(({ name, title, values }) => {
      const label = element("label", "", title),
        select = element("select", "");
      select.append(...values.map((value) => Object.assign(element("option", "", value), { value })));
      select.onchange = () => {
        this.where = another(this.where, nearest(runs, now(), name, select.value));
        show();
        this.measure();
        this.show();
      };
      label.append(select);
      box.append(label);
      return select;
    });
    const show = () => selects.forEach((select, i) => (select.value = now().values[controls[i].name]));
    show();
    return box;
  }

  /** @type {(index: number, last: number) => HTMLElement} */
  steps(index, last) {
    const bar = element("div", "st-key-steps"),
      back = button("Back", () => this.go(index - 1), "st-key-back"),
      dots = element("div", `dots${this.done ? " lit" : ""}`);
    /** @type {HTMLButtonElement} */ (back.firstChild).disabled = index === 0;
    dots.setAttribute("role", "img");
    dots.setAttribute("aria-label", `Step ${index + 1} of ${last + 1}${index < last ? "" : ", the end"}`);
    for (let i = 0; i <= last; i++) dots.append(element("i", i < index ? "done" : i === index ? "now" : ""));
    bar.append(back, dots);
    if (index < last) bar.append(button(index + 1 < last ? "Next" : "Finish", () => this.go(index + 1), "st-key-next"));
    return bar;
  }

  drawGoals() {
    const box = this.text?.querySelector(".st-key-goals");
    box?.replaceChildren(
      ...this.step.goals.map((goal) => {
        const ticks = ticksOf(goal, this.given),
          done = ticks === goal.seeds;
        return written(
          "div",
          "",
          `<p>${"☑".repeat(ticks)}${"☐".repeat(goal.seeds - ticks)} ${goal.html}</p>${done ? goal.reason : ""}`,
        );
      }),
    );
  }

  drawQuestion() {
    const { step, given } = this,
      question = /** @type {Question} */ (step.question);
    this.form ??= this.made();
    this.form.receive(question, standing(question, given, this.misses[step.id] ?? 0));
    const { box } = this.form;
    if (question.rule && given && !box.querySelector(".museum-fold")) box.append(museumOf(question.rule.museum));
    this.text?.append(box);
  }

  made() {
    const file = () => this.step.question?.rule?.file ?? "";
    return new Form({
      check: (keys, verdict) => this.check(keys, verdict),
      again: () => {
        takeBack(this.name(this.step));
        report();
        this.where = opened(this.lesson, this.where, this.where.index, false);
        this.draw();
      },
      tell: () => {
        this.misses[this.step.id] = Infinity;
        this.where = answered(this.lesson, this.where);
        this.draw();
      },
      desk: (box, proved) =>
        new Desk(box, {
          table: (_, points) => tableFrom(file(), points),
          verdict: (_, texts) => verdictFrom(file(), texts),
          proved,
          wrote: () => {}, // the stage of a course without a server plays the right rule
        }),
    });
  }

  /** @type {(keys: string[], verdict?: RuleVerdict) => void} */
  check(keys, verdict) {
    const { step, given } = this,
      question = /** @type {Question} */ (step.question),
      stored = verdict ? [...keys, comesTo(question, verdict)] : keys;
    if (given || !canBe(question, stored.slice(verdict ? -1 : 0))) return;
    this.give(stored);
    if (!verdict && !isRight(question, stored)) this.misses[step.id] = (this.misses[step.id] ?? 0) + 1;
    if (this.isSettled(step)) this.where = answered(this.lesson, this.where);
    this.draw();
  }
}

/** @type {(file: string) => HTMLElement} the known errors of a rule, which are fetched when they are asked for */
function museumOf(file) {
  const fold = element("details", "museum-fold"),
    inside = element("div", "");
  fold.append(element("summary", "", "Museum of errors"), inside);
  fold.ontoggle = async () => {
    if (fold.open && !inside.childElementCount) inside.innerHTML = String(await json(file));
  };
  return fold;
}
