import type {
  CommandQuery,
  CommandSource,
  OfShells,
  RedactionQuery,
  SearchQuery,
} from "../../../core/protocol/history-search.ts";
import type { ExportWish } from "../history/export-history.ts";
import type { SegmentOwner } from "../history/segment.ts";

/** Why a search was stopped. */
export const TOO_LONG = "the search took too long: make the regular expression or the time narrower";

/** Why something was not done that met a damaged index. */
export const DAMAGED = "The index of the history was damaged and is made anew: try again in a moment.";

/** What the thread of an index works on. */
export interface IndexSetUp {
  /** Folder of the segments. */
  readonly folder: string;
  /** Folder of the player of recordings. */
  readonly player: string;
  /** File of the index. */
  readonly file: string;
  /** The key of the history in base64; null without encryption. */
  readonly key: string | null;
  /** Bound of the whole history in bytes. */
  readonly maxBytes: number;
  /** The owner's own patterns for secrets. */
  readonly patterns: Readonly<Record<string, string>>;
}

/** What is asked of an index. */
export type IndexRequest =
  | { readonly method: "add"; readonly owner: SegmentOwner }
  | { readonly method: "catchUp" }
  | { readonly method: "tidy" }
  | { readonly method: "typed"; readonly owner: SegmentOwner; readonly from: number; readonly by: CommandSource }
  | { readonly method: "commands"; readonly session: string; readonly query: CommandQuery & OfShells }
  | { readonly method: "command"; readonly session: string; readonly shell: number; readonly from: number }
  | { readonly method: "search"; readonly session: string; readonly query: SearchQuery & OfShells }
  | { readonly method: "redactions"; readonly query: RedactionQuery }
  | { readonly method: "redactionCount" }
  /** Returns the segments that were found unreadable, as pairs of file and reason. */
  | { readonly method: "damage" }
  | { readonly method: "export"; readonly wish: ExportWish }
  /** `runs`: the agent sessions that were seen in shells, as the entry point reads them. */
  | {
      readonly method: "searchConversations";
      readonly query: SearchQuery;
      readonly runs: unknown;
      /** How long to wait until new messages are indexed. */
      readonly waitMs: number;
    };

export type IndexCall = IndexRequest & { readonly id: number };

export type IndexAnswer =
  | { readonly id: number; readonly result: unknown }
  /** `isLast`: the thread ends. */
  | { readonly id: number; readonly failed: string; readonly isLast: boolean };
