// A class in this browser: a connection, and panels beside the page, for everyone who joins, opens or is in one.

import { Desk } from "./desk.js";
import {
  BROWSER,
  CLASS,
  FOLLOWING,
  LED,
  MEMBER,
  NAME,
  ROLE,
  SECRET,
  TAB,
  TAKEN,
  counted,
  el,
  forgetClass,
  forgetSecret,
  plainCode,
  remember,
  remembered,
  site,
} from "./drawing.js";
import { Door } from "./entrance.js";
import { atRest } from "./follow.js";
import { Learner } from "./learner.js";
import { FORBIDDEN, LOCKED, Line, REMOVED, UNKNOWN } from "./line.js";
import { CSS, PAGE_CSS } from "./made.js";
import { Screen } from "./screen.js";

const LONGEST = 5000; // milliseconds for which it is waited that a page is at rest
const AGAIN = 2000,
  STEP = 50; // milliseconds until it is handed over once more, and between two looks

/** @import { News } from "../messages.js" */
/** @typedef {{ path: string, session: string, hours: number, key: boolean, taken: string, page: number }} Mounted from panel.py */
/** @typedef {{ lesson: string, step: string }} Place of a question */
/** @typedef {Place & { id: string, keys: string[] }} Answer of a round that is over */

/** @type {Room | undefined} */
let room;
/** @type {(args: Component<Mounted>, asked?: boolean | string) => void} */
export default function (args, asked) {
  room ??= new Room();
  room.mounted(args);
  if (asked) room.ask("", asked === "lead");
}

/** @type {(code: string) => string} */
function memberName(code) {
  // 22 characters of which no other browser has the same, and this one in no other class
  const name =
    remembered(BROWSER, MEMBER + code) ??
    btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .slice(0, 22);
  remember(BROWSER, MEMBER + code, name);
  return name;
}

export class Room {
  /** @type {string} */ path;
  /** @type {string} */ session;
  /** @type {number} */ hours;
  /** @type {boolean} */ asksKey; // whether a class is opened with the server's key alone
  /** @type {(name: string, value: unknown) => void} */ hand;
  /** @type {string} */ code = "";
  /** @type {string | null | undefined} */ secret;
  /** @type {number} */ after = 0;
  /** @type {Here | undefined} */ here;
  /** @type {Line | null} */ line = null;
  /** @type {Desk | Learner | Screen | null} */ part = null;
  /** @type {Door | undefined} */ door;
  /** @type {HTMLStyleElement | undefined} */ style;
  /** @type {string | undefined} */ given;

  constructor() {
    this.host = el("div", { id: "samplescope-class" });
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.append(el("style", { textContent: CSS }));
    this.onplace = (/** @type {CustomEvent<Here>} */ { detail }) => {
      this.here = detail;
    };
    document.addEventListener("samplescope:here", this.onplace);
    this.sizes = new ResizeObserver(() => this.fit());
  }

  /** @type {(args: Component<Mounted>) => void} */
  mounted({ data: [data], setStateValue }) {
    // again with every page
    Object.assign(this, {
      path: data.path,
      session: data.session,
      hours: data.hours,
      asksKey: data.key,
      hand: setStateValue,
    });
    site.folder = data.path.replace(/room$/, "");
    const app = /** @type {HTMLElement} */ (document.querySelector("[data-testid=stApp]"));
    if (this.host.parentElement !== app) app.append(this.host); // where it has the theme's colours and type
    if (data.taken) remember(TAB, TAKEN, data.taken);
    const address = new URL(location.href),
      invited = ["room", "lead", "screen"].map((name) => plainCode(address.searchParams.get(name) ?? "")),
      [asked, leads, shows] = invited,
      secret = address.hash.slice(1);
    if (invited.some(Boolean)) {
      for (const name of ["room", "lead", "screen"]) address.searchParams.delete(name);
      if (leads) address.hash = ""; // nothing of a secret stays in the address
      history.replaceState(history.state, "", address);
    }
    const code = remembered(TAB, CLASS);
    if (leads && secret) {
      remember(BROWSER, SECRET + leads, secret);
      remember(BROWSER, LED, leads);
      this.enter(leads, secret);
    } else if (shows && remembered(BROWSER, SECRET + shows)) this.enter(shows, undefined, true);
    else if (code && code !== this.code) this.enter(code);
    if (asked && asked !== this.code) this.ask(asked); // a link alone neither joins a class nor leaves one, and sends no name
  }

  get address() {
    return new URL(`${location.origin}${this.path}`);
  }

  /** @type {(code?: string, leads?: boolean) => void} */
  ask(code, leads = false) {
    this.entrance.open(code, leads);
  }

  get entrance() {
    return (this.door ??= new Door(this));
  }

