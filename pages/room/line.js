// The connection to a class: it opens anew by itself, and what was said and not heard is said again.
// Takes nothing from the other files.

const FIRST_PAUSE = 250, LONGEST_PAUSE = 8000; // milliseconds between two tries
const UNKNOWN = 4404, FORBIDDEN = 1008; // codes of closing after which there is no use in trying again

class Line {
  constructor(address, hello, ears) { // hello() is said first; ears: heard(message), changed(), refused(code)
    Object.assign(this, { address, hello, ears, pause: FIRST_PAUSE, open: false, closed: false, greeted: false });
    this.onnet = () => this.open || this.connect(); // a phone that has a network again
    window.addEventListener("online", this.onnet);
    this.connect();
  }

  connect() {
    clearTimeout(this.due);
    if (this.closed) return;
    this.socket?.close();
    const socket = (this.socket = new WebSocket(this.address));
    socket.onopen = () => socket.send(JSON.stringify({ hello: this.hello() }));
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.pause = FIRST_PAUSE;
      const before = this.open;
      this.open = this.greeted = true;
      if (!before) this.ears.changed();
      this.ears.heard(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket || this.closed) return;
      const was = this.open;
      this.open = false;
      if (code === UNKNOWN || (code === FORBIDDEN && !this.greeted)) return this.ears.refused(code);
      if (was || !this.greeted) this.ears.changed();
      this.due = setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    };
  }

  say(message) { // true if it is on its way; who must be sure waits for an answer
    if (!this.open || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearTimeout(this.due);
    window.removeEventListener("online", this.onnet);
    this.socket?.close();
  }
}
