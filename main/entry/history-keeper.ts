import { z } from "zod";
import type { OperationResult } from "../../core/operations/index.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { type HistorySettings, MAX_SECRET_PATTERNS, type RecordingState } from "../../core/protocol/history.ts";
import { ExportedHistory } from "../../core/protocol/history-export.ts";
import {
  CommandQuery,
  CommandRecord,
  type CommandSource,
  type OfShells,
  Redaction,
  type RedactionQuery,
  SearchAnswer,
  SearchHit,
  type SearchQuery,
} from "../../core/protocol/history-search.ts";
import type { Recording } from "../../core/protocol/recording.ts";
import { searchPattern } from "../../core/protocol/search-pattern.ts";
import type { ShellEvent, ShellHost } from "../../core/protocol/shell-host.ts";
import type { HistoryControl } from "../relay/session/ports.ts";
import type { HistoryRows } from "../relay/store/history-rows.ts";
import { HistoryReader } from "../shells/history/history-reader.ts";
import { type MasterKey, masterKey } from "../shells/history/segment.ts";
import {
  daysAgo,
  listSegments,
  oldestOf,
  removeSegment,
  type StoredSegment,
  trimSegments,
} from "../shells/history/trim.ts";
import { DAMAGED, type IndexRequest, TOO_LONG } from "../shells/history-index/index-calls.ts";
import { IndexThread } from "../shells/history-index/index-thread.ts";
import type { HostedShells } from "../shells/host/hosted-shells.ts";
import type { Log } from "../system/log.ts";
import { setOwnRules } from "../system/redact-secrets.ts";
import { bytesForSegments, HistoryBound, indexBytes } from "./history-bound.ts";
import { HistoryIndexing } from "./history-indexing.ts";
import { historySecret, type OpenEntry } from "./history-key.ts";
import { unreadableSegments } from "./unreadable-segments.ts";

const LAST_COMMANDS = 3;
/** Output of an ended shell that is shown above the one in its place: lines, and bytes that are read for them. */
const LAST_LINES = 500;
const LAST_BYTES = 256 * 1024;
/** How long what the index answers at once waits for it to have everything. */
const PATIENT_MS = 10_000;

interface KeeperOptions {
  readonly rows: HistoryRows;
  /** The operating-system user that runs the relay. */
  readonly user: string;
  /** The folder of the segments. */
  readonly folder: string;
  /** Names the key's account in the keychain. */
  readonly relayId: string;
  readonly shells: () => Pick<HostedShells, "record" | "flush">;
  readonly log: Log;
  /** The agent sessions that were seen in shells, which lead to their transcripts. */
  readonly runs: () => unknown;
  /** The built program of the index's thread. */
  readonly indexProgram: string;
  /** Folder of the player of recordings. */
  readonly player: string;
  readonly entryOf?: OpenEntry;
}

/** Events of a shell that may have printed something since the one before. */
const MAY_HAVE_PRINTED: ReadonlySet<ShellEvent["kind"]> = new Set(["activity", "signal", "exited", "lost"]);

type Status = OperationResult<"getHistory">;
type Removed = OperationResult<"trimHistory">;

