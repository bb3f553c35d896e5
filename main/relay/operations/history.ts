import type { historyOperations } from "../../../core/operations/history.ts";
import type { OperationParams, OperationResult } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { HistorySettings } from "../../../core/protocol/history.ts";
import type { CommandQuery, CommandRecord, SearchHit, SearchQuery } from "../../../core/protocol/history-search.ts";
import type { ShellCallResult } from "../../../core/protocol/shell-host.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Session } from "../session/session.ts";
import { searchChat } from "./search-chat.ts";

/** The history on disk, as operations use it. */
export interface HistoryControl {
  status(): Promise<OperationResult<"getHistory">>;
  /** @throws RemoteError `invalid_request` where no keychain can be reached */
  start(wish: OperationParams<"startHistory">): Promise<HistorySettings>;
  stop(): Promise<HistorySettings>;
  recordSession(session: string, on: boolean): Promise<HistorySettings>;
  trim(wish: OperationParams<"trimHistory">): Promise<OperationResult<"trimHistory">>;
  /** Removes what was recorded: of everything, a session, or a shell. */
  forget(what: {
    readonly session?: string;
    readonly shell?: number | undefined;
  }): Promise<OperationResult<"forgetHistory">>;
  /** Returns the latest commands that a query fits. @throws RemoteError `invalid_request` where nothing is recorded */
  commands(session: string, query: CommandQuery): Promise<CommandRecord[]>;
  /** Returns a command; undefined if there is none. @throws RemoteError as `commands` does */
  command(
    session: string,
    place: { readonly shell: number; readonly from: number },
  ): Promise<CommandRecord | undefined>;
  /** Reads output from disk; undefined where none is kept. */
  read(
    owner: { readonly session: string; readonly shell: number },
    range: { readonly since: number; readonly maxBytes: number; readonly plain: boolean },
  ): Promise<ShellCallResult<"read"> | undefined>;
  /** Returns the latest places whose output holds a text. @throws RemoteError as `commands` does */
  search(session: string, query: SearchQuery): Promise<SearchHit[]>;
}

/** `history`: returns the history; undefined where the shells are in the relay's own process. */
export function historyHandlers(history: () => HistoryControl | undefined): Handlers<keyof typeof historyOperations> {
  const known = () => {
    const control = history();
    if (control !== undefined) return control;
    throw new RemoteError(
      "invalid_request",
      "This relay holds its shells itself, which records no history: use `patchbay serve` or the app.",
    );
  };
  return {
    getHistory: () => known().status(),
    startHistory: (wish) => known().start(wish),
    stopHistory: () => known().stop(),
    setSessionHistory: ({ record }, { session }) => known().recordSession(session.id, record === "on"),
    trimHistory: (wish) => known().trim(wish),
    forgetHistory: ({ shell }, { session }) => known().forget({ session: session.id, shell }),
    forgetAllHistory: () => known().forget({}),
    getCommands: ({ session: _, ...query }, { session, caller: { account } }) =>
      session.budgets.read(account, () => known().commands(session.id, query)),
    getCommandOutput: ({ id, since, plain }, { session, caller: { account } }) =>
      session.budgets.read(account, async () => {
        const [shell = 0, from = 0] = id.split(".").map(Number);
        const record = await known().command(session.id, { shell, from });
        if (record?.id !== id) throw unknownCommand(id);
        const start = Math.max(since ?? from, from);
        const whole = record.outputTo === null ? Number.POSITIVE_INFINITY : record.outputTo - start;
        const nothing = { output: "", offset: start, end: start, missed: 0 };
        if (whole <= 0) return { ...record, ...nothing };
        const read = await known().read({ session: session.id, shell }, { since: start, maxBytes: whole, plain });
        const { output, offset, end, missed } = read ?? nothing;
        // What follows was printed by the next command.
        if (offset >= start + whole) return { ...record, ...nothing, end: start + whole, missed: whole };
        return { ...record, output, offset, end, missed };
      }),
    search: ({ session: _, ...query }, { session, caller: { account } }) =>
      session.budgets.read(account, () => searchSession(known(), session, query)),
  };
}

/** Searches all places that are asked for, the latest first of each. */
async function searchSession(history: HistoryControl, session: Session, query: SearchQuery): Promise<SearchHit[]> {
  const isAsked = (place: SearchHit["in"]) => query.in === "everything" || query.in === place;
  const { query: text, limit, shell, since, until } = query;
  const wish = { text, limit, shell, since, until, failed: false };
  // Without a history the chat can be searched.
  const recorded = async <T>(ask: () => Promise<T[]>): Promise<T[]> =>
    ask().catch((error: unknown) => {
      if (query.in === "everything" && error instanceof RemoteError && error.code === "invalid_request") return [];
      throw error;
    });
  const commands = isAsked("commands") ? await recorded(() => history.commands(session.id, wish)) : [];
  const output = isAsked("output") ? await recorded(() => history.search(session.id, query)) : [];
  const chat = isAsked("chat") && shell === undefined ? searchChat(session.state.now.chat, query) : [];
  return [...commands.map((command) => commandHit(command, text)), ...output, ...chat];
}

function commandHit({ id, shellId, outputFrom, startedAt, command }: CommandRecord, text: string): SearchHit {
  const line = command ?? "";
  const from = Math.max(0, line.toLowerCase().indexOf(text.toLowerCase()));
  const around = { before: [], after: [] };
  return { in: "commands", shellId, id, offset: outputFrom, at: startedAt, line, from, length: text.length, ...around };
}

function unknownCommand(id: string): RemoteError {
  return new RemoteError(
    "invalid_request",
    `No command ${JSON.stringify(id)} in the history of this session: list them with getCommands.`,
  );
}
