// Loads a module of ours, which lies beside Streamlit's own on the same server, and keeps trying when that is away: at
// another address each time, since browsers remember what they could not load, and what that imports has one, too.
const home = new URL(
  "../..",
  /** @type {HTMLScriptElement} */ (document.querySelector('script[src*="/static/js/"]')).src,
);
/** @type {(tries: number) => Promise<{ default: unknown }>} */
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
export default (await load(0)).default;