/** Keeps the history on disk: the owner's settings, the key, what is recorded, and its reading. */
export class HistoryKeeper implements HistoryControl {
  readonly reader: HistoryReader;
  readonly user: string;
  readonly #options: KeeperOptions;
  #key: MasterKey | undefined;
  #trouble: string | null = null;
  #index: IndexThread | undefined;
  #indexing: HistoryIndexing | undefined;
  readonly #indexFile: string;
  readonly #bound: HistoryBound;
  /** What the index was opened with. */
  #indexSetUp = "";

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.user = options.user;
    this.#indexFile = `${options.folder}-index.db`;
    this.#bound = new HistoryBound({
      file: this.#indexFile,
      maxBytes: () => options.rows.get().maxBytes,
      tell: () => this.#tellHost(),
      forgetRemoved: async () => this.#indexing?.forgetRemoved(),
    });
    this.reader = new HistoryReader({
      folder: () => (options.rows.get().choice === "unasked" ? undefined : options.folder),
      keys: () => this.#keys(),
      flush: (owner) => options.shells().flush(owner),
    });
  }

  /** Records as the stored settings say. The key may come later, when the keychain answers; until then nothing is recorded. */
  async resume(): Promise<void> {
    const { rows, relayId, entryOf } = this.#options;
    const settings = rows.get();
    setOwnRules(settings.patterns);
    if (settings.choice === "unasked") return;
    // Where nothing was recorded and nothing is to be, there is nothing that a key opens.
    if (settings.encrypted && (settings.choice === "on" || (await listSegments(this.#options.folder)).length > 0)) {
      try {
        this.#key = masterKey(await historySecret(relayId, entryOf));
      } catch (error) {
        this.report(
          `The history is not recorded, because its key cannot be read from the keychain (${errorText(error)}): unlock it and restart Patchbay.`,
        );
        return;
      }
    }
    await this.#record();
  }

  /** Notes whether the history can be written: a sentence if not. */
  report(trouble: string | null): void {
    if (trouble !== null && trouble !== this.#trouble) this.#options.log.error(trouble);
    this.#trouble = trouble;
  }

  settings(): HistorySettings {
    return this.#options.rows.get();
  }

  async status(): Promise<Status> {
    const { rows, folder, shells } = this.#options;
    const settings = rows.get();
    const redacted = z
      .int()
      .catch(0)
      .parse(await this.#index?.call({ method: "redactionCount" }).catch(() => 0));
    const state: RecordingState = (await shells().flush({})) ?? { trouble: null, waiting: 0, lost: 0 };
    const segments = await listSegments(folder);
    const oldest = oldestOf(segments);
    const indexed = await this.#index?.call({ method: "damage" }).catch(() => []);
    return {
      ...settings,
      recording: this.#isRecording(),
      ...state,
      trouble: state.trouble ?? this.#trouble,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      indexBytes: await indexBytes(this.#indexFile),
      segments: segments.length,
      redacted,
      oldest: oldest === undefined ? null : new Date(oldest).toISOString(),
      unreadable: await unreadableSegments(segments, { folder, keys: this.#keys(), read: this.reader.damage, indexed }),
    };
  }

  async start({ unencrypted, days, maxBytes }: Parameters<HistoryControl["start"]>[0]): Promise<HistorySettings> {
    const { relayId, entryOf } = this.#options;
    if (!unencrypted) {
      try {
        this.#key = masterKey(await historySecret(relayId, entryOf));
      } catch (error) {
        throw new RemoteError(
          "invalid_request",
          `No keychain can be reached (${errorText(error)}), so there is no place for a key: unlock or install one, or record with \`unencrypted\` (--unencrypted), readable to every program of this user.`,
        );
      }
    }
    return this.#change({ choice: "on", encrypted: !unencrypted, days, maxBytes });
  }

  stop(): Promise<HistorySettings> {
    return this.#change({ choice: "off" });
  }

  setPattern(name: string, pattern: string | undefined): Promise<HistorySettings> {
    const { [name]: _, ...others } = this.#options.rows.get().patterns;
    const patterns = pattern === undefined ? others : { ...others, [name]: pattern };
    if (Object.keys(patterns).length > MAX_SECRET_PATTERNS) {
      throw new RemoteError("limit_reached", `At most ${MAX_SECRET_PATTERNS} patterns are kept: remove one first.`);
    }
    // Before it is stored: it may be none.
    setOwnRules(patterns);
    return this.#change({ patterns });
  }

  async redactions(query: RedactionQuery): Promise<Redaction[]> {
    await this.settle(undefined);
    return z.array(Redaction).parse(await this.#ask({ method: "redactions", query }));
  }

  recordSession(session: string, on: boolean): Promise<HistorySettings> {
    const { except } = this.#options.rows.get();
    const others = except.filter((id) => id !== session);
    return this.#change({ except: on ? others : [...others, session] });
  }

  /**
   * Indexes what a session's shells print, a little later.
   *
   * @param sourceOf returns who has entered the command that starts in a shell
   */
  watch(
    session: string,
    host: Pick<ShellHost, "onEvent">,
    sourceOf: (shell: number) => CommandSource | undefined,
  ): void {
    host.onEvent((event) => {
      const owner = { session, shell: event.id };
      if (event.kind === "signal" && event.signal.kind === "command-start") {
        const by = sourceOf(event.id);
        if (by !== undefined) void this.#typed({ owner, from: event.signal.end, by });
      }
      // With the end comes what was printed since the last event, also where the shell was lost with its host.
      if (MAY_HAVE_PRINTED.has(event.kind)) this.#indexing?.later(owner);
    });
  }

  async commands(session: string, query: CommandQuery & OfShells): Promise<CommandRecord[]> {
    if (query.text !== undefined) searchPattern({ query: query.text, regex: query.regex });
    return z.array(CommandRecord).parse(await this.#ask({ method: "commands", session, query }));
  }

  /** The lines of the last commands in a shell, the latest first; none where nothing is recorded. */
  async lastCommands(session: string, shell: number): Promise<string[]> {
    if (this.#index === undefined) return [];
    try {
      await this.settle(session);
      const found = await this.commands(session, CommandQuery.parse({ shell, limit: LAST_COMMANDS }));
      return found.flatMap(({ command }) => (command === null || command === "" ? [] : [command]));
    } catch (error) {
      this.#options.log.warn(`The last commands of a shell could not be read: ${errorText(error)}`);
      return [];
    }
  }

  async lastOutput(session: string, shell: number): Promise<string> {
    const range = { plain: true, lines: LAST_LINES, maxBytes: LAST_BYTES };
    const read = await this.reader.read({ session, shell }, range).catch(() => undefined);
    return read?.output ?? "";
  }

  async command(session: string, place: { shell: number; from: number }): Promise<CommandRecord | undefined> {
    return CommandRecord.optional().parse(await this.#ask({ method: "command", session, ...place }));
  }

  recording(session: string): Recording {
    const { choice, encrypted, except } = this.#options.rows.get();
    if (choice !== "on") return choice;
    if (encrypted && this.#key === undefined) return "locked";
    return except.includes(session) ? "excepted" : "on";
  }

  timeline: HistoryControl["timeline"] = (owner, range) => this.reader.timeline(owner, range);

  read: HistoryControl["read"] = (owner, range) => this.reader.read(owner, range);

  async search(session: string, query: SearchQuery & OfShells): Promise<SearchHit[]> {
    try {
      return z.array(SearchHit).parse(await this.#ask({ method: "search", session, query }));
    } catch (error) {
      if (errorText(error).includes(TOO_LONG)) throw new RemoteError("invalid_params", `params.query: ${TOO_LONG}.`);
      throw error;
    }
  }

  export: HistoryControl["export"] = async (wish) => {
    await this.#options.shells().flush({ session: wish.owner.session });
    return ExportedHistory.optional().parse(await this.#ask({ method: "export", wish }));
  };

  async searchConversations(query: SearchQuery, waitMs: number): Promise<SearchAnswer> {
    const runs = this.#options.runs();
    return SearchAnswer.parse(await this.#ask({ method: "searchConversations", query, runs, waitMs }));
  }

  async settle(session: string | undefined, ms = PATIENT_MS): Promise<boolean> {
    const flushed = await this.#options.shells().flush(session === undefined ? {} : { session });
    const { noted = [], waiting = 0 } = flushed ?? {};
    return (await this.#indexing?.settle(session, { noted, waiting, ms })) ?? true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#indexing?.[Symbol.dispose]();
    await this.#index?.[Symbol.asyncDispose]();
  }

  async #ask(request: IndexRequest): Promise<unknown> {
    if (this.#index === undefined) {
      throw new RemoteError("invalid_request", "Nothing is recorded: turn the history on with `service history on`.");
    }
    try {
      return await this.#index.call(request);
    } catch (error) {
      throw errorText(error).includes(DAMAGED) ? new RemoteError("internal", DAMAGED) : error;
    }
  }

  /** Tells the index who entered a command; what it cannot take is logged. */
  async #typed(typed: Omit<Extract<IndexRequest, { method: "typed" }>, "method">): Promise<void> {
    try {
      await this.#index?.call({ method: "typed", ...typed });
    } catch (error) {
      this.#options.log.warn(`The index of the history failed: ${errorText(error)}`);
    }
  }

  async trim({ days, maxBytes }: Parameters<HistoryControl["trim"]>[0]): Promise<Removed> {
    const { rows, folder } = this.#options;
    const settings = rows.get();
    const before = daysAgo(Math.min(days ?? settings.days, settings.days));
    const bound = Math.min(maxBytes ?? settings.maxBytes, settings.maxBytes);
    const wish = { before, maxBytes: bytesForSegments(bound, await indexBytes(this.#indexFile)) };
    const closed = new Set((await this.#closed({})).map(({ file }) => file));
    const removed = await trimSegments(folder, wish, (file) => !closed.has(file));
    await this.#indexing?.forgetRemoved();
    return summed(removed);
  }

  async forget(what: Parameters<HistoryControl["forget"]>[0]): Promise<Removed> {
    const { folder } = this.#options;
    const segments = await this.#closed(what);
    for (const segment of segments) await removeSegment(folder, segment);
    await this.#indexing?.forgetRemoved();
    return summed(segments);
  }

  /** Returns the segments of what was printed so far, of which none grows any more. */
  async #closed(what: Parameters<HistoryControl["forget"]>[0]): Promise<readonly StoredSegment[]> {
    const { folder, shells } = this.#options;
    await shells().flush({ ...what, rotate: true });
    const segments = await listSegments(folder, what);
    // One of them may have been begun meanwhile.
    await shells().flush({ ...what, rotate: true });
    return segments;
  }

  async #change(change: Partial<HistorySettings>): Promise<HistorySettings> {
    const settings = { ...this.#options.rows.get(), ...change };
    this.#options.rows.set(settings);
    this.report(null);
    await this.#record();
    return settings;
  }

  async #record(): Promise<void> {
    await this.#openIndex();
    await this.#tellHost();
  }

  /** Tells the shell host what to record, and how much of it to keep. */
  async #tellHost(): Promise<void> {
    const { shells, folder, rows } = this.#options;
    const index = await indexBytes(this.#indexFile);
    // Read last: they may have been changed meanwhile.
    const { days, maxBytes, except } = rows.get();
    const segments = this.#bound.told(maxBytes, index);
    const place = { folder: this.#isRecording() ? folder : null, key: this.#keyInBase64() };
    await shells().record({ ...place, days, maxBytes: segments, except });
  }

  /** Returns whether output is to be recorded and can be: without its key nothing is recorded, least of all in clear. */
  #isRecording(): boolean {
    const { choice, encrypted } = this.#options.rows.get();
    return choice === "on" && (!encrypted || this.#key !== undefined);
  }

  /** The index holds what the key of the history opens and its rules leave, so with others it needs another thread. */
  async #openIndex(): Promise<void> {
    const { folder, indexProgram, player, log, rows } = this.#options;
    const { patterns, maxBytes } = rows.get();
    const setUp = { folder, file: this.#indexFile, player, key: this.#keyInBase64(), patterns, maxBytes };
    if (this.#index !== undefined && this.#indexSetUp === JSON.stringify(setUp)) return;
    this.#indexing?.[Symbol.dispose]();
    await this.#index?.[Symbol.asyncDispose]();
    this.#indexSetUp = JSON.stringify(setUp);
    this.#index = new IndexThread(indexProgram, setUp, () => this.#indexing?.indexEnded());
    this.#indexing = new HistoryIndexing(this.#index, log, () => {
      this.#bound.indexed().catch((error: unknown) => log.warn(`The bound of the history: ${errorText(error)}`));
    });
  }

  /** Returns the key; null without encryption, and without a key. */
  #keyInBase64(): string | null {
    const isEncrypted = this.#options.rows.get().encrypted;
    return isEncrypted ? (this.#key?.bytes.toString("base64") ?? null) : null;
  }

  #keys(): readonly MasterKey[] {
    return [masterKey(undefined), ...(this.#key === undefined ? [] : [this.#key])];
  }
}

function summed(segments: readonly StoredSegment[]): Removed {
  return { segments: segments.length, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) };
}
