// The values that the scripts hand each other. The data of the page are written by `page_data.py`, by the same names.

type Status = "agreed" | "first" | "second" | "different" | "part";

interface Member {
  id: string;
  kind: string;
  text: string;
  speaker: string;
  /** Where both sides have a text, and not the same: its words, and which of them the other has not. */
  pieces?: Piece[];
}

interface Piece {
  text: string;
  changed: boolean;
}

interface ModelElement {
  number: number;
  status: Status;
  kind: string;
  scheme: boolean;
  sides: (Member | null)[];
  similarity: number | null;
  because: string;
  partOf: number | null;
  order: number;
  /** In the argument view; and there, the line of a part to what it is part of. */
  place: Place | null;
  path: Path | null;
}

interface Line {
  source: number;
  target: number;
  status: Status;
  in: boolean[];
  path: Path | null;
}

interface CellItem {
  text: string;
  elements: number[];
}

interface Model {
  elements: ModelElement[];
  lines: Line[];
  neighbours: number[][];
  speakers: string[];
  agreement: Record<string, { decisions: number; agreed: number; kappa: number | null }>;
  verbs: Record<string, string>;
  /** How large the argument view is, or why there is none. */
  argument: { width: number; height: number; why: string };
  listed: number;
  none: string;
  cells: Record<string, { first: string; second: string; items: CellItem[] }[]>;
  decisions: { count: number; served: boolean; packed: string };
}

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

interface Path {
  d: string;
  tip: { x: number; y: number; dx: number; dy: number };
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Lane {
  names: string[];
  said: number;
  agreement: string;
  x?: number;
  w?: number;
}

/** A relation from a premise to its conclusion, by the numbers of the elements. */
interface Relation {
  number: number;
  from: number;
  to: number;
  kind: string;
  status: Status;
}

/** A piece of a line from `top` to `bottom`, and the track that it runs in. */
interface Upright {
  top: number;
  bottom: number;
  track: number;
  offset?: number;
  strip?: number;
}

/** How `choose` shows what is chosen. */
interface Choosing {
  fit?: boolean;
  view?: string;
  scroll?: boolean;
  fromMap?: boolean;
  keep?: boolean;
  difference?: string;
  leading?: number[];
  address?: Record<string, string>;
}

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Width and height by the number of an element. */
type Sizes = Record<number, number[]>;

/** A line is known by its number, a part by `p` and its number. */
interface Layout {
  places: Map<number, Place>;
  paths: Map<number | string, Path>;
  lanes: Lane[];
  width: number;
  height: number;
}

interface Decision {
  decision: string;
  note: string;
  by: string;
  when: string;
}

/** A map of few elements, and the number of its layout, which has them in this order. */
interface SmallMap {
  elements: number[];
  layout: number;
}

/** Few boxes on their own; lines by the places of their ends among these. */
interface SmallLayout {
  places: (Place & { box: number })[];
  paths: (Path & { source: number; target: number })[];
  width: number;
  height: number;
}

interface DecisionRow {
  /** As the first has it and as the second has it; none where nothing lays them out. */
  maps: SmallMap[];
  id: string;
  choices: string[];
  cells: Record<string, string | number>;
}

interface Decisions {
  maps: string;
  file: string;
  columns: string[];
  kinds: { name: string; key: string; free: boolean }[];
  labels: Record<string, string[]>;
  layouts: SmallLayout[];
  rows: DecisionRow[];
  served: null | { by: string; decisions: string; map: string; previous: string | null; next: string | null };
}

// What the pages hold: forms, details and tables of ours, never anything that a map says.
type PageElement = HTMLInputElement & HTMLDetailsElement & HTMLTableElement;

interface ParentNode {
  querySelector(selectors: string): PageElement;
  querySelectorAll(selectors: string): NodeListOf<PageElement>;
}

interface Element {
  closest(selectors: string): PageElement;
}

interface Document {
  getElementById(elementId: string): PageElement;
  addEventListener<K extends keyof DocumentEventMap>(type: K, listener: (event: On<DocumentEventMap[K]>) => any, options?: AddEventListenerOptions): void;
}

interface HTMLInputElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (event: On<HTMLElementEventMap[K]>) => any, options?: AddEventListenerOptions): void;
}

/** What is clicked, typed into or passed is an element of ours. */
type On<E> = E & { target: PageElement };
