// Loads a module of ours, which lies beside Streamlit's own on the same server, and keeps trying when that is away.
const home = new URL("../..", document.querySelector('script[src*="/static/js/"]').src);
const load = (tries) => import(new URL(`play/BUILD/NAME.js${tries ? `?${tries}` : ""}`, home)).catch(async (error) => {
  if (tries > 4) throw error;
  await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
  return load(tries + 1);
});
export default (await load(0)).default;
