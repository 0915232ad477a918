/** Vega-Embed, as the server bundles it; see player/modules.py. */
export default function embed(
  canvas: Element,
  spec: object,
  options: { renderer: "canvas"; actions: boolean; config: object },
): Promise<{ view: View }>;
