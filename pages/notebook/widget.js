// The widget in a notebook, after embed/element.js: it shows the page, hands on what that asks, and says where it is.

/**
 * @typedef {{ get: (name: string) => any, set: (name: string, value: unknown) => void, save_changes: () => void,
 *   send: (said: object) => void, on: (what: string, hear: Function) => void, off: (what: string, hear: Function) => void }} Model
 */

export default {
  /** @param {{ model: Model, el: HTMLElement }} given */
  render({ model, el }) {
    const stage = /** @type {any} */ (document.createElement("samplescope-stage"));
    stage.page = model.get("page");
    stage.setAttribute("height", model.get("height"));
    /** @type {(event: MessageEvent) => void} */
    const hear = ({ source, data }) => {
      const said = data?.samplescope;
      if (source !== stage.frame.contentWindow || !said) return;
      if (said.ask) return model.send(said);
      if (said.link === model.get("link")) return;
      model.set("link", said.link);
      model.save_changes();
    };
    /** @type {(told: { ask: string, status: number, kind: string }, buffers: DataView[]) => void} */
    const answer = ({ ask, status, kind }, [found]) => {
      const body = new Uint8Array(found.buffer, found.byteOffset, found.byteLength).slice();
      stage.frame.contentWindow?.postMessage({ samplescopeAnswer: ask, status, kind, body }, "*");
    };
    addEventListener("message", hear);
    model.on("msg:custom", answer);
    el.append(stage);
    return () => {
      removeEventListener("message", hear);
      model.off("msg:custom", answer);
    };
  },
};
