// The form as a part of a page of the app: Python judges, and what is pressed is told to it.

import { living } from "../player/canvas.js";
import { speakFor } from "../player/source.js";
import { Form } from "./form.js";

/** @import { FormShown } from "../messages.js" */
/** @import { Root } from "../player/canvas.js" */
/** @import { Host } from "./form.js" */

export class Holder {
  /** @type {Component<FormShown>["setTriggerValue"] | undefined} */ post;

  /** @param {Root} root @param {Host["desk"]} [desk] */
  constructor(root, desk) {
    this.form = new Form({
      check: (keys) => this.tell("check", keys),
      again: () => this.tell("again"),
      tell: () => this.tell("tell"),
      desk,
    });
    root.replaceChildren(this.form.box);
  }

  /** @type {(shown: FormShown) => void} */
  receive({ question, state, session }) {
    speakFor(session);
    this.form.receive(question, state);
  }

  /** @type {(what: "check" | "again" | "tell" | "wrote", keys?: string[]) => void} */
  tell(what, keys = []) {
    this.post?.("pressed", { what, name: this.form.question.name, keys });
  }

  close() {
    this.form.close();
  }
}

/** @type {(Kind: new (root: Root) => Holder) => (args: Component<FormShown>) => () => void} */
export const mounting =
  (Kind) =>
  ({ data: [shown], parentElement: root, setTriggerValue }) => {
    const holder = living(root, Kind);
    holder.post = setTriggerValue;
    holder.receive(shown);
    return () => setTimeout(() => root.isConnected || holder.close());
  };

export default mounting(Holder);
