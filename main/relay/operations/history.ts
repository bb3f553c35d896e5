import { z } from "zod";
import type { historyOperations } from "../../../core/operations/history.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { type CommandRecord, MAX_LINE, placesIn } from "../../../core/protocol/history-search.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import { COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { HIDDEN } from "../../system/redact-secrets.ts";
import type { Principal } from "../access/keys.ts";
import { checkOwnShell } from "../access/permits/check-things.ts";
import { hidesSecrets } from "../access/permits/hides-secrets.ts";
import type { Handlers } from "../calls/calls.ts";
import { routeCommand } from "../calls/route-command.ts";
import { hideInOutput } from "../session/hidden-output.ts";
import type { HistoryControl } from "../session/ports.ts";
import { searchSession } from "../session/search-session.ts";
import type { Session } from "../session/session.ts";

const NewShell = z.object({ shellId: ShellId });

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
  const settled = async (session: string) => {
    const control = known();
    await control.settle(session);
    return control;
  };
  return {
    getHistory: () => known().status(),
    startHistory: (wish) => known().start(wish),
    getRedactions: (query) => known().redactions(query),
    addSecretPattern: ({ name, pattern }) => known().setPattern(name, pattern),
    removeSecretPattern({ name }) {
      if (Object.hasOwn(known().settings().patterns, name)) return known().setPattern(name, undefined);
      throw new RemoteError(
        "invalid_params",
        `params.name: expected one of your own patterns, got ${JSON.stringify(name)}.`,
      );
    },
    stopHistory: () => known().stop(),
    setSessionHistory: ({ record }, { session }) => known().recordSession(session.id, record === "on"),
    trimHistory: (wish) => known().trim(wish),
    forgetHistory: ({ shell }, { session }) => known().forget({ session: session.id, shell }),
    forgetAllHistory: () => known().forget({}),
    getCommands: ({ session: _, ...query }, { session, caller: { account, principal } }) =>
      session.budgets.read(account, async () => {
        const among = readableShells(principal, session);
        return (await settled(session.id)).commands(session.id, { ...query, among });
      }),
    getCommandOutput: ({ id, since, plain }, { session, caller: { account, permit, principal } }) =>
      session.budgets.read(account, async () => {
        const record = await recordOf(await settled(session.id), session, { id, principal });
        const { shellId: shell, outputFrom: from } = record;
        const start = Math.max(since ?? from, from);
        const whole = record.outputTo === null ? Number.POSITIVE_INFINITY : record.outputTo - start;
        const nothing = { output: "", offset: start, end: start, missed: 0 };
        if (whole <= 0) return { ...record, ...nothing };
        const read = await known().read({ session: session.id, shell }, { since: start, maxBytes: whole, plain });
        const beside = (part: { readonly since: number; readonly maxBytes: number }) =>
          known().read({ session: session.id, shell }, { ...part, plain });
        const shown = read && permit?.hidesSecrets ? await hideInOutput(read, beside, record.outputTo === null) : read;
        const { output, offset, end, missed } = shown ?? nothing;
        // What follows was printed by the next command.
        if (offset >= start + whole) return { ...record, ...nothing, end: start + whole, missed: whole };
        return { ...record, output, offset, end, missed };
      }),
    async rerunCommand({ id, new: isNew, yes }, { session, caller }) {
      const { principal } = caller;
      const read = async () => recordOf(await settled(session.id), session, { id, principal });
      const record = await session.budgets.read(caller.account, read);
      const { command, cwd } = rerunnable(record, isNew ? undefined : session.shells.running(record.shellId));
      const { shellId: shell } = record;
      if (isNew) {
        if (!yes) return { state: "shown", command, cwd, shellId: null };
        const wanted = { method: "createShell", params: { cwd, command }, source: caller.principal.shell } as const;
        const { value } = await routeCommand(session, { ...wanted, caller });
        return { state: "started", command, cwd, shellId: NewShell.parse(value).shellId };
      }
      checkOwnShell(caller.permit, session.ownedResources, { method: "rerunCommand", shell });
      if (!yes) return { state: "shown", command, cwd, shellId: shell };
      const run = { shell, command, wait: false, clear: false, timeoutMs: COMMAND_TIMEOUT_MS, guard: true };
      await session.operate(session.clients.relayUser, "runInShell", run, caller);
      return { state: "started", command, cwd, shellId: shell };
    },
    exportHistory: ({ shell, since, until, format, secrets }, { session, caller: { account, permit, principal } }) =>
      session.budgets.read(account, async () => {
        const redacts = hidesSecrets(secrets, permit);
        const isReadable = readableShells(principal, session)?.includes(shell) ?? true;
        const exported = await (isReadable ? known() : undefined)?.export({
          owner: { session: session.id, shell },
          since: since === undefined ? 0 : Date.parse(since),
          until: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until),
          format,
          redacts,
        });
        if (exported !== undefined) return exported;
        throw new RemoteError("invalid_request", `Nothing is recorded of shell ${shell} at that time.`);
      }),
    search: ({ session: _, wait = 1, ...query }, { session, caller: { account, permit, principal } }) =>
      session.budgets.read(account, () => {
        const control = known();
        const isOwner = principal.user === control.user && principal.membership === undefined;
        const conversations = isOwner && permit === undefined;
        const among = readableShells(principal, session);
        const options = { conversations, among, waitMs: wait * 1000 };
        const recording = control.recording(session.id);
        const isOfChat = placesIn(query.in).every((place) => place === "chat");
        return searchSession(control, session.state.now, query, options).then((answer) =>
          isOfChat || recording === "on" ? answer : { ...answer, recording },
        );
      }),
  };
}

