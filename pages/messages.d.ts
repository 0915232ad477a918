// What Python and the browser say to each other. Made of Python's types: `python -m tests.js.messages`.

export interface Message {
  chain: string;
  source: string;
  total: number;
  label: string;
  before: boolean;
  after: boolean;
  at: number;
  link: string;
  address: string;
  covered: boolean;
  until: number | null;
  lock: Array<string>;
  wanted: Array<string>;
  hide: Array<string>;
  quiet: boolean;
  go: Go | null;
  params: Record<string, number | [number, number]>;
  still: string | null;
  dials: Array<Dial>;
  levels: Array<string>;
  opens: Array<string>;
  follows: boolean;
  ask: AskedGuess | null;
  heard: number;
  session: string;
  poster?: number;
  page?: string;
}

export interface Go {
  token: string;
  t: number;
  walk: boolean;
}

export interface Dial {
  name: string;
  title: string;
  help: string;
  low: number;
  high: number;
  step: number;
  value: number;
  options: Array<string>;
}

export interface AskedGuess {
  axis: "x" | "y" | null;
  field: string | null;
  limits: Array<number> | null;
  step: number;
  places: Record<string, Marked> | null;
  pictures: Record<string, string> | null;
  chart: string;
  guess: string | null;
  outcome: string | null;
  reveal: number;
  hand: boolean;
  veil: boolean;
}

export interface Marked {
  letter: string;
  at: Array<Array<number>>;
}

export interface Staged {
  message: Message;
  views: Array<[string, string]>;
  view: string;
  notes: Array<string>;
  asks: boolean;
  answered: boolean;
  walks: boolean | null;
}

export interface Kept {
  topic: string;
  search: string;
  alone: boolean;
  staged: Staged;
  answered: Staged | null;
  films: Record<string, Filed>;
  last: Record<string, number>;
  packs: Record<string, string>;
}

export interface Filed {
  film: string;
  frames: Record<string, string>;
  stills: Record<string, string>;
  cards: Record<string, Record<string, string>>;
}

export interface Linked {
  qr: string;
  framed_by: string;
}

export interface Described {
  chain: string;
  charts: Array<DrawnChart>;
  data: Record<string, Record<string, Array<unknown>>>;
  strides: Array<[string, number]>;
  params: Record<string, number | [number, number]>;
  trails: Array<Trail>;
  ahead: Array<string>;
  lasts: number;
}

export interface DrawnChart {
  name: string;
  title: string;
  caption: string;
  alt: string;
  spec: Record<string, unknown>;
  legend: Array<Key>;
  aspect: string;
  beside: boolean;
  share: number;
  tall: number;
  hand: string;
  lines: boolean;
  rows: number;
  listed: Listed | null;
}

export interface Key {
  mark: string;
  text: string;
  when?: string;
}

export interface Listed {
  items: number;
  shown: number;
  sets: Record<string, number>;
}

export interface Trail {
  set: string;
  field: string;
  of: [string, string];
  many: number;
  empty: number;
}

export interface FramesHead {
  chain: string;
  start: number;
  count: number;
  columns: Array<PackedColumn>;
}

export interface PackedColumn {
  set: string;
  field: string;
  type: "uint8" | "int16" | "uint16" | "float32";
  width: number;
}

export interface Cards {
  html: string;
  source: string;
  view: string;
  t: number;
  session: string;
}

export interface Course {
  title: string;
  language: string;
  dir: string;
  sections: Array<Section>;
  review: Array<OnReview>;
  ideas: Array<[string, string, string, string]>;
  glossary: Array<[string, string]>;
  hand_in: string;
  ask: string;
  live: string;
  scorm: boolean;
  vega: string;
}

export interface Section {
  title: string;
  line: string;
  pictures: Array<string>;
  due: string;
  lessons: Array<OnMap>;
}

