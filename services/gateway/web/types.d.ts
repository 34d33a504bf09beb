/** Shapes that cross a file: the protocol's frames, as the client sees them. Times are server microseconds. */

export type Seat = {
  player: string | null;
  name: string | null;
  bot: boolean;
  connected: boolean;
  host: boolean;
  ready: boolean;
  cards: number;
};

export type Public = {
  game: string;
  seats: Seat[];
  phase: "seating" | "preparing" | "playing" | "scoring" | "break" | "over" | "stopped" | "closed";
  reason: string | null;
  round: number;
  deadline: number | null;
  points: number[];
  winners: number[];
  watching?: number | null;
  checkpoint?: string;
};

export type Own = { seat: number; can?: string[] };
export type News = { type: string; [field: string]: unknown };
export type Command = { type: string; [field: string]: unknown };

export type ViewFrame = {
  type: "view"; epoch: number; n: number; now: number; public?: Public; own?: Own | null; news?: News[];
};
export type BeatFrame = { type: "beat"; epoch: number; n: number; now: number };
export type Verdict = {
  type: "verdict" | "unknown";
  id: string;
  accepted: boolean;
  refused?: string;
  lost_to?: { seat?: number; by?: string; why?: string; margin_us: number };
  wait_until?: number;
  receipt?: string;
  signed?: Signed;
};
/** What proves that a record with the hash `receipt` was committed (docs/bundle.md); table and round are notes. */
export type Signed = {
  instance: string; partition: number; n: number; root: string; index: number; size: number; path: string[];
  key: string; signature: string; table: string; round: number;
};
export type ClosingFrame = { type: "closing"; reason: string; retry_ms?: number };
export type ErrorFrame = { type: "error"; code: string; detail?: string };
export type Frame = ViewFrame | BeatFrame | Verdict | ClosingFrame | ErrorFrame;

/** What GET /tables/{id}, /join/{code} and the rows of GET /tables say of a table. */
export type TableInfo = {
  table_id: string;
  code?: string;
  game: string;
  seats: number;
  phase?: string;
  round?: number;
  free?: number;
  taken?: number;
  host?: string | null;
  rules?: Record<string, unknown>;
  private?: boolean;
};

export type GameInfo = { game: string; seats: number[]; rules: JsonSchema };
export type JsonSchema = { properties: Record<string, RuleSchema> };
export type RuleSchema = {
  type?: string; default?: unknown; minimum?: number; maximum?: number; enum?: unknown[]; multipleOf?: number;
  const?: unknown; anyOf?: RuleSchema[];
};

/** A key with what it does, shown under `?`. `shift` makes it a chord. */
export type Key = { key: string; caps?: string[]; shift?: boolean; label: string; run: () => void; quiet?: boolean };

/** A game of the client: the shell knows nothing else of it. */
export type GameModule = {
  name: string;
  Screen: (props: { table: any }) => any;
  /** Called for every view: speak, sound, fly. The page's title may be returned. */
  changed(table: any, before: { public: any; own: any } | null, news: News[]): string | void;
  css: string;
  /** The switches of the menu that are this game's. */
  settings?: string[];
};
