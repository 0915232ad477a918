// A bar below the picture, whose border is dragged: its left part is the answer to a question for a share. It shows the
// guess (dashed) and what came out, as a chart does; see guess.js.

import { element } from "./canvas.js";
import { inSteps } from "./dials.js";

/** @import { AskedGuess } from "../messages.js" */

/** @type {(number: number | string) => string} */
const said = (number) => String(number).replace("-", "−");

export class Divide {
  /** @param {HTMLElement} box @param {(value: string) => void} choose */
  constructor(box, choose) {
    this.box = box;
    this.field = Object.assign(element("input", ""), { type: "range", ariaLabel: "Border of the bar" });
    this.low = element("span", "");
    this.high = element("span", "");
    this.marks = element("div", "marks");
    const strip = element("div", "strip");
    strip.append(this.field, this.marks);
    box.replaceChildren(this.low, strip, this.high);
    const chosen = () => choose(String(+(+this.field.value).toPrecision(10)));
    this.field.oninput = chosen;
    this.field.onpointerup = () => this.box.classList.contains("unset") && chosen(); // a press where it began
  }

  /** @type {(asked: AskedGuess | null, came: string | null, crowd?: Record<string, number> | null) => void} */
  show(asked, came, crowd = null) {
    const { box, field } = this;
    box.hidden = !asked?.limits || !(asked.hand || asked.guess !== null || asked.outcome !== null);
    if (!asked?.limits || box.hidden) return;
    const [low, high] = asked.limits;
    /** @type {(value: number | string) => number} */
    const part = (value) => (+value - low) / (high - low);
    Object.assign(field, { min: low, max: high, step: asked.step, disabled: !asked.hand });
    field.value = asked.guess ?? String((low + high) / 2);
    [this.low.textContent, this.high.textContent] = [said(low), said(high)];
    box.classList.toggle("unset", asked.guess === null);
    box.classList.toggle("came", came !== null);
    box.style.setProperty("--part", String(asked.guess === null ? 0 : part(came ?? asked.guess)));
    const guessed =
      asked.guess === null
        ? []
        : [this.mark("own", `your guess ${inSteps(asked.guess, asked.step)}`, part(asked.guess))];
    const others = Object.keys(crowd ?? {}).map((value) => this.mark("crowd", "", part(value)));
    const right = came === null ? [] : [this.mark("outcome", `answer ${said(came)}`, part(came))];
    this.marks.replaceChildren(...others, ...guessed, ...right);
  }

  /** @type {(look: string, words: string, at: number) => HTMLElement} */
  mark(look, words, at) {
    const mark = element("span", `${look}${at > 0.5 ? " far" : ""}`, words);
    mark.style.setProperty("--at", String(at));
    return mark;
  }
}
