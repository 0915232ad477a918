// Where the class is: an instructor's browser tells it, a learner's goes there. See pages/player/leading.js for the player.
// Takes nothing from the other files.

const SCATTER = 300; // milliseconds over which a class asks for a page
const RATE = 60; // milliseconds between two things that an instructor shows
const CALM = 400, PATIENCE = 10000; // milliseconds without a script's run after a page was asked for, and for one
const FOLDER = () => location.pathname.replace(/[^/]*$/, "");
const nameOf = ({ page, query }) => `${page}?${query}`;

class Shows { // the instructor's
  constructor(say) {
    this.say = say;
    this.ear = ({ detail }) => { this.here = detail; this.send(); };
    document.addEventListener("samplescope:here", this.ear);
  }

  send() { // at once, and then as often as the class can take it
    if (this.due || !this.here?.page && this.here?.page !== "") return;
    this.say({ show: this.here });
    this.due = setTimeout(() => {
      this.due = null;
      if (this.here !== this.told) this.send();
    }, RATE);
    this.told = this.here;
  }

  close() {
    clearTimeout(this.due);
    document.removeEventListener("samplescope:here", this.ear);
  }
}

class Follows { // a learner's
  constructor() {
    this.ear = ({ detail }) => {
      this.here = detail;
      if (this.going) setTimeout(() => this.come());
    };
    document.addEventListener("samplescope:here", this.ear);
  }

  show(place) { // go where the class is; null stays
    const news = JSON.stringify(place) !== JSON.stringify(this.wanted);
    this.wanted = place;
    if (news) this.come();
  }

  get there() { // what cannot be shown here just so, a view that is hidden until a question is answered, is there as near as it can be
    const wanted = nameOf(this.wanted), here = this.here && nameOf(this.here);
    return here === wanted || (this.asked === wanted && here && here === this.got);
  }

  come() {
    if (!this.wanted) return;
    if (this.there) {
      clearTimeout(this.due);
      this.going = null;
      const { t, playing, speed } = this.wanted;
      document.dispatchEvent(new CustomEvent("samplescope:lead", { detail: { t, playing, speed } }));
    } else if (this.going !== nameOf(this.wanted)) {
      this.going = nameOf(this.wanted);
      clearTimeout(this.due);
      this.due = setTimeout(() => this.go(), Math.random() * SCATTER);
    }
  }

  go() {
    const { page, query, t } = this.wanted, names = new URLSearchParams(query), own = new Set(["lesson", "step", "t", "seed", "view", ...names.keys()]);
    Object.assign(this, { asked: this.going, got: null });
    const course = new URLSearchParams(location.search).get("course");
    const search = [query, query && `t=${t}`, course && !own.has("course") && new URLSearchParams({ course })].filter(Boolean).join("&");
    const place = query ? `${names.get("lesson")} ${names.get("step")}` : "cover"; // as the player notes it
    history.replaceState({ ...history.state, place }, "", `${FOLDER()}${page}${search && `?${search}`}`);
    window.dispatchEvent(new PopStateEvent("popstate", { state: { led: true } })); // Streamlit goes where the address says
    this.settle(performance.now());
  }

  settle(start, ran = Infinity) { // has the page come, as far as it can?
    clearTimeout(this.due);
    this.due = setTimeout(() => {
      const now = performance.now(), runs = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";
      if (now < (runs ? now : ran) + CALM && now < start + PATIENCE) return this.settle(start, runs ? now : ran);
      this.got = this.here && nameOf(this.here);
      if (this.going === this.asked) this.going = null;
      if (this.wanted && nameOf(this.wanted) === this.asked && this.there) this.come();
    }, 50);
  }

  stay() { // where the learner is, whose player is their own again
    clearTimeout(this.due);
    Object.assign(this, { going: null, wanted: null });
    document.dispatchEvent(new CustomEvent("samplescope:lead", { detail: null }));
  }

  close() {
    this.stay();
    document.removeEventListener("samplescope:here", this.ear);
  }
}
