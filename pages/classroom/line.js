// The connection to a class: it reopens by itself, and messages that got lost are sent again.

/** @import { Hello, InstructorSays, News } from "../messages.js" */

const FIRST_PAUSE = 250,
  LONGEST_PAUSE = 8000; // milliseconds between two tries
const SCATTER_BACK = 1000,
  ASLEEP = 20000; // milliseconds over which a class comes back, and after which a hidden page may have lost its connection without a sign
const SILENT = 25000; // milliseconds without a word, of which one comes each 10 s, after which the connection is lost
const FULL = 1013; // the class, or what keeps it, takes nobody in just now
export const UNKNOWN = 4404,
  FORBIDDEN = 1008,
  REMOVED = 4403,
  LOCKED = 4423; // codes of closing after which there is no use in trying again

/** @typedef {Partial<InstructorSays>} Said one thing at a time; learners say less */
/** @typedef {{ heard: (message: News) => void, changed: () => void, refused: (code: number) => void }} Ears */

export class Line {
  /** @type {WebSocket | undefined} */ socket;
  /** @type {number | undefined} */ due;
  /** @type {number | undefined} */ silence;
  /** @type {number | null} when the page was hidden */ hidden = null;
  pause = FIRST_PAUSE;
  open = false;
  closed = false;
  greeted = false;
  full = false;

  /** @param {string} address @param {() => Hello} hello @param {Ears} ears */
  constructor(address, hello, ears) {
    // hello() is said first; ears: heard(message), changed(), refused(code)
    this.address = address;
    this.hello = hello;
    this.ears = ears;
    this.onnet = () => this.soon(); // a phone that has a network again
    this.onseen = () => {
      const slept = this.hidden !== null && Date.now() - this.hidden > ASLEEP;
      this.hidden = document.hidden ? Date.now() : null;
      if (!document.hidden && (slept || !this.open)) this.soon();
    };
    window.addEventListener("online", this.onnet);
    document.addEventListener("visibilitychange", this.onseen);
    this.connect();
  }

  listen() {
    // a network that is dead says nothing, and closes nothing either
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (!this.open) return;
      this.open = false;
      this.ears.changed();
      this.connect();
    }, SILENT);
  }

  soon() {
    clearTimeout(this.due);
    this.due = setTimeout(() => this.connect(), Math.random() * SCATTER_BACK);
  }

  connect() {
    clearTimeout(this.due);
    if (this.closed) return;
    this.open = false;
    this.socket?.close();
    const socket = (this.socket = new WebSocket(this.address));
    socket.onopen = () => socket.send(JSON.stringify({ hello: this.hello() }));
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.pause = FIRST_PAUSE;
      this.listen();
      const before = this.open;
      this.open = this.greeted = true;
      if (!before) this.ears.changed();
      this.ears.heard(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket || this.closed) return;
      const was = this.open;
      Object.assign(this, { open: false, full: code === FULL });
      if ([UNKNOWN, REMOVED, LOCKED].includes(code) || (code === FORBIDDEN && !this.greeted))
        return this.ears.refused(code);
      if (was || !this.greeted) this.ears.changed();
      this.due = setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    };
  }

  /** @type {(message: Said) => boolean} */
  say(message) {
    // true if it is on its way; who must be sure waits for an answer
    if (!this.open || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearTimeout(this.due);
    clearTimeout(this.silence);
    window.removeEventListener("online", this.onnet);
    document.removeEventListener("visibilitychange", this.onseen);
    this.socket?.close();
  }
}
