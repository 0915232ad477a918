// Dialogs as large as the screen: how to join, with address, code and QR code; or one chart.

import { appAddress, button, el, focusIn, focusOn, joinAddress, spelt, typed } from "./drawing.js";

/** @import { Room } from "./room.js" */

export class Large {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.body = el("div", { className: "words" });
    this.box = el(
      "dialog",
      {
        className: "projector large",
        ariaLabel: "Shown large",
        onclose: () => {
          this.name = null;
        },
      },
      this.body,
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })),
    );
    /** @type {Record<string, (() => Node[]) | null>} */
    this.offered = {};
    /** @type {string | null} */
    this.name = null;
    this.root = root;
    root.append(this.box);
  }

  /** @type {(name: string, make: (() => Node[]) | null) => void} */
  offer(name, make) {
    // what a name shows; null if there is nothing to show
    this.offered[name] = make;
    if (this.name === name) this.open(name);
  }

  /** @type {(name: string) => HTMLButtonElement} */
  button(name) {
    return button("Show it large", () => this.open(name), { data: { act: `large-${name}` } });
  }

  /** @type {(name: string) => void} */
  open(name) {
    const make = this.offered[name];
    if (!make) return this.box.close();
    this.name = name;
    const had = focusIn(this.root);
    this.body.replaceChildren(...make());
    focusOn(this.body, had);
    if (!this.box.open) this.box.showModal();
  }

  close() {
    this.box.remove();
  }
}

const ALONE = /^(localhost|127\.[\d.]+|\[::1\])$/;

export class Projector {
  /** @param {Room} room */
  constructor(room) {
    const place = appAddress(),
      invitation = joinAddress(room.code);
    this.picture = el("img", {
      alt: `QR code of ${invitation}`,
      className: "qr",
      onerror: () => {
        this.picture.hidden = true;
      },
    });
    this.source = `${room.address.href}/${room.code}/qr.svg?at=${encodeURIComponent(place.href)}`;
    this.people = el("p", { className: "people" });
    this.box = el(
      "dialog",
      { className: "projector", ariaLabel: "Join the class" },
      el(
        "div",
        { className: "words" },
        el("h2", { textContent: "Join the class" }),
        el("p", { className: "address", textContent: typed(invitation) }),
        el(
          "p",
          {},
          `or go to ${typed(place)} and enter `,
          el("b", { className: "code", textContent: spelt(room.code) }),
        ),
        this.people,
        ALONE.test(place.hostname) &&
          el("p", {
            className: "quiet",
            textContent:
              "This address works only on this computer. To let others join, start the app with make run HOST=0.0.0.0, and open it here at this computer’s address in the network.",
          }),
      ),
      this.picture,
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })),
    );
    room.root.append(this.box);
  }

  open() {
    this.picture.hidden = false;
    this.picture.src = this.source;
    this.box.showModal();
  }

  /** @type {(people: number) => void} */
  show(people) {
    this.people.textContent = people ? `${people} here` : "";
  }
  close() {
    this.box.remove();
  }
}