export interface OnMap {
  id: string;
  number: number;
  title: string;
  language: string;
  dir: string;
  topic: string;
  minutes: number;
  questions: Array<string>;
  asks: Array<string>;
  file: string;
}

export interface OnReview {
  idea: string;
  term: string;
  lesson: string;
  step: string;
  title: string;
  id: string;
  file: string;
}

export interface Published {
  id: string;
  title: string;
  language: string;
  dir: string;
  summary: Array<string>;
  read_on: Array<string>;
  steps: Array<Told>;
  films: Record<string, Filed>;
  about: Array<string>;
}

export interface Told {
  id: string;
  title: string;
  html: string;
  hints: Array<string>;
  at: number | null;
  until: number | null;
  unit: string;
  asked: Scene;
  answered: Scene | null;
  then: Scene | null;
  advance: number;
  runs: Array<Scene>;
  controls: Array<Control>;
  question: Question | null;
  sure: boolean;
  goals: Array<Target>;
  set: string;
  missing: string;
  version: string;
}

export interface Scene {
  values: Record<string, string>;
  message: Message;
  view: string;
  views: Array<[string, string]>;
  code: Array<string>;
}

export interface Control {
  name: string;
  title: string;
  values: Array<string>;
}

export interface Question {
  name: string;
  title: string;
  lang: string;
  dir: string;
  look: string;
  hint: string;
  empty: string;
  grain: number;
  limits: Array<number> | null;
  options: Array<FormOption>;
  rule: RuleQuestion | null;
  own: string;
  answers: Array<Answer>;
  lines: Array<Reasoned>;
  exact: string;
  off: string;
  partly: string;
  guessed: boolean;
  once: boolean;
  right: Array<string>;
  words: string;
  shown: string;
  locked: string;
  again: string;
}

export interface FormOption {
  key: string;
  html: string;
}

export interface RuleQuestion {
  problem: RuleProblem;
  seed: number;
  file: string;
  museum: string;
  written: Array<string>;
  case: Array<RuleOption> | null;
}

export interface RuleProblem {
  id: string;
  title: string;
  form: string;
  lines: Array<RuleLine>;
  points: number;
  proved_on: number;
  noun: string;
  first: number;
  columns: number | null;
}

export interface RuleLine {
  label: string;
  names: Array<RuleName>;
}

export interface RuleName {
  name: string;
  symbol: string;
  meaning: string;
}

export interface RuleOption {
  name: string;
  line: number;
  known: Record<string, number | Array<number>>;
}

export interface Answer {
  key: string;
  words: string;
  right: boolean;
  said: string;
}

export interface Reasoned {
  low: number | null;
  high: number | null;
  right: boolean;
  reason: string;
}

export interface Target {
  id: string;
  html: string;
  reason: string;
  seeds: number;
  open: string;
  reached: Record<string, Array<number>>;
}

export interface FormShown {
  question: FormQuestion;
  state: FormState;
  session: string;
}

export interface FormQuestion {
  name: string;
  title: string;
  lang: string;
  dir: string;
  look: string;
  hint: string;
  empty: string;
  grain: number;
  limits: Array<number> | null;
  options: Array<FormOption>;
  rule: RuleQuestion | null;
  own: string;
}

export interface FormState {
  given: Array<string> | null;
  words: string;
  note: string;
  locked: string;
  said: Array<FormSaid>;
  told: string;
  again: string;
  more: string;
}

export interface FormSaid {
  right: boolean | null;
  html: string;
}

export interface RulePack {
  lines: Record<string, Array<string>>;
  right: Array<string>;
  points: number;
  least: number;
  named_on: number;
  noun: string;
  first: number;
  columns: number | null;
  same: number;
  tables: Array<RuleTable>;
  wrong: Array<RuleForms>;
  limits: Array<RuleLimit>;
}

