// The form of a question that asks for a rule, as a part of a page: the tables and the verdicts come by the routes.

import { Holder, mounting } from "../form/component.js";
import { fetched } from "../player/source.js";
import { Desk } from "./desk.js";

/** @import { FormShown } from "../messages.js" */
/** @import { Root } from "../player/canvas.js" */
/** @import { Ways } from "./desk.js" */

/** @type {(problem: string, query: string) => string} */
const source = (problem, query) => `judge/${problem}?${query}`;

/** @type {Ways["table"]} */
const table = (problem, points) => fetched(source(problem, `points=${points}`), "table", {}, () => {});
/** @type {Ways["verdict"]} */
const verdict = (problem, texts, say) =>
  fetched(source(problem, texts.map((text) => `line=${encodeURIComponent(text)}`).join("&")), "verdict", {}, say);

class WithDesk extends Holder {
  /** @param {Root} root */
  constructor(root) {
    super(
      root,
      (box, proved) => new Desk(box, { table, verdict, proved, wrote: (texts) => this.tell("wrote", texts) }),
    );
    this.onprove = () => this.announce();
    document.addEventListener("samplescope:prove", this.onprove);
  }

  /** @type {(shown: FormShown) => void} */
  receive(shown) {
    super.receive(shown);
    this.announce();
  }

  announce() {
    // a class may have asked for it
    const { question, state } = this.form;
    if (!state.given) return;
    document.dispatchEvent(
      new CustomEvent("samplescope:proved", { detail: { name: question.name, keys: [...state.given] } }),
    );
  }

  close() {
    document.removeEventListener("samplescope:prove", this.onprove);
    super.close();
  }
}

export default mounting(WithDesk);
