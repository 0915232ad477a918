// Maps of colours: a layer of thousands of cells is drawn as one picture. In a chart's specification, and where something
// else draws it, the cells are rectangles, which Vega would weigh and draw one by one.

/** @typedef {{ i: number, v: number }} Cell its number, from the lowest row on, and what its colour stands for */
/** @typedef {{ signal: string } | string} Color */
/** @typedef {{ name?: string, type: string, from?: { data: string }, encode: { update: Record<string, any> } }} Mark */
/** @typedef {{ data: object[], marks: Mark[], scales: { name: string, domain: number[], range: Color[] }[] }} Vega */

const NAME = /^cells_(\d+)_/; // with the number of cells in a row; see pages/drawing/plane.py

/** @type {(vega: Vega) => Vega} */
function withPictures(vega) {
  for (const [place, mark] of vega.marks.entries()) {
    const across = mark.name?.match(NAME)?.[1],
      { fill, x, y } = mark.encode?.update ?? {},
      scale = vega.scales?.find(({ name }) => name === fill?.scale);
    if (!across || !scale) continue;
    const colors = scale.range.map((color) => (typeof color === "string" ? JSON.stringify(color) : color.signal));
    const drawn = `cells(datum.cells, ${across}, ${JSON.stringify(scale.domain)}, [${colors}])`;
    const all = { ops: ["values", "min", "min"], fields: ["v", "x", "y"], as: ["cells", "x", "y"] };
    vega.data.push({
      name: `${mark.name}_picture`,
      source: mark.from?.data,
      transform: [
        { type: "aggregate", ...all },
        { type: "formula", expr: drawn, as: "image" },
      ],
    });
    // the plane is symmetrical: the last corner is opposite to the first
    const update = {
      image: { field: "image" },
      aspect: { value: false },
      smooth: { value: false },
      ...{ x, x2: { scale: x.scale, signal: "-datum.x" }, y, y2: { scale: y.scale, signal: "-datum.y" } },
    };
    vega.marks[place] = { ...mark, type: "image", from: { data: `${mark.name}_picture` }, encode: { update } };
  }
  return vega;
}

/** @type {(cells: Cell[], across: number, domain: number[], colors: string[]) => HTMLCanvasElement} */
function cells(cells, across, domain, colors) {
  const down = cells.length / across,
    canvas = Object.assign(document.createElement("canvas"), { width: across, height: down }),
    brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
    image = brush.createImageData(across, down),
    shade = shadesOf(domain, colors);
  for (const { i, v } of cells)
    image.data.set(shade(v), 4 * ((down - 1 - Math.floor(i / across)) * across + (i % across)));
  brush.putImageData(image, 0, 0);
  return canvas;
}

/** @type {(domain: number[], colors: string[]) => (value: number) => number[]} */
export function shadesOf(domain, colors) {
  // red, green, blue and opacity of a value, between those of its neighbours in the domain
  const ends = colors.map((color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)));
  return (value) => {
    const above = domain.findIndex((end) => end > value),
      next = above < 0 ? domain.length - 1 : Math.max(1, above),
      part = (value - domain[next - 1]) / (domain[next] - domain[next - 1]),
      share = Math.min(1, Math.max(0, part));
    return [...ends[next].map((end, c) => ends[next - 1][c] + share * (end - ends[next - 1][c])), 255];
  };
}

/** What Vega-Embed is given besides a specification. */
export const AS_PICTURES = { patch: withPictures, expressionFunctions: { cells } };
