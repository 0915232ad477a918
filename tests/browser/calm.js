// Waits until nothing is under way on the page: no report or script, no film that moves, no change of colours.
async (patience) => {
  const next = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 20)); });
  const player = () => [...document.querySelectorAll("*")].find((one) => one.shadowRoot?.querySelector(".player"))?.shadowRoot.player;
  const states = () => ({
    "a script runs": document.querySelector("[data-test-script-state]")?.dataset.testScriptState !== "notRunning",
    "the server has not answered": traffic.sent > traffic.heard,
    "the film moves": player()?.restless,
    "cards are on their way": document.querySelector(".st-key-inspector [aria-busy=true]") !== null,
    "something is computed slice by slice": document.querySelector(".stProgress") !== null,
    "something fades": document.getAnimations().some((one) => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity),
  });
  const end = performance.now() + patience;
  for (let calm = 0; calm < 4; calm++) {
    await Promise.all([next(), player()?.busy]);
    if (player()?.telling) player().report(); // no test waits for somebody who might step on
    const busy = Object.entries(states()).filter(([, is]) => is).map(([name]) => name);
    if (busy.length) calm = -1;
    if (performance.now() > end) throw new Error(`nothing comes to rest: ${busy}`);
  }
}
