// What our modules find in the browser that TypeScript does not know: events of ours, what Streamlit hands a component, what
// loaders are filled with, and what we ask of Vega's views.

/** Where the player is, as all else on the page hears of it. */
interface ShownFrame {
  source: string;
  t: number;
  playing: boolean;
  speed: number;
  total?: number;
}

/** What a class is shown of this page; there is no page yet where the player has nothing. */
interface Here {
  page: string | undefined;
  query: string;
  t: number;
  playing: boolean;
  speed: number;
}

interface DocumentEventMap {
  "samplescope:shown": CustomEvent<ShownFrame>;
  "samplescope:look": CustomEvent<null>;
  "samplescope:moved": CustomEvent<import("./messages.js").Move>;
  "samplescope:guess": CustomEvent<string>;
  "samplescope:kept": CustomEvent<null>;
  "samplescope:where": CustomEvent<null>;
  "samplescope:here": CustomEvent<Here>;
  "samplescope:lead": CustomEvent<{ t: number; playing: boolean; speed: number } | null>;
  "samplescope:run": CustomEvent<number>;
  "samplescope:crowd": CustomEvent<Record<string, number> | null>;
  "samplescope:guessed": CustomEvent<string | null>;
  "samplescope:asks": CustomEvent<null>;
  "samplescope:prove": CustomEvent<null>;
  "samplescope:proved": CustomEvent<{ name: string; keys: string[] }>;
}

/** What Streamlit hands a component: our data in a list, where it draws, and how it reports. */
interface Component<Data> {
  data: [Data];
  parentElement: (ShadowRoot | HTMLElement) & Record<string, any>;
  setTriggerValue: (name: string, value: unknown) => void;
  setStateValue: (name: string, value: unknown) => void;
}

declare const MODULES: string[];

/** A mark of Vega's scene, or a group of marks. */
interface SceneItem {
  datum?: Record<string, any>;
  bounds?: { x1: number; x2: number; y1: number; y2: number };
  x?: number;
  y?: number;
  x2?: number;
  y2?: number;
  width?: number;
  height?: number;
  text?: unknown;
  tooltip?: Record<string, unknown> | string | null;
  defined?: boolean;
  opacity?: number;
  fill?: string;
  fillOpacity?: number;
  stroke?: string;
  strokeOpacity?: number;
  strokeDash?: number[];
  items?: SceneMark[];
}
interface SceneMark {
  marktype?: string;
  role?: string;
  items?: SceneItem[];
}

interface Scale {
  (value: any): number;
  domain(): number[];
  invert(place: number): number;
  bandwidth?(): number;
}

interface Changes {
  insert(rows: object[]): Changes;
  remove(which: () => boolean): Changes;
  modify(which: (row: any) => boolean, field: string, value: (row: any) => unknown): Changes;
}

/** A live chart: what we use of vega.View. */
interface View {
  width(): number;
  width(pixels: number): View;
  height(): number;
  height(pixels: number): View;
  padding(): { left: number; top: number };
  origin(): [number, number];
  background(color: string | null): View;
  container(): HTMLElement | null;
  data(name: string, rows: object[]): View;
  scale(name: string): Scale;
  scenegraph(): { root: SceneMark };
  signal(name: string): unknown;
  signal(name: string, value: unknown, options?: { force: boolean }): View;
  addSignalListener(name: string, heard: (name: string, value: unknown) => void): View;
  addEventListener<Kind extends keyof HTMLElementEventMap>(
    kind: Kind,
    heard: (event: HTMLElementEventMap[Kind], item?: SceneItem | null) => void,
  ): View;
  insert(name: string, rows: object[]): View;
  change(name: string, changes: Changes): View;
  changeset(): Changes;
  resize(): View;
  run(): View;
  runAsync(): Promise<View>;
  toCanvas(scale: number): Promise<HTMLCanvasElement>;
  finalize(): void;
}
