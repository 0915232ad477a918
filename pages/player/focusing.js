// Where the keyboard's focus goes when what was pressed is gone, or leads on: to what is said to an answer, to the question
// that is asked again, to the heading of another step. A screen reader reads on there.

/** @type {Record<string, string>} what was pressed, and what is waited for */
const LEADS = {
  ".st-key-check": ".st-key-verdict",
  ".st-key-tell": ".st-key-told",
  ".st-key-again": ".st-key-question input:not(:disabled)",
  ".st-key-next": ".st-key-text h2",
  ".st-key-back": ".st-key-text h2",
};

/** @type {(pressed: Element) => string | undefined} */
const leadOf = (pressed) => LEADS[Object.keys(LEADS).find((name) => pressed.closest(name)) ?? ""];

export class Focusing {
  /** @type {MutationObserver | null} */ waits = null;
  /** @type {HTMLElement | null} the heading that has it */ heading = null;

  constructor() {
    this.onclick = (/** @type {Event} */ { target }) => this.pressed(/** @type {Element} */ (target));
    document.addEventListener("click", this.onclick, true);
  }

  close() {
    document.removeEventListener("click", this.onclick, true);
    this.waits?.disconnect();
  }

  /** @type {(target: Element) => void} */
  pressed(target) {
    this.waits?.disconnect();
    const wanted = target.closest?.("button") && leadOf(target);
    if (!wanted) return;
    const before = found(wanted),
      words = before?.textContent;
    const look = () => {
      const now = found(wanted);
      if (!now || (now === before && now.textContent === words)) return;
      this.waits?.disconnect();
      this.give(now);
    };
    this.waits = new MutationObserver(look);
    this.waits.observe(document.body, { childList: true, subtree: true, characterData: true });
  }

  /** @type {(to: HTMLElement) => void} */
  give(to) {
    // unless the learner has gone elsewhere meanwhile
    const at = document.activeElement;
    if (at && at !== document.body && !at.closest(".st-key-steps, .st-key-question, .st-key-text h2")) return;
    if (to.tagName !== "INPUT") to.tabIndex = -1;
    /** @type {HTMLElement | null} */ (at)?.blur(); // the same heading with other words is read, too
    to.focus({ preventScroll: true });
    this.heading = to.tagName === "H2" ? to : null;
    if (!this.heading)
      for (const part of [to.closest(".st-key-question"), to]) part?.scrollIntoView({ block: "nearest" });
    if (!this.heading) uncover(to);
    this.inSight();
  }

  inSight() {
    // in a low window the heading is below the charts, and after a long page above the window; elsewhere nothing moves
    const { heading } = this;
    if (!heading || document.activeElement !== heading) return;
    if (heading.getBoundingClientRect().bottom > innerHeight - heading.offsetHeight) heading.scrollIntoView();
    else if (hiddenOf(heading) > 0) document.querySelector(".stMain")?.scrollTo(0, 0);
  }
}

/** @type {(to: HTMLElement) => void} */
function uncover(to) {
  // what is longer than the window is read from its top
  const hidden = hiddenOf(to);
  if (hidden > 0) document.querySelector(".stMain")?.scrollBy(0, -hidden);
}

/** @type {(to: HTMLElement) => number} */
function hiddenOf(to) {
  // how many pixels of its top are above the window, or on a phone below the player, which stays
  const player = document.querySelector(".st-key-player");
  const stays = player && getComputedStyle(player).position === "sticky";
  return (stays ? player.getBoundingClientRect().bottom + 8 : 0) - to.getBoundingClientRect().top;
}

/** @type {(wanted: string) => HTMLElement | null} */
const found = (wanted) => document.querySelector(wanted);
