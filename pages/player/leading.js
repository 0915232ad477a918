// A class leads this player, or follows it, by events of the document and without a script; see pages/classroom.
// `player` is the one of player.js.

const SLACK = 1; // seconds by which a film that plays may be behind or ahead
const BEAT = 1000; // milliseconds between two times that a film that plays says where it is
const FAR = 180; // iterations from which on a run is not walked but jumped to

export class Leading {
  constructor(player) {
    Object.assign(this, { player, led: false, told: {}, at: 0 });
    this.ears = {
      "samplescope:where": () => this.tell(true),
      "samplescope:lead": ({ detail }) => this.go(detail),
      "samplescope:run": ({ detail }) => this.run(detail),
      "samplescope:crowd": ({ detail }) => this.player.guess.among(detail),
      "samplescope:guessed": ({ detail }) => this.guessed(detail),
    };
    for (const [name, ear] of Object.entries(this.ears)) document.addEventListener(name, ear);
  }

  close() {
    for (const [name, ear] of Object.entries(this.ears)) document.removeEventListener(name, ear);
  }

  get here() {
    // what a class is shown of this
    const { poster, page, source, link, goal, wanted, t, playing, rate: speed } = this.player;
    if (poster) return { page, query: "", t: 0, playing: false, speed: 1 };
    return { page: source?.split("?")[0], query: link, t: Math.floor(goal ?? wanted ?? t), playing, speed };
  }

  tell(again = false) {
    // to whom it concerns: a page that is in a class asks for it first
    if (!document.samplescopeClass || !this.player.root.isConnected || (this.player.held && !again)) return;
    const { here, told } = this,
      now = performance.now();
    const moved = here.t !== told.t && (!here.playing || now > this.at + BEAT);
    if (!again && !moved && ["page", "query", "playing", "speed"].every((name) => here[name] === told[name])) return;
    Object.assign(this, { told: here, at: now });
    document.dispatchEvent(new CustomEvent("samplescope:here", { detail: here }));
  }

  go(place) {
    // to where the class is; null lets go
    const { player } = this;
    this.led = Boolean(place);
    if (!place || player.poster || player.last < 0) return;
    const { playing, speed } = place,
      t = Math.min(place.t, player.total),
      here = player.goal ?? player.wanted ?? player.t;
    if (!playing) {
      if (here === t && !player.playing) return;
      if (t > player.t && t <= player.from(Math.floor(player.t), 1)) player.walkTo(t);
      else player.settle(t);
      return;
    }
    if (Math.abs(player.t - t) > speed * SLACK) player.jump(t);
    if (player.playing && player.hurry === speed) return;
    player.halt();
    Object.assign(player, { hurry: speed, playing: true });
    player.run();
  }

  run(t) {
    // a learner's own run, to where the class looks at it
    const { player } = this;
    player.halt();
    if (Math.abs(t - player.t) > FAR) player.settle(t);
    else player.walkTo(t);
  }

  get quiet() {
    // a class has moved it: a script need not run, unless it draws what is open, or says that a goal is reached
    const { until, t } = this.player;
    return (
      this.led && !(until !== null && t >= until) && !document.querySelector(".st-key-inspector:not(:has([data-t]))")
    );
  }

  get untold() {
    return this.led && !this.player.poster && this.player.reported !== this.player.whereabouts;
  }

  guessed(value) {
    // in the panel of a class, beside which the picture is
    const { guess } = this.player;
    if (!guess.asked?.hand || guess.asked.guess === value) return;
    guess.asked.guess = value;
    guess.show();
  }
}
