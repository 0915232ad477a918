import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock, suite } from "node:test";

import { FORBIDDEN, Line, UNKNOWN } from "../../../pages/classroom/line.js";
import { page } from "../page.js";

let sockets, ears, told;

class Socket {
  static OPEN = 1;
  constructor(address) {
    Object.assign(this, { address, readyState: 0, sent: [] });
    sockets.push(this);
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  hears(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  loses(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
}

const line = () => new Line("ws://here/room/KX7M2PQ9", () => ({ member: "me" }), ears);

suite("classroom/line.js", () => {
  beforeEach(() => {
    page();
    [sockets, told] = [[], []];
    globalThis.WebSocket = Socket;
    ears = Object.fromEntries(
      ["heard", "changed", "refused"].map((name) => [name, (...what) => told.push([name, ...what])]),
    );
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    mock.method(Math, "random", () => 0.5); // waits are as long as they are on average
  });
  afterEach(() => mock.reset());

  test("a connection begins with hello, and is there when it has been answered", () => {
    const room = line(),
      [socket] = sockets;
    assert.equal(room.say({ name: "Ada" }), false);
    socket.opens();
    assert.deepEqual(socket.sent, [{ hello: { member: "me" } }]);
    assert.equal(room.say({ name: "Ada" }), false);
    socket.hears({ state: 1 });
    assert.deepEqual(told, [["changed"], ["heard", { state: 1 }]]);
    assert.equal(room.say({ name: "Ada" }), true);
    assert.deepEqual(socket.sent.at(-1), { name: "Ada" });
  });

  test("a lost connection is opened anew, after longer and longer pauses", () => {
    line();
    for (const [i, pause] of [250, 500, 1000, 2000, 4000, 8000, 8000].entries()) {
      sockets.at(-1).loses();
      mock.timers.tick(pause - 1);
      assert.equal(sockets.length, i + 1);
      mock.timers.tick(1);
      assert.equal(sockets.length, i + 2);
    }
  });

  test("whoever is heard again begins with short pauses", () => {
    line();
    sockets[0].loses();
    mock.timers.tick(250);
    sockets[1].opens();
    sockets[1].hears({});
    sockets[1].loses();
    mock.timers.tick(250);
    assert.equal(sockets.length, 3);
  });

  test("a loss is told once", () => {
    line();
    sockets[0].opens();
    sockets[0].hears({});
    told.length = 0;
    sockets[0].loses();
    mock.timers.tick(250);
    sockets[1].loses();
    assert.deepEqual(told, [["changed"]]);
  });

  test("who is not known, or not let in, does not try again", () => {
    for (const code of [UNKNOWN, FORBIDDEN]) {
      line();
      const before = sockets.length;
      sockets.at(-1).loses(code);
      mock.timers.tick(60_000);
      assert.equal(sockets.length, before);
    }
    assert.deepEqual(told, [
      ["refused", UNKNOWN],
      ["refused", FORBIDDEN],
    ]);
  });

  test("who was let in once and is shut out tries again", () => {
    line();
    sockets[0].opens();
    sockets[0].hears({});
    sockets[0].loses(FORBIDDEN);
    mock.timers.tick(250);
    assert.equal(sockets.length, 2);
  });

  test("a class that is full is known to be", () => {
    const room = line();
    sockets[0].loses(1013);
    assert.equal(room.full, true);
    mock.timers.tick(250);
    sockets[1].loses();
    assert.equal(room.full, false);
  });

  test("what a connection says that is no longer the one is not heard", () => {
    const room = line();
    sockets[0].opens();
    room.connect();
    sockets[0].hears({ late: true });
    sockets[0].loses();
    assert.deepEqual(told, []);
    mock.timers.tick(60_000);
    assert.equal(sockets.length, 2);
  });

  test("a network that is back, and a page that is seen after a long sleep, are tried at once", () => {
    line();
    sockets[0].opens();
    sockets[0].hears({});
    window.dispatchEvent(new Event("online"));
    mock.timers.tick(500);
    assert.equal(sockets.length, 2);
    sockets[1].opens();
    sockets[1].hears({});
    for (const [asleep, many] of [
      [19_000, 2],
      [21_000, 3],
    ]) {
      sockets[1].hears({ beat: true });
      for (const hidden of [true, false]) {
        document.hidden = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
        mock.timers.tick(hidden ? asleep : 500);
      }
      assert.equal(sockets.length, many, `after ${asleep} ms`);
    }
  });

  test("a network that is dead says nothing: after 25 s without a word the connection is lost", () => {
    line();
    sockets[0].opens();
    sockets[0].hears({});
    mock.timers.tick(20_000);
    sockets[0].hears({ beat: true });
    mock.timers.tick(24_000);
    assert.equal(sockets.length, 1);
    mock.timers.tick(1_000);
    assert.equal(sockets.length, 2);
  });

  test("a line that is closed stays closed", () => {
    const room = line();
    sockets[0].loses();
    room.close();
    window.dispatchEvent(new Event("online"));
    room.connect();
    mock.timers.tick(60_000);
    assert.equal(sockets.length, 1);
  });
});
