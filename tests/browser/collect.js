// Returns what can be read on the screen but for the lesson's own text, or null while something is still moving.
async ([lesson, step, t]) => {
  const root = [...document.querySelectorAll("*")].find((element) =>
    element.shadowRoot?.querySelector(".player"),
  )?.shadowRoot;
  const player = root?.player;
  if (!player?.message.link) return null;
  const here = new URLSearchParams(player.message.link);
  if (here.get("lesson") !== lesson || here.get("step") !== step) return null;
  if (t !== null && player.at !== t) return null;

  // what lies below the window, though it should not: Next, and the cards, but for a listing or a table to scroll through
  const ends = (query) => document.querySelector(query)?.getBoundingClientRect();
  const cards = ends(".st-key-inspector"),
    listed = cards?.height > 420 || document.querySelector(".st-key-inspector .listing");
  const below = Object.entries({ Next: ends(".st-key-next button"), cards: listed ? null : cards }).flatMap(
    ([name, box]) => (box?.height && box.bottom > innerHeight + 1 ? `${name} end at ${Math.round(box.bottom)}` : []),
  );

  const own = [...document.querySelectorAll(".st-key-text .stMarkdown:not(.stAlert .stMarkdown)")].slice(0, 2);
  own.push(
    ...document.querySelectorAll(".st-key-question, .st-key-text .stSelectbox:first-of-type [data-testid=stSelectbox]"),
  );
  own.push(...root.querySelectorAll("svg.guess"));
  const folds = [...document.querySelectorAll(".st-key-text [data-testid=stExpander]")];
  const controls = folds.filter((fold) => fold.querySelector(".stSlider, .stSelectbox, .stNumberInput"));
  controls.forEach((fold) => {
    fold.querySelector("details").open = true;
  }); // what is folded away can be unfolded
  own.push(...folds.filter((fold) => !controls.includes(fold)), ...document.querySelectorAll(".st-key-steps"));
  const before = own.map((element) => element.style.display);
  own.forEach((element) => {
    element.style.display = "none";
  });
  const texts = [document.querySelector(".stMain").innerText];
  const roots = [
    document,
    ...[...document.querySelectorAll(".stMain *")].map((element) => element.shadowRoot).filter(Boolean),
  ];
  for (const each of roots) {
    if (each !== document)
      texts.push(...[...each.children].filter((child) => child.tagName !== "STYLE").map((child) => child.innerText));
    for (const element of each.querySelectorAll("[aria-label], [title], input, select option, summary, annotation")) {
      if (!element.checkVisibility()) continue;
      texts.push(
        element.ariaLabel,
        element.title,
        element.value,
        element.ariaValueText,
        element.tagName === "OPTION" || element.tagName === "annotation" ? element.textContent : "",
      );
    }
  }
  own.forEach((element, i) => {
    element.style.display = before[i];
  });

  const written = (mark) => mark.items.flatMap((item) => [item.text ?? [], ...(item.items ?? []).map(written)]).flat();
  const held = [];
  for (const { view, figure, sets } of player.painter.views) {
    if (!figure.checkVisibility({ visibilityProperty: true })) continue;
    texts.push(...written(view.scenegraph().root).map(String));
    for (const name of sets) {
      const rows = name === "past" ? view.data(name).filter((row) => row.t === player.at) : view.data(name);
      if (rows.length <= 40)
        held.push(...rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "number"));
    }
  }
  return { texts: texts.filter(Boolean), held, t: player.at, below };
};
