// The way in, as large as the screen: address, code and QR code.
// Taken from drawing.js: el, button, counted, spelt.

class Projector {
  constructor(room) {
    const place = new URL(location.href.replace(/[^/]*([?#].*)?$/, ""));
    const invitation = `${place.href}?room=${room.code}`;
    this.picture = el("img", { alt: `QR code of ${invitation}`, className: "qr", onerror: () => { this.picture.hidden = true; } });
    this.source = `${room.address.href}/${room.code}/qr.svg?at=${encodeURIComponent(invitation)}`;
    this.people = el("p", { className: "people" });
    this.box = el("dialog", { className: "projector", ariaLabel: "Join the class" },
      el("div", { className: "words" }, el("h2", { textContent: "Join the class" }), el("p", { className: "address", textContent: place.href.replace(/^https?:\/\/|\/$/g, "") }), el("p", {}, "and the code ", el("b", { className: "code", textContent: spelt(room.code) })), this.people),
      this.picture,
      el("form", { method: "dialog", className: "close" }, el("button", { textContent: "×", ariaLabel: "Close" })));
    room.root.append(this.box);
  }

  open() {
    this.picture.hidden = false;
    this.picture.src = this.source;
    this.box.showModal();
  }

  show(people) { this.people.textContent = people ? `${people} here` : ""; }
  close() { this.box.remove(); }
}
