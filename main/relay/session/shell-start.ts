import { existsSync } from "node:fs";
import { defined } from "../../../core/protocol/defined.ts";
import type { ClientId, SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { ShellCallParams } from "../../../core/protocol/shell-host.ts";
import { redactSecrets } from "../../system/redact-secrets.ts";
import type { PersonMembership } from "../access/keys.ts";
import { isHiding } from "../access/permits/permit.ts";
import type { ShellStart } from "../store/shell-rows.ts";

/** What is started, as the host takes it. */
export type Launch = Omit<ShellCallParams<"spawn">, "id" | "env"> & {
  readonly env?: Readonly<Record<string, string>> | undefined;
};

/** The start of a shell that replaces an ended one, where it differs from the start of the old one. */
export interface StartedAgain {
  /** A program and its arguments, in place of a shell. */
  readonly exec?: readonly string[] | undefined;
  /** The first command line; none by default. */
  readonly command?: string | undefined;
  /** Variables besides the old shell's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Start in the nearest folder above one that is gone. */
  readonly nearest?: boolean | undefined;
  /** Text shown before the shell's own output. */
  readonly prelude?: string | undefined;
}

/** Names of variables whose values are not stored. */
const SECRET_NAME = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|_KEY$|^KEY$|API_?KEY|AUTH|COOKIE/i;

/**
 * Returns what is kept of how a shell is started. A value that would be hidden as a secret is not: the caller chooses it, and
 * nobody could see what it loads into the shell that is started again.
 */
export function startOf({ exec, command, env = {} }: Launch, byGuest: boolean): ShellStart {
  const variables = Object.entries(env);
  const secret = new Set(
    variables.flatMap(([name, value]) => (SECRET_NAME.test(name) || redactSecrets(value) !== value ? [name] : [])),
  );
  return {
    ...defined({ exec: exec && [...exec], command }),
    env: Object.fromEntries(variables.filter(([name]) => !secret.has(name))),
    withheld: [...secret],
    byGuest,
  };
}

/**
 * Returns what starts in the place of an ended shell: the same, or what `again` names instead. A line is typed only into the
 * shell that it was written for; where nothing is typed, the login shell takes the place of a shell that is gone.
 *
 * @param from.start how the old shell was started; undefined where that is not known
 * @param from.isKept whether the host still knows the old shell
 */
export function launchAgain(
  { id, cols, rows, cwd, command: program, direct }: Shell,
  { start, again, isKept }: { start: ShellStart | undefined; again: StartedAgain | undefined; isKept: boolean },
): Launch {
  if (again === undefined && isKept) return { cols, rows, like: id };
  const exec = again?.exec ?? start?.exec;
  const command = again === undefined ? start?.command : again.command;
  const isOfShell = exec === undefined && direct !== true && (command !== undefined || existsSync(program));
  return {
    ...{ cols, rows, cwd, nearest: again?.nearest, exec, command },
    ...(isOfShell && { shell: program }),
    prelude: again?.prelude,
    env: { ...start?.env, ...again?.env },
  };
}

/**
 * Returns what the record of a shell hands on to that of the shell in its place.
 *
 * @param caller the makers that a new shell of the caller would have; undefined for a person
 */
export function keptRecord(
  { title, titleFixed, hold, direct, home, restricted, handed, makers }: Shell,
  caller: readonly string[] | undefined,
): Partial<Shell> {
  const by = makersAgain(makers, caller);
  return {
    ...(titleFixed === undefined ? {} : { title, titleFixed }),
    ...defined({ hold, direct, home, restricted, handed, makers: by && [...by] }),
  };
}

/** Returns the makers of a shell that is started again: its former ones, and a caller from whom secrets are hidden. */
function makersAgain(
  makers: readonly string[] | undefined,
  caller: readonly string[] | undefined,
): readonly string[] | undefined {
  if (makers === undefined || makers.some(isHiding)) return makers ?? caller;
  return [...makers, ...(caller ?? []).filter(isHiding).slice(0, 1)];
}

/**
 * Returns the membership for the token of a shell that is started again: that of its owner, but the lowest if another
 * person may have chosen what it runs.
 */
export function membershipAgain(
  client: ClientId,
  membership: PersonMembership,
  { old, start }: { old: Shell; start: ShellStart | undefined },
): PersonMembership {
  if (old.handed === true) return { role: "reader", guest: true };
  // The owner's clients have other ids after a restart.
  const isOwners = start?.byGuest === false && !membership.guest && membership.role === "admin";
  return old.ownerClientId === client || isOwners ? membership : { role: "reader", guest: true };
}

/** Returns what the programs in a shell find the relay and their rights by. */
export function shellEnvironment(
  { session, url, dataFolder }: { session: SessionId; url: string; dataFolder?: string | undefined },
  id: ShellId,
  token: string,
): Record<string, string> {
  return {
    SERVICE_SHELL_ID: String(id),
    SERVICE_SESSION: session,
    SERVICE_URL: url,
    SERVICE_TOKEN: token,
    ...(dataFolder === undefined ? {} : { PATCHBAY_DATA: dataFolder }),
  };
}
