/** Vega-Embed, as the server bundles it; see player/modules.py. */
export default function embed(
  canvas: Element,
  spec: object,
  options: {
    renderer: "canvas";
    actions: boolean;
    config: object;
    patch?: (vega: any) => object;
    expressionFunctions?: Record<string, (...given: any[]) => unknown>;
  },
): Promise<{ view: View }>;
