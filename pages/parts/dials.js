// Numbers that learners turn beside the charts. While one is dragged, its latest value is sent as soon as the last one
// has been answered: the charts keep up with the pointer, however long an answer takes.

class Dials {
  constructor(box, send) {
    Object.assign(this, { box, send, names: "", held: null, next: null, timer: null });
  }

  show(dials) { // as Python has them, but for the one in the learner's hand
    const names = dials.map(({ name }) => name).join();
    if (names !== this.names) this.box.replaceChildren(...dials.map((dial) => this.made(dial)));
    this.names = names;
    for (const { name, value } of dials) if (name !== this.held) this.put(name, value);
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
    range.nextSibling.textContent = (+range.value).toFixed(range.step.split(".")[1]?.length ?? 0).replace("-", "−"); // digits as in its steps
  }

  turned(name, value, done) {
    this.held = done ? null : name;
    this.put(name, value);
    this.next = { name, value: +value, done };
    if (this.timer === null) this.tell();
  }

  tell() {
    const told = this.next;
    this.next = null;
    this.timer = setTimeout(() => { // it may have got lost
      this.next ??= told;
      if (this.box.isConnected) this.tell();
    }, PATIENCE);
    this.send(told);
  }

  answered() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.next) this.tell();
  }
}
