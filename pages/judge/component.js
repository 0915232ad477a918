// The desk as a part of a page of the app: the tables and the verdicts come by the routes.

import { living } from "../player/canvas.js";
import { fetched, speakFor } from "../player/source.js";
import { Desk } from "./desk.js";

/** @import { RuleAsked } from "../messages.js" */
/** @import { Root } from "../player/canvas.js" */

/** @type {(problem: string, query: string) => string} */
const source = (problem, query) => `judge/${problem}?${query}`;

class Holder {
  /** @type {Component<RuleAsked>["setTriggerValue"] | undefined} */ tell;

  /** @param {Root} root */
  constructor(root) {
    this.desk = new Desk(/** @type {any} */ (root), {
      table: (problem, points) => fetched(source(problem, `points=${points}`), "table", {}, () => {}),
      verdict: (problem, texts, say) =>
        fetched(source(problem, texts.map((text) => `line=${encodeURIComponent(text)}`).join("&")), "verdict", {}, say),
      proved: (texts) => this.tell?.("proved", texts),
      wrote: (texts) => this.tell?.("wrote", texts),
    });
    this.onprove = () => this.announce();
    document.addEventListener("samplescope:prove", this.onprove);
  }

  announce() {
    // a class may have asked for it
    const { asked } = this.desk;
    if (!asked?.given) return;
    document.dispatchEvent(
      new CustomEvent("samplescope:proved", { detail: { name: asked.name, keys: [...asked.given] } }),
    );
  }

  close() {
    document.removeEventListener("samplescope:prove", this.onprove);
    this.desk.close();
  }
}

/** @type {(args: Component<RuleAsked>) => () => void} */
export default function ({ data: [asked], parentElement: root, setTriggerValue }) {
  const holder = living(root, Holder);
  holder.tell = setTriggerValue;
  speakFor(asked.session);
  holder.desk.receive(asked);
  holder.announce();
  return () => setTimeout(() => root.isConnected || holder.close());
}
