// Numbers that learners turn beside the charts. While one is dragged, its latest value is sent as soon as the last one
// has been answered: the charts keep up with the pointer, however long an answer takes. Messages say which
// report was heard last, so that no older value overwrites a newer one.
// Taken from canvas.js: element.

class Dials {
  constructor(box, send) {
    Object.assign(this, { box, send, names: "", told: null, next: new Map() });
  }

  show(dials, locked) { // as Python has them, but for those of which it has not heard yet
    const names = dials.map(({ name }) => name).join();
    if (names !== this.names) this.box.replaceChildren(...dials.map((dial) => this.made(dial)));
    this.names = names;
    for (const range of this.box.querySelectorAll("input")) range.disabled = locked;
    for (const { name, value } of dials) if (name !== this.told?.name && !this.next.has(name)) this.put(name, value);
  }

  made({ name, title, help, low, high, step }) {
    const range = Object.assign(element("input", ""), { type: "range", min: low, max: high, step, name, ariaLabel: title, ariaDescription: help });
    range.oninput = () => this.turned(name, range.value, false);
    range.onchange = () => this.turned(name, range.value, true);
    const label = Object.assign(element("label", "", title), { title: help });
    label.append(range, element("span", ""));
    return label;
  }

  put(name, value) {
    const range = this.box.querySelector(`[name="${name}"]`);
    range.value = value;
    const digits = range.step.split(".")[1]?.length ?? 0;
    range.nextSibling.textContent = (+range.value).toFixed(digits).replace("-", "−");
  }

  turned(name, value, done) {
    this.put(name, value);
    this.next.set(name, { name, value: +value, done });
    if (!this.told) this.tell();
  }

  tell() {
    const [next] = this.next.values();
    this.next.delete(next.name);
    this.told = { ...next, number: this.send(next) };
  }

  answered(heard) {
    if (!this.told || heard < this.told.number) return;
    this.told = null;
    if (this.next.size) this.tell();
  }
}
