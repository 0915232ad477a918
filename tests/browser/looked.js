// What is wrong with a step as it is drawn in this window, in words: `least` is the smallest type, and `wide` is whether
// text and picture are side by side, so that all of a question and of what is said to an answer has room above Next.
({ least, wide }) => {
  const shown = (one) => one?.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
  const deep = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])]);
  const { root, painter } = deep(document).find((one) => one.shadowRoot?.querySelector(".player")).shadowRoot.player;
  const found = [];
  const [main, page] = [document.querySelector(".stMain"), document.documentElement];
  if (Math.max(main.scrollWidth - main.clientWidth, page.scrollWidth - page.clientWidth) > 0)
    found.push("scrolls sideways");

  // type on the page
  const apart = "sub, sup, svg, .katex-mathml, .msupsub, .unseen, [data-testid=stIconMaterial]";
  for (const one of deep(document)) {
    const words = [...one.childNodes].filter(
      ({ nodeType, data }) => nodeType === 3 && data.replace(/\u200b/g, "").trim(),
    );
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (words.length && size < least && !one.closest(apart) && shown(one))
      found.push(`${size} px: ${words[0].data.trim()}`);
  }

  // what is written on charts: its size, whether it ends at the chart's edge, and whether it can be told from the paper
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map((one) => (one / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const paper = light(getComputedStyle(document.querySelector(".stApp")).backgroundColor);
  const contrast = (colour) => Math.max(light(colour) / paper, paper / light(colour));
  const onMarks = (colour) => contrast(colour) < 1.1 || colour === "white"; // it is on bars and discs alone
  const texts = ({ items, marktype }, x, y) =>
    items.flatMap((item) => {
      if (marktype === "group") return item.items.flatMap((mark) => texts(mark, x + (item.x ?? 0), y + (item.y ?? 0)));
      const { text, opacity = 1, fillOpacity = 1, bounds } = item;
      if (marktype !== "text" || !String(text ?? "").trim() || !item.fill || opacity * fillOpacity < 0.1) return [];
      return [{ text, item, left: bounds.x1 + x, right: bounds.x2 + x, top: bounds.y1 + y, bottom: bounds.y2 + y }];
    });
  const area = ({ left, right, top, bottom }) => (right - left) * (bottom - top);
  const over = (one, other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left),
      high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (one.text === other.text && Math.abs(one.left - other.left) < 2) return false; // a word and its rim
    return wide > 3 && high > 5 && wide * high > 0.3 * Math.min(area(one), area(other));
  };
  for (const { view, figure } of painter.views.filter(({ figure }) => shown(figure))) {
    const { clientWidth, clientHeight } = figure.querySelector("canvas");
    const say = (what, text) => found.push(`${figure.dataset.chart}: ${what}: ${text}`);
    const words = texts(view.scenegraph().root, ...view.origin());
    for (const [i, one] of words.entries())
      for (const other of words.slice(0, i)) if (over(one, other)) say(`over ${other.text}`, one.text);
    for (const { text, item, ...box } of words) {
      if (item.fontSize < least) say(`${item.fontSize} px`, text);
      if (!onMarks(item.fill) && contrast(item.fill) < 3) say(`${item.fill} on the page`, text);
      if (box.left < -3 || box.top < -4 || box.right > clientWidth + 3 || box.bottom > clientHeight + 4)
        say("cut", text);
    }
  }

  // what is written on a card stays on it
  for (const card of deep(document).filter((one) => one.matches(".beat") && shown(one)))
    for (const one of card.querySelectorAll("td, th, p, caption"))
      if (shown(one) && one.getBoundingClientRect().right > card.getBoundingClientRect().right + 3)
        found.push(`runs over its card: ${one.textContent.trim()}`);

  // the main picture has most of the stage, and nothing of a question or an answer is behind Next
  const room = (query) => area(root.querySelector(query).getBoundingClientRect());
  if (wide && room(".main") < 0.45 * room(".charts")) found.push("the main picture is small");
  const next = document.querySelector(".st-key-steps").getBoundingClientRect().top;
  for (const part of document.querySelectorAll(".st-key-check, .st-key-verdict"))
    if (wide && shown(part) && part.getBoundingClientRect().bottom > next)
      found.push(`${part.className} is behind Next`);
  return found;
};
