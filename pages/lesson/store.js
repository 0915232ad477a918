// Keeps answers in the browser's memory, one item an answer, so that two tabs do not overwrite each other's; and the
// course that is open in the address. And says of a lesson's words in which language they are.
// Streamlit sends what it reports along with every later message, so that a restarted server hears it at once.

const PREFIX = "samplescope answer ";
// A tab that leads a class, or shows one on a projector, has the class's answers, and neither reads nor writes the
// learner's own: they lie in the tab, under the class's code. pages/classroom/drawing.js has the same names.
const CLASS = "samplescope class",
  ROLE = "samplescope class role",
  OF_CLASS = "samplescope class answer ";
const SHELF = ".class"; // in the report: no answer has such a name
const MOST = 100000; // characters: somebody else may have filled the memory
const AGAIN = 1000; // milliseconds until what was kept is told once more
const LOOK = 50,
  PATIENCE = 20000; // milliseconds between two looks whether a page is at rest again, and for all of them
const SELDOM = 2000; // milliseconds between two times that the page begins anew by itself
const TYPING = 1500; // milliseconds after a key in a field for which the page stays as it is
const SCATTER = 300; // milliseconds over which a class asks for its pages anew
const TRIES = 20; // to get the page with the same news
const FIRST_WAIT = 500,
  LONGEST_WAIT = 15000; // milliseconds between two tries to listen
/** @typedef {string[] | null} Keys of an answer; null takes it back */
/** @typedef {Record<string, [number, Keys]>} Changes with numbers that grow */
/**
 * @typedef {{ session: string, changes: Changes, shelf: string, heard: boolean, course: Record<string, string>, listen: string,
 *   lessons: string }} Told by answers.py
 */

/** @type {Record<string, number>} */
const done = {}; // the last change that was written, by session

/** @type {(() => void) | undefined} */
let tellNow; // what is kept, as it is now
document.addEventListener("samplescope:kept", () => tellNow?.()); // a moment, by the player; or the class is another

/** @type {Element | undefined} */
let watched; // the app whose connection is watched
let told = 0; // how often Python has said what is to be kept

// Whoever presses Back while a part of the page is being drawn leaves Streamlit with a part of a page that is gone: it
// shows nothing any more. The address is right by then, so the page begins anew from it.
window.addEventListener("error", ({ message }) => {
  if (!isLost(message)) return;
  const last = Number(sessionStorage.getItem("samplescope anew") ?? 0);
  if (Date.now() - last < SELDOM) return;
  sessionStorage.setItem("samplescope anew", String(Date.now()));
  location.reload();
});

/** @type {(message: unknown) => boolean} */
export function isLost(message) {
  // "Cannot set a node at a delta path", and "Bad delta path index 2 (should be between [0, 1])"
  return String(message).includes("delta path");
}

// A link in a text to one of our own pages has a tab of its own, by Streamlit, and so another session. It opens here, unless
// a key asks for a tab. Streamlit goes where the browser goes: back, from one entry further on.
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest?.("a[target=_blank]")
  );
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const { href } = new URL(link.href, location.href);
  if (!isOurs(href, location)) return;
  event.preventDefault();
  for (const address of [href, `${href.split("#")[0]}#`]) history.pushState(null, "", address);
  history.back();
});

/** @type {(href: string, place: { origin: string, pathname: string }) => boolean} */
export function isOurs(href, place) {
  // one of the app's own pages, which lie beside the one that is open
  const { origin, pathname } = new URL(href),
    folder = place.pathname.replace(/[^/]*$/, "");
  return origin === place.origin && pathname.startsWith(folder) && /^\w*$/.test(pathname.slice(folder.length));
}

/** @type {(args: Component<Told>) => void} */
export default function ({ data: [data], parentElement: root, setStateValue }) {
  watch(document.querySelector("[data-testid=stApp]"));
  told += 1;
  clearTimeout(root.again);
  const { session, changes, shelf, heard, course, listen: path, lessons } = data;
  carry(course);
  follow(path, lessons, (asked) => root.isConnected && setStateValue("asked", asked));
  for (const [name, [number, keys]] of newsOf(changes, done[session] ?? 0)) {
    write(name, keys, shelf);
    done[session] = number;
  }
  const report = () => ({ ...read(shelfHere()), [SHELF]: [shelfHere()] });
  const text = JSON.stringify(report());
  const tell = () => {
    setStateValue("kept", report());
    root.again = setTimeout(() => root.isConnected && tell(), AGAIN); // it may get lost if the page is busy just then
  };
  tellNow = () => setStateValue("kept", report());
  if (!heard || text !== root.told) tell();
  if (heard) clearTimeout(root.again);
  root.told = text;
}

/** @type {(changes: Changes, last: number) => [string, [number, Keys]][]} */
export function newsOf(changes, last) {
  // those that were not written yet, in their order
  return Object.entries(changes)
    .filter(([, [number]]) => number > last)
    .sort(([, [a]], [, [b]]) => a - b);
}

/** @type {(course: Record<string, string>) => void} */
function carry(course) {
  // navigation drops the course that is open from the address, and a reload would not know of it
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(course)) address.searchParams.set(name, value);
  if (address.href !== location.href) history.replaceState(history.state, "", address);
}

/** @type {() => string} */
export function shelfHere() {
  // the code of the class whose answers this tab has; "" if they are the learner's own
  try {
    return ["leads", "shows"].includes(sessionStorage.getItem(ROLE) ?? "") ? (sessionStorage.getItem(CLASS) ?? "") : "";
  } catch {
    return "";
  }
}

/** @type {(shelf: string) => [Storage, string]} */
const place = (shelf) => (shelf ? [sessionStorage, `${OF_CLASS}${shelf} `] : [localStorage, PREFIX]);

