"""JavaScript that tests run in a page."""

from pathlib import Path

PLAYER = (
    "[...document.querySelectorAll('*')].find((one) => one.shadowRoot?.querySelector('.player'))?.shadowRoot.player"
)

# The middle of a mark that a question asks for.
MARK = f"""value => {{
  const {{ guess }} = {PLAYER}, chart = guess.charts.find(({{ name }}) => name === guess.asked.chart);
  const {{ left, top }} = chart.canvas.getBoundingClientRect();
  const mark = guess.marks(chart).find(({{ datum }}) => String(datum[guess.asked.field]) === value);
  return [left + (mark.left + mark.right) / 2, top + (mark.top + mark.bottom) / 2];
}}"""
UNANSWERED = Path(__file__).with_name("unanswered.js").read_text("utf-8")
# The script has run to its end, and the player says itself when nothing is under way (pages/player/resting.js), where
# there is one, or will be: a slow machine has its place on the page before its code, and so it is with Streamlit's own
# widgets and charts. No test waits for somebody who might step on. Colours and opacities change over a moment.
AT_REST = """() => {
  if (window.unanswered) return false;
  const app = document.querySelector("[data-testid=stApp]"), host = document.querySelector("[data-at-rest]");
  const { reporter } = host?.shadowRoot.player ?? {};
  if (reporter?.telling) reporter.report();
  const fades = ({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime < Infinity;
  if (app?.dataset.testScriptState !== "notRunning") return false;
  if (!host && document.querySelector(".st-key-player")) return false;
  if (document.querySelector("[data-testid=stSkeleton], .drawn-chart:not(:has(canvas))"))
    return false;
  return host?.dataset.atRest !== "" && !document.getAnimations().some(fades);
}"""
# What may keep a page from coming to rest, for the message of a test that waits in vain.
UNDER_WAY = """() => {
  const host = document.querySelector("[data-at-rest]"), player = host?.shadowRoot.player;
  const cards = document.querySelector(".st-key-inspector [data-t]");
  const animated = document.getAnimations().filter(({ playState }) => playState === "running");
  return {
    unanswered: Boolean(window.unanswered),
    script: document.querySelector("[data-testid=stApp]")?.dataset.testScriptState,
    progress: document.querySelector(".stProgress") !== null,
    cards: cards && { t: cards.dataset.t, busy: cards.ariaBusy },
    animations: animated.map(({ animationName, transitionProperty }) => animationName ?? transitionProperty),
    player: player && {
      at: player.at, due: player.due, restless: player.restless, atRest: host.dataset.atRest, state: player.state,
      calm: player.resting.calm, unheard: player.reporter.unheard.length, telling: Boolean(player.reporter.telling),
      told: player.latest.told, next: [...player.latest.next.keys()],
    },
  };
}"""
# Goes where a link leads, within the app.
FOLLOW = "to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }"
# Forgets what the browser has kept, and tells whether it was any answer or the place where a lesson was left.
FORGET = """() => {
  try {
    const known = Object.keys(localStorage).some((name) => name.startsWith("samplescope answer "));
    for (const kept of [localStorage, sessionStorage]) kept.clear();
    return known;
  } catch {
    return false;
  }
}"""
# Has the page think that it leads a class, or no longer does.
LEAD = """leads => {
  if (leads) for (const [name, value] of [["", "none-here"], [" role", "leads"]])
    sessionStorage.setItem(`samplescope class${name}`, value);
  document.dispatchEvent(new CustomEvent("samplescope:kept"));
}"""
# Spares a page that nobody looks at its pixels: canvases draw into memory as ever, all that is written is there and can
# be pressed, but nothing is put together for a screen, which is a tenth of a test's processor time.
UNPAINTED = """(() => {
  window.unpainted = new CSSStyleSheet();
  unpainted.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets.push(unpainted);
})()"""
