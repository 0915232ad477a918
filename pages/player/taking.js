// The menu of what can be taken away from this moment: it asks the routes for a file, and hands it to the browser.

import { element } from "./canvas.js";
import { captionedCanvas, png } from "./captioned.js";
import { searchOf } from "./reckoning.js";
import { Refused, fetched } from "./source.js";
import { typed } from "./typed.js";

/** @import { DrawnChart } from "../messages.js" */
/** @import { Root } from "./canvas.js" */
/** @import { Clips } from "./clip.js" */

const MOST = 300; // iterations of a clip
/** @type {Record<string, string>} */
const COPIED = { copy: "py", step: "md" }; // buttons that copy what others hand over as a file

/**
 * @typedef {{ source: string, t: number, link: string, address: string, charts: DrawnChart[], view: (name: string) => View,
 *   figure: (name: string) => HTMLElement, paper: string, dark: boolean, quiet: boolean }} Moment where the run is, and the charts that are seen
 */

export class Taking {
  /** @param {Root} root @param {HTMLElement} button @param {() => Moment} moment @param {Clips} clips */
  constructor(root, button, moment, clips) {
    this.button = button;
    this.clips = clips;
    this.moment = moment;
    this.box = /** @type {HTMLElement} */ (root.querySelector("[data-part=takings]"));
    this.select = /** @type {HTMLSelectElement} */ (this.box.querySelector("select"));
    this.box.onclick = ({ target }) => this.take(/** @type {Element} */ (target).closest("button")?.dataset.take);
    this.box.ontoggle = (event) =>
      button.setAttribute("aria-expanded", String(/** @type {ToggleEvent} */ (event).newState === "open"));
  }

  open() {
    const { charts } = this.moment(),
      { right, bottom } = this.button.getBoundingClientRect();
    this.select.replaceChildren(
      ...charts.map(({ name, title }) => Object.assign(element("option", "", title), { value: name })),
    );
    this.say("");
    this.box.togglePopover();
    const wide = document.documentElement.clientWidth,
      most = wide - this.box.offsetWidth - 8; // on a phone it is as wide as the window
    this.box.style.cssText = `top: ${bottom + 6}px; right: ${Math.max(8, Math.min(wide - right, most))}px`;
  }

  /** @type {(text: string) => void} */
  say(text) {
    /** @type {Element} */ (this.box.querySelector("[role=status]")).textContent = text;
  }

  /** @type {(what: string | undefined) => Promise<void>} */
  async take(what) {
    if (!what) return;
    if (what === "keep") return this.keep();
    if (what === "webm" || what === "frames") return this.clip(what);
    const { source, t } = this.moment(),
      copies = what in COPIED,
      kind = COPIED[what] ?? what,
      chart = this.select.value;
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
              (said) => {
                if (said) this.say(said);
              },
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
    const note = /** @type {HTMLInputElement} */ (this.box.querySelector("input")),
      { source, link, t } = this.moment();
    const kept = [source.split("?")[0], `${link}&t=${t}`, note.value.trim()];
    try {
      localStorage.setItem(`samplescope answer .moment/${Date.now().toString(36)}`, JSON.stringify(kept));
      document.dispatchEvent(new CustomEvent("samplescope:kept"));
      note.value = "";
      this.say("Kept: you will find it in My work, on the course map.");
    } catch {
      this.say("This browser does not let this page keep anything.");
    }
  }

  /** @type {(what: string) => Promise<void>} */
  async clip(what) {
    // the chart from here on, as a film or as pictures
    const { t, source, address } = this.moment(),
      field = /** @type {HTMLInputElement} */ (this.box.querySelector("[data-clip]")),
      { value: many, said } = typed(field.value, 1, MOST, true),
      name = this.select.value,
      topic = source.split("?")[0];
    if (many === undefined) return this.say(said ?? "");
    if (this.clips.locked()) return this.say("The player is locked here: a clip would show what comes.");
    if (what === "webm" && !this.clips.films) return this.say("This browser writes no films: take pictures.");
    try {
      const told = `Samplescope: ${topic}${searchOf(address, t)}`,
        blob = await this.clips.made(what, name, many, told, (words) => this.say(words)),
        kind = what === "frames" ? "zip" : blob.type.split(/[/;]/)[1];
      hand(blob, `samplescope-${topic}-${t}-${name}.${kind}`);
      this.say("");
    } catch (error) {
      console.error(error);
      this.say("That could not be done here. Try a smaller number, or pictures.");
    }
  }

  /** @type {(chart: string) => Promise<Blob>} */
  async pixels(chart) {
    const { view, paper, figure, address, t, source } = this.moment();
    const said = `Samplescope: ${source.split("?")[0]}${searchOf(address, t)}`;
    return png(await captionedCanvas(view(chart), figure(chart), paper, said));
  }

  /** @type {(kind: string, chart: string) => Record<string, unknown>} */
  painted(kind, chart) {
    if (kind === "md") return { view: new URLSearchParams(this.moment().link).get("view") };
    return ["png", "svg", "pdf"].includes(kind)
      ? { chart, theme: this.moment().dark ? "dark" : "light", quiet: +this.moment().quiet }
      : {};
  }
}

/** @type {(blob: Blob, name: string) => void} */
function hand(blob, name) {
  // to the browser's downloads
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
