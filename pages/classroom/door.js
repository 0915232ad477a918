// The door to a class: whoever joins one, opens one or is in one has its code loaded, and nobody else.
const home = new URL("../..", document.querySelector('script[src*="/static/js/"]').src);
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
let loading, latest;
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
  const door = target.closest?.("[data-class-door]");
  if (door) open(door.dataset.classDoor || true);
});
export default function (args) {
  latest = args;
  const names = new URLSearchParams(location.search);
  if (loading || member() || ["room", "lead", "screen"].some((name) => names.has(name))) open(false);
}
