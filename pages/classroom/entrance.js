// Where a class is joined or opened.

import {
  BROWSER,
  LED,
  SECRET,
  button,
  counted,
  el,
  forgetSecret,
  keptName,
  nameField,
  plainCode,
  remember,
  remembered,
  spelt,
} from "./drawing.js";

/** @import { Desk } from "./desk.js" */
/** @import { Room } from "./room.js" */

const KEY = "samplescope teacher's key"; // where a server asks for one

export class Door {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.code = el("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: false,
      maxLength: 12,
      placeholder: "KX7M-2PQ9",
      ariaLabel: "Code of the class",
    });
    this.name = nameField();
    this.said = el("p", { className: "problem", aria: { role: "status" } });
    this.about = el("p");
    const join = el(
      "form",
      { onsubmit: (event) => this.join(event) },
      el("h2", { textContent: "Join a class" }),
      this.about,
      el(
        "div",
        { className: "row" },
        this.code,
        this.name,
        el("button", { type: "submit", className: "main", textContent: "Join" }),
      ),
    );
    this.opening = button("Open a class", () => this.begin(), { className: "main" });
    this.key = el("input", {
      type: "password",
      autocomplete: "off",
      placeholder: "The server’s key",
      ariaLabel: "The server’s key",
      value: remembered(BROWSER, KEY) ?? "",
      hidden: !room.asksKey,
    });
    this.own = el("div", { className: "row" });
    const lead = el(
      "div",
      { className: "lead" },
      el("h2", { textContent: "Lead a class" }),
      el("p", { textContent: "Learners’ screens follow yours. You ask, and see everyone’s answers." }),
      this.own,
      el("div", { className: "row" }, this.key, this.opening),
    );
    this.box = el(
      "dialog",
      { ariaLabel: "Class" },
      this.said,
      join,
      el("hr"),
      lead,
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })),
    );
    room.root.append(this.box);
  }

  /** @type {(text: string) => void} */
  tell(text) {
    // with nothing else in the dialog
    this.open();
    this.box.classList.add("note");
    this.say(text);
  }

  /** @type {(code?: string, leads?: boolean) => void} */
  open(code = "", leads = false) {
    const { hours, code: here } = this.room,
      left = here && code ? `You leave the class ${spelt(here)}. ` : "";
    this.box.classList.remove("note");
    this.box.classList.toggle("leads", leads);
    this.box.classList.toggle("joins", Boolean(code));
    this.say("");
    if (code) this.code.value = spelt(code);
    const where = code ? left : "The code is on your instructor’s screen. You need no account. ";
    this.about.textContent = `${where}Your instructor sees your name and your answers; the server deletes them ${counted(hours, "hour")} after the class.`;
    this.resumes();
    if (!this.box.open) this.box.showModal();
    (leads ? this.opening : code ? this.name : this.code).focus();
  }

  resumes() {
    const led = remembered(BROWSER, LED),
      still = led && led !== this.room.code && remembered(BROWSER, SECRET + led);
    if (!still) return this.own.replaceChildren();
    const forget = () => {
      forgetSecret(led);
      this.resumes();
      this.say("This computer can no longer lead that class. The class itself goes on.");
    };
    this.own.replaceChildren(
      button(`Resume class ${spelt(led)}`, () => this.enter(led)),
      button("Forget it on this computer", forget),
    );
  }

  /** @type {(text: string) => void} */
  say(text) {
    this.said.textContent = text;
  }

  /** @type {(code: string, secret?: string) => void} */
  enter(code, secret) {
    this.box.close();
    this.room.enter(code, secret);
  }

  /** @type {(event: Event) => void} */
  join(event) {
    event.preventDefault();
    const code = plainCode(this.code.value);
    if (code.length !== 8) return this.say("A code has eight characters, such as KX7M-2PQ9.");
    keptName(this.name);
    this.enter(code);
  }

  async begin() {
    this.opening.disabled = true;
    try {
      const key = this.key.value;
      const answer = await fetch(this.room.address, {
        method: "POST",
        headers: key ? { authorization: `Bearer ${key}` } : {},
      });
      if (answer.status === 401) {
        this.key.hidden = false;
        this.key.focus();
        return this.say(
          key
            ? "This is not the key of this server. Its owner has the key."
            : "Enter this server’s key to open a class. Its owner has the key.",
        );
      }
      if (!answer.ok)
        return this.say(
          answer.status === 429 || answer.status === 503
            ? "Too many classes are open just now. Try again in a minute."
            : "That did not work. Try again in a moment.",
        );
      const { code, secret } = await answer.json();
      remember(BROWSER, SECRET + code, secret);
      remember(BROWSER, LED, code);
      remember(BROWSER, KEY, key || null);
      this.enter(code, secret);
      /** @type {Desk} */ (this.room.part).projector.open();
    } catch {
      this.say("The server cannot be reached. Try again in a moment.");
    } finally {
      this.opening.disabled = false;
    }
  }
}
