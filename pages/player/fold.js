// Where the cards of a lesson's step would end below the window, the main picture gives them what they lack: never back
// within a step, so that the charts do not change with every card. With a question it gives before the answer alone, so that
// the picture that answers is as large as the one that asks; a bar below it takes the room of the cards that come.

const MOST = 94; // pixels of the main picture, which has some 400: 45 % of the stage stay in a window of 1280 × 800
const CHANGES = 9;
const LOOKS = 3; // in a row, after which cards that have come have their height
const NARROW = 1000; // pixels: there the text is below the charts

/** @type {(lacking: number, given: number, before: number, listed: boolean) => number} */
export function giving(lacking, given, before, listed) {
  // what the picture gives in all, no less than before; a list that is longer than that is scrolled to anyway
  const wanted = Math.max(before, given + lacking);
  return wanted > MOST && listed && given === before ? before : Math.min(wanted, MOST);
}

export class Fold {
  step = ""; // where something is given
  before = 0; // what was given before cards came that may still change
  looks = 0; // at them that are still to come
  changes = 0; // in this step, of which there is an end whatever the cards do
  asked = false; // a question that was open in this step

  /** @type {(step: string, bar: boolean) => boolean} */
  fit(step, bar) {
    // at rest, in a step of a lesson or "" elsewhere, with or without a bar; whether anything may still move
    if (step !== this.step) Object.assign(this, { step, before: 0, looks: 0, changes: 0, asked: false });
    const open = Boolean(step && document.querySelector(".st-key-question .st-key-check"));
    this.asked ||= open;
    if (this.asked && !open) return false;
    const listed = !document.querySelector(".st-key-inspector .beats"),
      wanted = step ? giving(this.lacking(), this.given, this.before, listed) : 0,
      given = open && bar ? MOST : wanted;
    if (given !== this.given && this.changes < CHANGES) {
      this.changes += 1;
      if (!this.looks) this.looks = LOOKS;
      document.documentElement.style.setProperty("--give", `${given}px`);
    }
    if (this.looks > 0) this.looks -= 1;
    else this.before = given;
    return this.looks > 0;
  }

  get given() {
    // another topic has a player of its own, on the same page
    return parseFloat(document.documentElement.style.getPropertyValue("--give")) || 0;
  }

  lacking() {
    const cards = document.querySelector(".st-key-inspector")?.getBoundingClientRect(),
      scrolled = document.querySelector(".stMain")?.scrollTop ?? 0;
    return cards?.height && innerWidth > NARROW ? Math.ceil(cards.bottom + scrolled - innerHeight) : -Infinity;
  }
}
