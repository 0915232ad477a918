// A film as the browser has it: its charts, the frames that have come, and the rows that a frame puts into data sets.

import { rowsOf } from "./canvas.js";
import { trailOf } from "./reckoning.js";

/** @import { Described, Listed } from "../messages.js" */
/** @import { Columns, Frames, Row } from "./canvas.js" */
/** @typedef {ArrayLike<number>[]} Values of a frame, by column */
/** @typedef {Record<string, Columns>} Sets of data, by name */

export class Film {
  /** @type {{ set: string, field: string }[]} */ columns = [];
  /** @type {Values[]} */ frames = [];
  /** @type {Row[]} a row a frame */ past = [];

  /** @param {Described} described @param {Sets} rested what is drawn at rest alone @param {string | null} drawn of which rest */
  constructor(described, rested, drawn) {
    this.described = described;
    this.rested = rested;
    this.drawn = drawn;
    this.data = /** @type {Sets} */ (described.data);
  }

  get last() {
    return this.frames.length - 1;
  }

  /** @type {(news: Frames) => Row[]} */
  keep({ head: { start, count }, columns }) {
    // store the new frames; their ("past", …) columns become rows of a data set that grows
    const first = this.frames.length;
    this.columns = [...columns, ...this.described.trails];
    for (let frame = first; frame < start + count; frame++)
      this.frames.push(columns.map((column) => column.row(frame - start)));
    const news = this.frames.slice(first).map((values, i) => {
      /** @type {Row} */
      const row = { t: first + i };
      columns.forEach(({ set, field }, c) => {
        if (set === "past") row[field] = values[c][0];
      });
      return row;
    });
    this.past.push(...news);
    return news;
  }

  /** @type {(changes: Changes, name: string, values: Values) => void} */
  modify(changes, name, values) {
    // a data set's rows have these numbers now; Vega works on those that differ alone
    this.columns.forEach(({ set, field }, c) => {
      const now = (/** @type {any} */ row) => values[c][row.i];
      if (set === name) changes.modify((row) => row[field] !== now(row), field, now);
    });
  }

  /** @type {(at: number, towards: number) => Values} */
  values(at, towards) {
    // of the frame that is shown; of some sets, those of the frame that is being moved to
    const now = this.frames[at] ?? [],
      next = this.frames[towards] ?? now,
      { ahead, trails } = this.described;
    return [
      ...now.map((row, c) => (ahead.includes(this.columns[c].set) ? next[c] : row)),
      ...trails.map(({ of: [set, field], many, empty }) => {
        const column = this.columns.findIndex((one) => one.set === set && one.field === field),
          past = this.frames.slice(Math.max(0, at - many + 1), at + 1).reverse();
        return trailOf(
          past.map((frame) => frame[column]),
          many,
          empty,
        );
      }),
    ];
  }

  /** @type {(values: Values) => Record<string, number>} */
  said(values) {
    // what captions are filled from
    return Object.fromEntries(
      this.columns.flatMap(({ set, field }, c) => (set === "say" ? [[field, values[c][0]]] : [])),
    );
  }

  /** @type {(sets: string[]) => string[]} */
  changing(sets) {
    return sets.filter((name) => name !== "past" && this.columns.some(({ set }) => set === name));
  }

  /** @type {(name: string, values: Values, scrolled: number) => Row[]} */
  rows(name, values, scrolled) {
    // as they are in a frame with these values
    if (name === "past") return this.past;
    if (this.rested[name]) return rowsOf(this.rested[name]); // drawn at rest alone; themes may change
    const [start, stop] = this.inSight(name, scrolled),
      rows = rowsOf(this.data[name]).slice(start, stop);
    this.columns.forEach(({ set, field }, c) => {
      if (set === name) for (const row of rows) row[field] = values[c][row.i];
    });
    return rows;
  }

  /** @type {(name: string, scrolled: number) => number[]} */
  inSight(name, scrolled) {
    // which rows of a data set are shown, if a chart scrolls through them
    const lists = /** @type {Listed[]} */ (this.described.charts.map(({ listed }) => listed).filter(Boolean));
    const list = lists.find(({ sets }) => name in sets);
    return list ? [0, list.shown].map((item) => (scrolled + item) * list.sets[name]) : [];
  }
}