/** @type {(name: string, keys: Keys, shelf?: string) => void} */
export function write(name, keys, shelf = "") {
  try {
    const [storage, prefix] = place(shelf);
    if (keys) storage.setItem(prefix + name, JSON.stringify(keys));
    else storage.removeItem(prefix + name);
  } catch {
    /* blocked or full: the session knows it all the same */
  }
}

/** @type {(name: string, shelf?: string) => unknown} */
export function readOne(name, shelf = "") {
  try {
    const [storage, prefix] = place(shelf);
    return JSON.parse(storage.getItem(prefix + name) ?? "null");
  } catch {
    return null; // blocked, or not ours
  }
}

/** @type {(shelf?: string) => Record<string, unknown>} */
export function read(shelf = "") {
  /** @type {Record<string, unknown>} */
  const kept = {};
  let left = MOST;
  try {
    const [storage, prefix] = place(shelf);
    for (const item of Object.keys(storage).filter((name) => name.startsWith(prefix))) {
      const text = storage.getItem(item) ?? "";
      left -= item.length + text.length;
      if (left < 0) break;
      try {
        kept[item.slice(prefix.length)] = JSON.parse(text);
      } catch {
        /* not ours */
      }
    }
  } catch {
    /* blocked: as if nothing were kept */
  }
  return kept;
}

// ---- languages -----------------------------------------------------------------------------------------------------

// A part of the page names its language and its direction in its key, "in_ar_rtl_body": Streamlit's elements take no
// attributes. React may make a part of one language into one of another, or of none.
const SPOKEN = "[class*=st-key-in_], [data-spoken]";

/** @type {(className: string) => string[]} */
export const spokenIn = (className) => (/(?:^| )st-key-in_([^_ ]+)_(rtl|ltr)_/.exec(className) ?? []).slice(1);

function speak() {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll(SPOKEN);
  for (const part of parts) {
    const [language, dir] = spokenIn(part.className);
    if (part.dataset.spoken === language) continue;
    if (language) Object.assign(part, { lang: language, dir }).dataset.spoken = language;
    else for (const name of ["data-spoken", "lang", "dir"]) part.removeAttribute(name);
  }
}

// ---- news of the lessons -------------------------------------------------------------------------------------------

/** @type {WebSocket} */
let line; // the connection by which the server says which lessons there are
let listens = false,
  typed = 0,
  tries = 0;
/** @type {string | undefined} what the page was drawn with */
let drawn;
/** @type {string | undefined} */
let latest;
/** @type {(asked: string) => void} */
let ask;
/** @type {number | undefined} */
let due;
document.addEventListener(
  "input",
  () => {
    typed = Date.now();
  },
  true,
);

/** @type {(path: string, lessons: string, how: (asked: string) => void) => void} */
function follow(path, lessons, how) {
  [drawn, ask] = [lessons, how];
  if (!listens) listen(path, FIRST_WAIT);
  look();
}

/** @type {(path: string, pause: number) => void} */
function listen(path, pause) {
  // quietly: whoever cannot listen gets the news at the next click
  listens = true;
  line = new WebSocket(location.origin.replace(/^http/, "ws") + path);
  line.onmessage = ({ data: token }) => {
    pause = FIRST_WAIT;
    if (token === latest) return;
    [latest, tries] = [token, 0];
    look(Math.random() * SCATTER);
  };
  line.onclose = () => setTimeout(() => listen(path, Math.min(2 * pause, LONGEST_WAIT)), pause * (0.5 + Math.random()));
}

/** @type {(pause?: number) => void} */
function look(pause = AGAIN) {
  // has the page drawn with the latest lessons, but not while somebody is typing
  clearTimeout(due);
  if (!latest || latest === drawn || tries >= TRIES) return;
  due = setTimeout(() => {
    const left = typed + TYPING - Date.now();
    if (left > 0) return look(left);
    tries += 1;
    ask(`${latest} ${tries}`);
    look(); // it may get lost if the page is busy just then
  }, pause);
}

// ---- the connection of the page ------------------------------------------------------------------------------------

/** @type {(app: HTMLElement | null) => void} */
function watch(app) {
  // a restarted server knows nothing of this page: have it run from the address, as Back does
  if (!app || app === watched) return;
  watched = app;
  speak();
  new MutationObserver(speak).observe(app, { subtree: true, childList: true, attributeFilter: ["class"] });
  let lost = false;
  new MutationObserver(() => {
    const connected = app.dataset.testConnectionState === "CONNECTED";
    if (connected && lost) {
      const page = /** @type {HTMLElement} */ (app.querySelector("[data-testid=stMain]"));
      page.inert = true; // a click before the new session stands would be lost
      window.dispatchEvent(new PopStateEvent("popstate"));
      wake(app, page, performance.now() + PATIENCE);
    }
    lost = !connected;
  }).observe(app, { attributeFilter: ["data-test-connection-state"] });
}

/** @type {(app: HTMLElement, page: HTMLElement, end: number) => void} */
function wake(app, page, end) {
  // once its script has run, which may take less time than lies between two looks, and all that came of it is there
  let ran = false;
  const states = new MutationObserver(() => {
    ran = true;
  });
  states.observe(app, { attributeFilter: ["data-test-script-state"] });
  const before = told;
  const look = () => {
    const player = /** @type {HTMLElement | null} */ (app.querySelector("[data-at-rest]")),
      runs = app.dataset.testScriptState !== "notRunning";
    ran ||= runs || told !== before;
    if (performance.now() < end && !(ran && (player ? player.dataset.atRest !== "" : !runs)))
      return setTimeout(look, LOOK);
    states.disconnect();
    page.inert = false;
  };
  look();
}
