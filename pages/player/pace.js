// The time from one animation frame of the screen to the next, and which charts are painted within it while a run plays
// fast: the main pictures always, and one of those beside them when there is time for it.

/** @typedef {{ painted: string | null, took: number }} Painted
 *   which frames' numbers are on a chart, and the milliseconds that its last painting took */

const USUAL = 1000 / 60; // milliseconds, until frames have been counted
const [SHORTEST, LONGEST] = [1000 / 250, 1000 / 30]; // of any screen: what lies beyond is a frame twice, or one that is late
const SHARE = 0.7; // of a frame, for charts: browsers need the rest to put pixels on the screen
const LATE = 500; // milliseconds after which one is painted even where there never is time

export class Pace {
  period = USUAL;
  turns = 0;
  turned = 0; // when a chart beside the main picture was painted

  /** @type {(milliseconds: number) => void} */
  ticked(milliseconds) {
    // frames may be late and never early: the shortest of the last few tells the screen's period
    if (milliseconds >= SHORTEST && milliseconds <= LONGEST)
      this.period = Math.min(milliseconds, 0.99 * this.period + 0.01 * milliseconds);
  }

  /** @type {<T extends Painted>(main: T[], others: T[], whole: string, now: number) => T[]} */
  due(main, others, whole, now) {
    // the charts to paint now: the numbers of `whole` belong on them
    const turn = others[this.turns % others.length];
    const takes = main.reduce((sum, { painted, took }) => sum + (painted === whole ? 0 : took), turn?.took ?? 0);
    if (!turn || (takes > SHARE * this.period && now - this.turned < LATE)) return main;
    this.turns++;
    this.turned = now;
    return [...main, turn];
  }
}
