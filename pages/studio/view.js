// The learner's view: the app itself in a frame, which draws the draft. It is told to look again as Back would do it, when
// its page is at rest, until the draft that it shows is the latest.

const HTML = `<section aria-label="What learners see"><div class="bar"><b>What learners see</b><span role="status"></span>
<button type="button" aria-pressed="false">Whole screen</button><a target="_blank">Open in a tab</a></div>
<div class="pane"><iframe title="What learners see"></iframe></div></section>`;
const AGAIN = 300; // milliseconds between two looks
const TRIES = 10;
const WIDE = 1280; // pixels of a whole screen

/** @typedef {{ address: string, place: string, number: number, stale: boolean }} Told by editor.py */

/** @type {(args: Component<Told>) => void} */
export default function ({ data: [data], parentElement: root }) {
  root.view ??= begin(root);
  root.view(data);
}

/** @type {(root: Component<Told>["parentElement"]) => (told: Told) => void} */
function begin(root) {
  const holder = document.createElement("div");
  holder.innerHTML = HTML;
  root.append(holder);
  const [pane, said] = /** @type {HTMLElement[]} */ (
    [".pane", "[role=status]"].map((name) => holder.querySelector(name))
  );
  const frame = /** @type {HTMLIFrameElement} */ (holder.querySelector("iframe")),
    whole = /** @type {HTMLButtonElement} */ (holder.querySelector("button")),
    link = /** @type {HTMLAnchorElement} */ (holder.querySelector("a"));
  /** @type {Told} */
  let data;
  /** @type {string | undefined} */
  let topic;
  /** @type {string | undefined} */
  let place;
  /** @type {number | undefined} */
  let timer;
  let tries = 0;

  function fit() {
    const scale = whole.ariaPressed === "true" ? Math.min(1, pane.clientWidth / WIDE) : 1;
    frame.style.cssText = `width: ${100 / scale}%; height: ${100 / scale}%; transform: scale(${scale})`;
  }
  new ResizeObserver(fit).observe(pane);
  whole.onclick = () => {
    whole.ariaPressed = String(whole.ariaPressed !== "true");
    fit();
  };

  function tend() {
    clearTimeout(timer);
    if (!holder.isConnected) return;
    const page = /** @type {Window & typeof globalThis} */ (frame.contentWindow),
      app = /** @type {HTMLElement | null} */ (page.document.querySelector("[data-testid=stApp]"))?.dataset;
    const rests = app?.testScriptState === "notRunning" && app.testConnectionState === "CONNECTED";
    const shown = /** @type {HTMLElement | null} */ (page.document.querySelector("[data-draft]"))?.dataset.draft;
    if (rests && place === data.place && (shown === String(data.number) || tries >= TRIES)) return;
    if (rests) {
      if (place !== data.place) page.history.replaceState(page.history.state, "", address());
      [place, tries] = [data.place, tries + 1];
      page.dispatchEvent(new page.PopStateEvent("popstate"));
    }
    timer = setTimeout(tend, AGAIN);
  }
  const address = () => new URL(`${data.address}&embed=true`, location.href);

  return (told) => {
    data = told;
    holder.hidden = !data.address;
    if (!data.address) return;
    said.textContent = data.stale ? "This is the last valid version." : "";
    link.href = data.address;
    tries = 0;
    if (topic !== address().pathname) {
      [topic, place] = [address().pathname, data.place];
      frame.src = address().href;
    }
    tend();
  };
}
