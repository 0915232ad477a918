// Who is in the class, for its instructor: who has answered what, and which devices lead. Names are off by default.

import { button, el } from "./drawing.js";

const AGAIN = 2000; // milliseconds between two looks at the table while it is open

/** @import { Column, Row, State, Table, Watch } from "../messages.js" */
/** @import { Desk } from "./desk.js" */

// An answer in words, marked right or wrong where there is a right one.
/** @type {(given: [string, boolean | null] | null) => [{ className?: string }, string]} */
const saidOf = (given) =>
  given
    ? [{}, `${given[1] === true ? "✓ " : given[1] === false ? "✗ " : ""}${given[0]}`]
    : [{ className: "none" }, "no answer"];

export class People {
  /** @type {Table | null} */ table = null;
  /** @type {number | null} whom the next press removes */ sure = null;
  /** @type {string | undefined} */ drawn;
  /** @type {string | undefined} */ tabled;
  /** @type {number | undefined} */ asking;
  /** @type {number | null} whose answers alone are shown */ one = null;
  named = false;
  locked = false;

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    const { room } = desk;
    this.lock = button("Lock the room", () => desk.say({ lock: !this.locked }), {
      className: "live",
      title: "No new learners can join until you unlock it",
    });
    this.links = el("ul", { className: "names live" });
    this.box = el(
      "details",
      {},
      el("summary", { textContent: "Learners and devices" }),
      el(
        "div",
        { className: "row" },
        button("Who has answered what", () => this.open()),
        this.lock,
      ),
      el(
        "div",
        { className: "row live" },
        button("Lead from another device", () => this.link(), { title: "A QR code for one phone or computer" }),
      ),
      this.links,
    );
    this.body = el("div", { className: "table" });
    this.switch = el("input", {
      type: "checkbox",
      onchange: () => {
        this.named = this.switch.checked;
        this.draw();
        this.desk.show();
      },
    });
    this.dialog = el(
      "dialog",
      { className: "projector large", ariaLabel: "Who has answered what", onclose: () => clearInterval(this.asking) },
      el(
        "div",
        { className: "words" },
        el("h2", { textContent: "Who has answered what" }),
        el("label", { className: "switch" }, this.switch, " Show names"),
        this.body,
      ),
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })),
    );
    this.code = el(
      "dialog",
      {
        className: "projector",
        ariaLabel: "Lead from another device",
        onclose: () => this.code.querySelector(".words")?.remove(),
      },
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })),
    );
    room.root.append(this.dialog, this.code);
  }

  /** @type {(state: State | null, watch: Watch | null) => void} */
  show(state, watch) {
    this.locked = Boolean(state?.locked);
    this.lock.textContent = this.locked ? "Unlock the room" : "Lock the room";
    const key = JSON.stringify(watch?.links ?? []);
    if (key === this.drawn) return;
    this.drawn = key;
    this.links.replaceChildren(
      ...(watch?.links ?? []).map(({ id, used }) =>
        el(
          "li",
          {},
          `Device ${id}: ${used ? "leads" : "not used yet"} `,
          button("Revoke", () => this.desk.say({ revoke: id }), { ariaLabel: `Revoke device ${id}` }),
        ),
      ),
    );
  }

  open() {
    const ask = () => this.desk.say({ table: true });
    this.one = null;
    ask();
    this.asking = setInterval(ask, AGAIN);
    this.dialog.showModal();
  }

  /** @type {(table: Table) => void} */
  hear(table) {
    const key = JSON.stringify(table);
    if (key === this.tabled) return;
    Object.assign(this, { tabled: key, table });
    this.draw();
  }

  draw() {
    const { rounds = [], rows = [] } = this.table ?? {};
    if (!rows.length) return this.body.replaceChildren(el("p", { className: "quiet", textContent: "No learner yet." }));
    const alone = rows.find(({ index }) => index === this.one);
    if (alone) return this.body.replaceChildren(...this.answersOf(alone, rounds));
    const lines = rows.map(({ index, name, follows, cells }) => {
      const called = this.called(index, name);
      const how = follows === null ? " · away" : follows ? "" : " · exploring";
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, this.only(called, index), el("span", { className: "quiet", textContent: how })),
        cells.map((given) => el("td", ...saidOf(given))),
        el("td", {}, !this.desk.ended && this.remover(index, called)),
      );
    });
    const head = el(
      "tr",
      {},
      el("th", { scope: "col", textContent: "Learner" }),
      rounds.map(({ title }) => el("th", { scope: "col", innerHTML: title })),
      el("th", { scope: "col" }, el("span", { className: "unseen", textContent: "Remove" })),
    );
    this.body.replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, lines)));
  }

  /** @type {(index: number, name: string) => string} */
  called(index, name) {
    return (this.named && name) || `Learner ${index + 1}`;
  }

  /** @type {(text: string, index: number | null, title?: string) => HTMLButtonElement} */
  only(text, index, title = "See only this learner’s answers") {
    const show = () => {
      this.one = index;
      this.draw();
    };
    return button(text, show, { className: "recall", title });
  }

  /** @type {(row: Row, rounds: Column[]) => Node[]} */
  answersOf({ index, name, cells }, rounds) {
    const given = cells.filter(Boolean).length;
    return [
      el("p", {}, this.only("← All learners", null, "")),
      el("h3", { textContent: this.called(index, name) }),
      el("p", { className: "quiet", textContent: `${given} of ${rounds.length} answered` }),
      el(
        "dl",
        {},
        rounds.map(({ title }, i) => el("div", {}, el("dt", { innerHTML: title }), el("dd", ...saidOf(cells[i])))),
      ),
      ...(this.desk.ended ? [] : [this.remover(index, this.called(index, name))]),
    ];
  }

  /** @type {(index: number, called: string) => HTMLButtonElement} */
  remover(index, called) {
    // the second press does it
    const remove = button(this.sure === index ? "Press again: this deletes their answers" : "Remove", () => {
      if (this.sure === index) this.desk.say({ remove: index });
      this.sure = this.sure === index ? null : index;
      this.draw();
    });
    remove.ariaLabel = `${remove.textContent}: ${called}`;
    return remove;
  }

  async link() {
    // shown once: the server keeps only its seal
    const { room } = this.desk,
      at = encodeURIComponent(`${location.origin}${new URL(room.address).pathname.replace(/room$/, "")}`);
    try {
      const answer = await fetch(`${room.address.href}/${room.code}/link?at=${at}`, {
        method: "POST",
        headers: { authorization: `Bearer ${room.secret}` },
      });
      if (answer.status === 409) return this.desk.problem(await answer.text());
      if (!answer.ok) throw new Error(answer.statusText);
      const { address, qr } = await answer.json();
      const picture = el("img", {
        className: "qr",
        alt: "QR code for the second device",
        src: `data:image/svg+xml,${encodeURIComponent(qr)}`,
      });
      const words = el(
        "div",
        { className: "words" },
        el("h2", { textContent: "Lead from another device" }),
        el("p", {
          textContent:
            "Scan this with your phone, or open the link on the second computer. The link works for one device and is shown once. Keep it off the projector.",
        }),
        button("Copy the link", async () => navigator.clipboard?.writeText(address)),
        picture,
      );
      this.code.prepend(words);
      this.code.showModal();
    } catch {
      this.desk.problem("The link could not be made. Try again in a moment.");
    }
  }

  close() {
    clearInterval(this.asking);
    this.dialog.remove();
    this.code.remove();
  }
}
