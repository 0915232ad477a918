// What of a lesson's step no scrolling uncovers: parts of its title, its text, its question, and of the player's buttons.
() => {
  const text = document.querySelector(".st-key-text"),
    player = document.querySelector("[data-drawn]").shadowRoot;
  const scrolls = [...document.querySelectorAll("*")].filter((one) => one.scrollHeight > one.clientHeight + 1);
  const shown = (root, query) => [...root.querySelectorAll(query)].filter((one) => one.checkVisibility());
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getClientRects();
  };
  const named = (one) => (one.innerText || one.ariaLabel || one.tagName).trim().slice(0, 30);
  const pressed = "label, button, summary, input:not(label input, .stSlider input), .stSlider";
  const parts = [
    ...shown(text, "h2, p:not(.stSlider p)").map((one) => [named(one), one, lines]),
    ...[...shown(text, pressed), ...shown(player, ".bar :is(button, input, select), .names button")].map((one) => [
      `${one.tagName} ${named(one)}`,
      one,
      (control) => control.getClientRects(),
    ]),
  ];
  const missing = new Map(
    parts.map(([name, one, boxes]) => [
      one,
      { name, boxes, of: new Set(boxes(one).length ? [...boxes(one)].keys() : []) },
    ]),
  );
  const atop = (x, y) => {
    const top = document.elementFromPoint(x, y);
    return top?.shadowRoot?.elementFromPoint(x, y) ?? top;
  };
  const open = (one, { left, right, top, bottom }) => {
    const [across, down] = [(left + right) / 2, (top + bottom) / 2];
    return [
      [left + 2, down],
      [right - 2, down],
      [across, top + 2],
      [across, bottom - 2],
      [across, down],
    ].every(([x, y]) => one.contains(atop(x, y)));
  };
  const look = () => {
    for (const [one, { boxes, of }] of missing) {
      const now = boxes(one);
      for (const i of of) if (open(one, now[i])) of.delete(i);
    }
  };
  look();
  for (const one of scrolls) {
    for (let top = 0; top < one.scrollHeight - one.clientHeight + 40; top += 40) {
      one.scrollTop = top;
      look();
    }
    one.scrollTop = 0;
  }
  return [...missing.values()].filter(({ of }) => of.size).map(({ name }) => name);
};
