// The door to a class: its code is loaded for those who join, open or are in one, and for no one else.
const home = new URL(
  "../..",
  /** @type {HTMLScriptElement} */ (document.querySelector('script[src*="/static/js/"]')).src,
);
/** @type {(tries: number) => Promise<{ default: (args: unknown, asked: boolean | string) => void }>} */
const load = async (tries) => {
  const links = MODULES.map((name) =>
    Object.assign(document.createElement("link"), {
      rel: "modulepreload",
      href: new URL(`play/BUILD/js${tries || ""}/${name}`, home),
    }),
  );
  document.head.append(...links); // all at once, and none waits until the one that imports it is there
  try {
    return await import(links[0].href);
  } catch (error) {
    if (tries > 4) throw error;
  } finally {
    for (const link of links) link.remove();
  }
  await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
  return load(tries + 1);
};
/** @type {Promise<{ default: (args: unknown, asked: boolean | string) => void }> | null} */
let loading = null;
/** @type {unknown} */
let latest;
/** @type {(asked: boolean | string) => Promise<void>} */
const open = async (asked) => {
  loading ??= load(0);
  (
    await loading.catch(() => {
      loading = null;
    })
  )?.default(latest, asked);
};
const member = () => {
  try {
    return sessionStorage.getItem("samplescope class");
  } catch {
    return null;
  }
};
document.addEventListener("click", ({ target }) => {
  /** @type {HTMLElement | null} */
  const door = target instanceof Element ? target.closest("[data-class-door]") : null;
  if (door) open(door.dataset.classDoor || true);
});
/** @type {(args: unknown) => void} */
export default function (args) {
  latest = args;
  const names = new URLSearchParams(location.search);
  if (loading || member() || ["room", "lead", "screen"].some((name) => names.has(name))) open(false);
}