export interface RuleTable {
  points: number;
  form: string;
  states: Array<Array<number>>;
  sites: Array<number | string | Array<number>>;
  outcomes: Array<Array<number>>;
  posterior: Array<number> | null;
  exact: Array<number> | null;
  knows: Array<RuleRows>;
  counts: Array<number>;
  line: Array<number>;
  row: Array<number>;
  target: Array<number>;
  share: Array<number>;
}

export interface RuleRows {
  names: Array<string>;
  rows: Array<Array<number | Array<number>>>;
}

export interface RuleForms {
  name: string;
  rules: Array<Array<string>>;
  matrices: Array<RuleMatrix>;
}

export interface RuleMatrix {
  update: Array<number>;
  target: Array<number>;
  probability: Array<number>;
}

export interface RuleLimit {
  said: string;
  values: Record<string, number>;
}

export interface RuleVerdict {
  kind: string;
  text: string;
  distance: number | null;
  named: string | null;
  counterexample: RuleCounterexample | null;
  sweeps: number | null;
}

export interface RuleCounterexample {
  points: number;
  site: number | string | Array<number>;
  state: Array<number>;
  reached: Array<Array<number>>;
  right: Array<number>;
  given: Array<number>;
  shared: Record<string, number | Array<number>>;
}

export interface News {
  state?: State;
  you?: You;
  watch?: Watch;
  table?: Table;
  result?: Result;
  sorry?: string;
  clock?: number;
  beat?: boolean;
}

export interface State {
  number: number;
  code: string;
  show: Shown | null;
  free: boolean;
  paused: boolean;
  locked: boolean;
  ended: boolean;
  people: number;
  trouble: string;
  round: RoundState | null;
  hands: HandsState | null;
  relay: RelayState | null;
}

export interface Shown {
  page: string;
  query: string;
  t: number;
  playing: boolean;
  speed: number;
  by: string;
}

export interface RoundState {
  name: string;
  title: string;
  lang: string;
  dir: string;
  look: string;
  hint: string;
  empty: string;
  grain: number;
  limits: Array<number> | null;
  options: Array<FormOption>;
  rule: RuleQuestion | null;
  own: string;
  text: string;
  ask: string;
  kind: "choices" | "number" | "text" | "rule";
  names: boolean;
  id: number;
  lesson: string;
  step: string;
  open: boolean;
  answers: number;
  until: number | null;
  made: boolean;
  shown: boolean;
  revealed: boolean;
  tally?: Record<string, number>;
  examples?: Record<string, string>;
  bars?: Bars | null;
  before?: Record<string, number> | null;
  before_said?: string;
  right?: Array<string> | number;
  reason?: string;
}

export interface Bars {
  low: number;
  width: number;
  ends: [number, number];
  now: Array<number>;
  before: Array<number> | null;
}

export interface HandsState {
  id: number;
  page: string;
  vary: string;
  outcome: string;
  label: string;
  unit: string;
  t: number;
  open: boolean;
  folded: boolean;
  mean: number | null;
  n: number;
  points: Array<[number, number]>;
  heap: Heap | null;
}

export interface Heap {
  low: number;
  width: number;
  number: number;
  places: Array<number>;
  shares: Array<number>;
}

export interface RelayState {
  id: number;
  title: string;
  names: Array<string>;
  exact: Array<number>;
  halves: Array<string>;
  places: Array<number>;
  counts: Array<Array<number>>;
  steps: number;
  open: boolean;
}

export interface You {
  index: number;
  name: string;
  follows: boolean;
  round: number | null;
  keys: Array<string> | null;
  counted: boolean;
  late: boolean;
  hands: OwnRun | null;
  hand: Hand | null;
}

export interface OwnRun {
  id: number;
  sets: Array<Record<string, string | number>>;
  values: Array<number | null>;
}

export interface Hand {
  relay: number;
  chain: number;
  step: number;
  here: string;
  there: string;
  ratio: number | null;
  bar: number | null;
  dart: number | null;
  rule: string;
}

