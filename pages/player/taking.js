// The menu of what can be taken away from this moment: it asks the routes for a file, and hands it to the browser.

import { element } from "./canvas.js";
import { captioned } from "./captioned.js";
import { Refused, fetched } from "./source.js";

const COPIED = { copy: "py", step: "md" }; // buttons that copy what others hand over as a file

export class Taking {
  constructor(root, button, moment) {
    Object.assign(this, { button, moment, box: root.querySelector("[data-part=takings]") });
    this.box.onclick = (event) => this.take(event.target.closest("button")?.dataset.take);
    this.box.ontoggle = ({ newState }) => button.setAttribute("aria-expanded", newState === "open");
  }

  open() {
    const { charts } = this.moment(),
      { right, bottom } = this.button.getBoundingClientRect();
    this.box
      .querySelector("select")
      .replaceChildren(
        ...charts.map(({ name, title }) => Object.assign(element("option", "", title), { value: name })),
      );
    this.say("");
    this.box.togglePopover();
    const wide = document.documentElement.clientWidth,
      most = wide - this.box.offsetWidth - 8; // on a phone it is as wide as the window
    this.box.style.cssText = `top: ${bottom + 6}px; right: ${Math.max(8, Math.min(wide - right, most))}px`;
  }

  say(text) {
    this.box.querySelector("[role=status]").textContent = text;
  }

  async take(what) {
    if (!what) return;
    if (what === "keep") return this.keep();
    const { source, t } = this.moment(),
      copies = what in COPIED,
      kind = COPIED[what] ?? what,
      chart = this.box.querySelector("select").value;
    this.going?.abort();
    const { signal } = (this.going = new AbortController());
    this.say("Making it …");
    try {
      const blob =
        kind === "png"
          ? await this.pixels(chart)
          : await fetched(
              source,
              "take",
              { t, as: kind, ...this.painted(kind, chart) },
              (said) => said && this.say(said),
              signal,
              (answer) => answer.blob(),
            );
      if (copies) await navigator.clipboard.writeText(await blob.text());
      else
        hand(
          blob,
          `samplescope-${source.split("?")[0]}-${t}${this.painted(kind, chart).chart ? `-${chart}` : ""}.${kind}`,
        );
      this.say(copies ? "Copied." : "");
    } catch (error) {
      if (!signal.aborted)
        this.say(error instanceof Refused ? error.message : "That could not be done here. Try another kind of file.");
    }
  }

  keep() {
    // where the page keeps answers, see answers.py
    const note = this.box.querySelector("input"),
      { source, link, t } = this.moment();
    const kept = [source.split("?")[0], `${link}&t=${t}`, note.value.trim()];
    try {
      localStorage.setItem(`samplescope answer .moment/${Date.now().toString(36)}`, JSON.stringify(kept));
      document.dispatchEvent(new CustomEvent("samplescope:kept"));
      note.value = "";
      this.say("Kept: you find it in My work, from the course map.");
    } catch {
      this.say("This browser keeps nothing for this page.");
    }
  }

  pixels(chart) {
    const { view, paper, figure, link, t, source } = this.moment();
    return captioned(view(chart), figure(chart), paper, `Samplescope: ${source.split("?")[0]}?${link}&t=${t}`);
  }

  painted(kind, chart) {
    if (kind === "md") return { view: new URLSearchParams(this.moment().link).get("view") };
    return ["png", "svg", "pdf"].includes(kind)
      ? { chart, theme: this.moment().dark ? "dark" : "light", quiet: +this.moment().quiet }
      : {};
  }
}

function hand(blob, name) {
  // to the browser's downloads
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
