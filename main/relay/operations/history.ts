import type { historyOperations } from "../../../core/operations/history.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { timeOf } from "../../../core/protocol/history-export.ts";
import type { Handlers } from "../calls/calls.ts";
import type { HistoryControl } from "../session/ports.ts";
import { searchSession } from "../session/search-session.ts";

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
    exportHistory: ({ shell, since, until, format, secrets }, { session, caller: { account, permit } }) =>
      session.budgets.read(account, async () => {
        if (secrets === "keep" && permit !== undefined) {
          throw new RemoteError("scope_forbids", "Secrets are exported with a key that has no restrictions.");
        }
        const now = Date.now();
        const exported = await known().export({
          owner: { session: session.id, shell },
          since: since === undefined ? 0 : timeOf(since, now),
          until: until === undefined ? Number.MAX_SAFE_INTEGER : timeOf(until, now),
          format,
          redacts: secrets === "hide",
        });
        if (exported !== undefined) return exported;
        throw new RemoteError("invalid_request", `Nothing is recorded of shell ${shell} at that time.`);
      }),
    search: ({ session: _, ...query }, { session, caller: { account, permit, principal } }) =>
      session.budgets.read(account, () => {
        const control = known();
        const isOwner = principal.user === control.user && principal.membership === undefined;
        return searchSession(control, session.state.now, query, { conversations: isOwner && permit === undefined });
      }),
  };
}

function unknownCommand(id: string): RemoteError {
  return new RemoteError(
    "invalid_request",
    `No command ${JSON.stringify(id)} in the history of this session: list them with getCommands.`,
  );
}