export interface Watch {
  people: number;
  follow: number;
  lost: number;
  names: Array<[number, string, boolean, boolean]>;
  round: RoundWatched | null;
  rounds: Array<RoundListed>;
  hands: Array<Run> | null;
  relay: RelayWatched | null;
  links: Array<LinkListed>;
  notice: string;
}

export interface RoundWatched {
  tally: Record<string, number>;
  examples?: Record<string, string>;
  bars: Bars | null;
  before: Record<string, number> | null;
  before_said: string;
  picked: Array<string>;
  act: "" | "hint" | "talk" | "explain";
}

export interface RoundListed {
  id: number;
  title: string;
  answers: number;
  open: boolean;
  lesson?: string;
  step?: string;
  hands?: boolean;
  relay?: boolean;
}

export interface Run {
  index: number;
  name: string;
  value: number;
  set: Record<string, string | number>;
}

export interface RelayWatched {
  distances: Array<number>;
  limits: Array<number>;
  slips: Array<number>;
  found: Array<string>;
}

export interface LinkListed {
  id: number;
  used: boolean;
}

export interface Table {
  rounds: Array<Column>;
  rows: Array<Row>;
}

export interface Column {
  id: number;
  title: string;
}

export interface Row {
  index: number;
  name: string;
  follows: boolean | null;
  cells: Array<[string, boolean | null] | null>;
}

export interface Result {
  round: RoundState | null;
  hands: HandsState | null;
  relay: RelayState | null;
}

export interface Rest {
  t: number;
}

export interface Turn {
  by: number;
}

export interface Touch {
  hand: string;
  x: number;
  y: number;
  moved: boolean;
  row: number | null;
  done: boolean;
}

export interface Dialled {
  name: string;
  value: number;
  t: number;
  done: boolean;
}

export interface Zoom {
  level: string;
  t: number;
}

export interface Open {
  what: string;
  which: number;
  t: number;
}

export interface Move {
  which: number;
  to: number;
}

export interface Events {
  rest: Rest;
  turn: Turn;
  touch: Touch;
  dial: Dialled;
  zoom: Zoom;
  open: Open;
  move: Move;
}

export interface Hello {
  member: string;
  name: string | null;
  screen: boolean;
  secret: string;
  session: string;
  after: number;
}

export interface Given {
  round: number;
  keys: Array<string>;
}

export interface Found {
  hands: number;
  run: number;
  t: number;
}

export interface Acted {
  relay: number;
  chain: number;
  step: number;
  moves: boolean;
}

export interface LearnerSays {
  hello: Hello;
  name: string;
  answer: Given;
  follows: boolean;
  lost: boolean;
  forget: true;
  found: Found;
  hand: number;
  act: Acted;
}

export interface Asked {
  lesson: string;
  step: string;
}

export interface Made {
  kind: "choices" | "number" | "text";
  text: string;
  choices: Array<string>;
}

export interface Unmasked {
  round: number;
  texts: Array<string>;
}

export interface Before {
  tally: Record<string, number>;
}

export interface HandsOn {
  vary: string;
  values: Array<string | number>;
  outcome: string;
  t: number;
}

export interface RelayOn {
  question: string;
  low: number;
  high: number;
}

export interface InstructorSays {
  hello: Hello;
  name: string;
  answer: Given;
  follows: boolean;
  lost: boolean;
  forget: true;
  found: Found;
  hand: number;
  act: Acted;
  show: Shown;
  ask: Asked;
  make: Made;
  again: number;
  timer: number;
  close: true;
  tally: boolean;
  reveal: true;
  unmask: Unmasked;
  away: true;
  recall: number;
  before: Before;
  pause: boolean;
  hands: HandsOn;
  stop_hands: true;
  fold_hands: boolean;
  relay: RelayOn;
  stop_relay: true;
  lock: boolean;
  remove: number;
  revoke: number;
  table: true;
  result: number;
  end: true;
}