/** Returns the shells of which a caller may read: a program in a guest's shell reads what the guest does. */
function readableShells({ membership }: Principal, { state }: Session): readonly ShellId[] | undefined {
  return membership?.guest === true ? state.now.shells.map(({ id }) => id) : undefined;
}

/** @throws RemoteError `invalid_request` for an id that is not in the history, or not for the caller */
async function recordOf(
  history: HistoryControl,
  session: Session,
  { id, principal }: { readonly id: string; readonly principal: Principal },
): Promise<CommandRecord> {
  const [shell = 0, from = 0] = id.split(".").map(Number);
  const record = await history.command(session.id, { shell, from });
  const isReadable = record !== undefined && (readableShells(principal, session)?.includes(record.shellId) ?? true);
  if (record?.id !== id || !isReadable) throw unknownCommand(id);
  return record;
}

/**
 * Returns the line of a command and its folder, if the line is known whole and the shell is in that folder.
 *
 * @throws RemoteError `invalid_request`
 */
function rerunnable({ id, command, cwd }: CommandRecord, shell: Shell | undefined): { command: string; cwd: string } {
  const refuse = (why: string): never => {
    throw new RemoteError("invalid_request", `Command ${id} is not run again: ${why}.`);
  };
  if (command === null || command.trim() === "") return refuse("its line could not be read from the screen");
  if (command.includes(HIDDEN)) return refuse("its line held a secret, which the history does not have");
  // The screen shows the shell's own prompts between them.
  if (/\p{Cc}/u.test(command)) return refuse("it has several lines, between which the shell may have shown prompts");
  if (command.length >= MAX_LINE) return refuse("its line is too long to be kept whole");
  if (cwd === null) return refuse("its folder is not known");
  if (shell !== undefined && shell.cwd !== cwd) {
    return refuse(
      `it ran in ${cwd}, and shell ${shell.id} is in ${shell.cwd}; run it in a new shell with \`new\` (--new)`,
    );
  }
  return { command, cwd };
}

function unknownCommand(id: string): RemoteError {
  return new RemoteError(
    "invalid_request",
    `No command ${JSON.stringify(id)} in the history of this session: list them with getCommands.`,
  );
}