  /** @type {(code: string, secret?: string | null, screen?: boolean) => void} */
  enter(code, secret = remembered(BROWSER, SECRET + code), screen = remembered(TAB, ROLE) === "shows") {
    if (this.code) this.leave();
    const role = !secret ? "learns" : screen ? "shows" : "leads";
    remember(TAB, CLASS, code);
    remember(TAB, ROLE, role);
    Object.assign(this, { code, secret, after: 0 });
    document.documentElement.dataset.class = role;
    this.style ??= el("style", { textContent: PAGE_CSS });
    document.head.append(this.style);
    const part = new { leads: Desk, shows: Screen, learns: Learner }[role](this);
    this.part = part;
    this.root.append(part.box);
    this.sizes.observe(part.box);
    const hello = () => ({
      member: memberName(code),
      secret: secret ?? "",
      session: this.session,
      after: this.after,
      name: null,
      screen: false,
      ...part.hello,
    });
    /** @type {(message: News) => void} */
    const heard = (message) => {
      if (message.state) this.after = message.state.number;
      part.hear(message);
      if (!message.state?.ended) return;
      if (role === "leads")
        forgetSecret(code); // this page can still save the answers
      else this.ended();
    };
    const changed = () => part.changed(!this.line?.open);
    this.line = new Line(`${this.address.href.replace(/^http/, "ws")}/${code}`, hello, {
      heard,
      changed,
      refused: (why) => this.refused(why),
    });
    document.dispatchEvent(new CustomEvent("samplescope:where"));
    document.dispatchEvent(new CustomEvent("samplescope:kept")); // the page may have someone else's answers now
  }

  fit() {
    // the page has what the panels leave it
    const { box } = this.part ?? {},
      corner = this.part instanceof Screen ? this.part.corner : null,
      side = box && getComputedStyle(box).getPropertyValue("--beside").trim() === "1";
    const page = document.documentElement.style;
    page.setProperty("--class-corner", corner ? `${corner.offsetHeight}px` : "0px");
    page.setProperty("--class-tall", box && !side && !corner ? `${box.offsetHeight}px` : "0px");
    page.setProperty("--class-wide", side ? `${box.offsetWidth}px` : "0px");
    document.documentElement.toggleAttribute("data-beside", Boolean(side));
  }

  leave() {
    for (const name of [CLASS, FOLLOWING, ROLE]) remember(TAB, name, null);
    forgetClass();
    this.line?.close();
    this.part?.close();
    this.sizes.disconnect();
    Object.assign(this, { line: null, part: null, code: "", after: 0 });
    document.documentElement.removeAttribute("data-class");
    this.style?.remove();
    this.fit();
    document.dispatchEvent(new CustomEvent("samplescope:kept"));
  }

  forget() {
    // the server deletes her answers, and this browser her name
    const { code, line } = this;
    if (!line?.say({ forget: true })) return false;
    remember(BROWSER, MEMBER + code, null);
    remember(BROWSER, NAME, null);
    this.leave();
    this.entrance.tell(
      "You have left the class, and the server has deleted your name and your answers. Your own work stays in this browser.",
    );
    return true;
  }

  /** @type {(code: number) => void} */
  refused(code) {
    const { hours, secret } = this,
      forgotten = [FORBIDDEN, REMOVED].includes(code) && secret,
      why = {
        [REMOVED]: "Your instructor has removed you from this class.",
        [LOCKED]: "This class is locked to new learners just now. Ask your instructor.",
      }[code];
    if (forgotten || code === UNKNOWN) forgetSecret(this.code);
    if (code === UNKNOWN) remember(BROWSER, MEMBER + this.code, null);
    this.leave();
    this.ask();
    this.entrance.say(
      forgotten
        ? "This browser can no longer lead that class."
        : (why ??
            `There is no class with this code. Check it once more. A class is deleted ${counted(hours, "hour")} after its end.`),
    );
  }

  ended() {
    remember(BROWSER, MEMBER + this.code, null);
    const shows = this.part instanceof Screen,
      kept = `The server deletes your name and your answers in ${counted(this.hours, "hour")}; your own work stays in this browser.`;
    this.leave();
    this.entrance.tell(shows ? "The class has ended." : `The class has ended. ${kept}`);
  }

  /** @type {(given: Answer) => void} */
  give(given) {
    // an answer of a round that is over goes to the page, whose question it was
    if (this.given === given.id || remembered(TAB, TAKEN) === given.id) return;
    this.given = given.id;
    this.pass(given);
  }

  /** @type {(given: Answer) => Promise<void>} */
  async pass(given) {
    // when the page is at rest: beside anything else Streamlit would draw a part of it alone. Again until it is taken
    let end = performance.now() + LONGEST;
    while (this.code && this.given === given.id && remembered(TAB, TAKEN) !== given.id) {
      const now = performance.now();
      if (now > end || atRest()) {
        this.hand("given", given);
        await new Promise((done) => setTimeout(done, AGAIN));
        end = now + AGAIN + LONGEST;
      }
      await new Promise((done) => setTimeout(done, STEP));
    }
  }
}
