// <samplescope-stage src="…">: a bare stage in a page, light or dark as the page around it is. One script, for pages of others.
(() => {
  const TALL = 560, // pixels, unless the element says otherwise
    SEEN = { attributes: true, attributeFilter: ["class", "style", "data-theme", "data-mode", "data-bs-theme"] };

  /** @type {(from: Element) => string} by the first paper behind an element that is not clear */
  const themeOf = (from) => {
    for (let at = /** @type {Element | null} */ (from); at; at = at.parentElement) {
      const [red, green, blue, clear = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
      if (clear > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? "dark" : "light";
    }
    const scheme = getComputedStyle(from).colorScheme,
      dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return scheme.includes("dark") && (dark || !scheme.includes("light")) ? "dark" : "light";
  };

  class SamplescopeStage extends HTMLElement {
    static observedAttributes = ["src", "theme", "height", "title"];
    frame = document.createElement("iframe");
    looks = new MutationObserver(() => setTimeout(() => this.paint(), 50));
    dark = matchMedia("(prefers-color-scheme: dark)");
    onlook = () => this.paint();

    page = ""; // a whole page, in the place of an address: a notebook has no server
    connectedCallback() {
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
      this.style.display ||= "block";
      this.frame.style.cssText = "width: 100%; border: 0; display: block";
      this.frame.onload = () => this.paint();
      root.replaceChildren(this.frame);
      for (const one of [document.documentElement, document.body]) this.looks.observe(one, SEEN);
      this.dark.addEventListener("change", this.onlook);
      this.attributeChangedCallback("src");
    }

    disconnectedCallback() {
      this.looks.disconnect();
      this.dark.removeEventListener("change", this.onlook);
    }

    get theme() {
      return this.getAttribute("theme") || themeOf(this);
    }

    /** @param {string} name */
    attributeChangedCallback(name) {
      if (!this.isConnected) return;
      this.frame.title = this.title || this.textContent?.trim() || "Samplescope";
      this.frame.style.height = `${Number(this.getAttribute("height")) || TALL}px`;
      if (name === "src") this.go();
      else this.paint();
    }

    go() {
      if (this.page) {
        this.frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox");
        this.frame.srcdoc = this.page;
        return;
      }
      const address = new URL(this.getAttribute("src") ?? "", document.baseURI);
      address.searchParams.set("theme", this.theme);
      this.frame.src = address.href;
    }

    paint() {
      this.frame.contentWindow?.postMessage({ samplescopeTheme: this.theme }, "*");
    }
  }

  customElements.get("samplescope-stage") ?? customElements.define("samplescope-stage", SamplescopeStage);
})();
