import { type CommandSpec, readsOnly } from "../../../../core/commands/command.ts";
import type { Access } from "../../../../core/operations/operation.ts";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { ClientId } from "../../../../core/protocol/ids.ts";
import type { Role } from "../../../../core/protocol/records.ts";
import { roleForbids } from "../../../../core/protocol/roles.ts";
import type { Principal } from "../keys.ts";
import { matchesPattern, namesOf } from "./method-pattern.ts";
import type { Permit } from "./permit.ts";

/** Refuses a command that the permit excludes for all parameters. Throws `scope_forbids` or `role_forbids`. */
export function checkCall(permit: Permit, method: string, spec: CommandSpec): void {
  const { role, touches, decidesRights } = spec;
  checkPattern(permit, method);
  if (readsOnly(spec)) {
    checkPerson(permit, method, role);
    return;
  }
  if (permit.readOnly) refuse(permit, method, `${permit.caller} is read-only, and ${method} is not a reading command.`);
  if (decidesRights && permit.maker !== undefined) {
    throw new RemoteError(
      "scope_forbids",
      `${method} decides what agents and restricted callers may do, so it is closed to them: call it in a shell of your own without an agent, or with an API key without restrictions.`,
    );
  }
  checkPerson(permit, method, role);
  if (permit.ownership === undefined) return;
  if (touches === undefined || touches === "screen") {
    const what = `${method} changes more: a person's screen, or what a person decides`;
    refuse(permit, method, `${permit.caller} may change only its own shells and tiles, and ${what}.`);
  }
}

/** Refuses a command that the person whose shell calls may not call. Throws `role_forbids`. */
function checkPerson({ person }: Permit, method: string, role: Role): void {
  if (person === undefined || !roleForbids(role, person.role)) return;
  throw new RemoteError(
    "role_forbids",
    `${method} needs the role ${role}, and the person whose shell this is has the role ${person.role}.`,
  );
}

/** Refuses to change another client's screen for a person who is not the session's owner. Throws `scope_forbids`. */
export function checkClient(permit: Permit, method: string, spec: CommandSpec, client: ClientId): void {
  const { person } = permit;
  if (person === undefined || person.client === client || readsOnly(spec)) return;
  const own = person.client === null ? "which is not connected" : `client ${person.client}`;
  throw new RemoteError(
    "scope_forbids",
    `${method} would change client ${client}, and the person whose shell this is may change only their own, ${own}.`,
  );
}

/** Refuses an operation or a stream whose declared access the permit excludes. Throws `scope_forbids`. */
export function checkAccess(
  permit: Permit,
  name: string,
  { access, closedToAgents }: { readonly access: Access; readonly closedToAgents?: true | undefined },
): void {
  if (access === "anyone") return;
  checkPattern(permit, name);
  if (access === "read" || access === "shell") return;
  if (name === "connectClient") checkStream(permit, "what clients of a session are sent");
  if (closedToAgents && permit.byAgent) {
    throw new RemoteError(
      "scope_forbids",
      `${name} is for people, and in this shell an agent acts or may have acted: call it in a shell of your own without an agent, or in the app.`,
    );
  }
  if (permit.person !== undefined) {
    throw new RemoteError("scope_forbids", `${name} is for the owner of the session, and this is a guest's shell.`);
  }
  if (access === "unrestricted" && permit.excludesUnrestricted) {
    refuse(
      permit,
      name,
      `${permit.caller} may not do everything, and ${name} is only for callers without restrictions.`,
    );
  }
  if (permit.readOnly) refuse(permit, name, `${permit.caller} is read-only, and ${name} changes something.`);
  if (permit.ownership !== undefined && access !== "shells") {
    refuse(permit, name, `${permit.caller} may change only its own shells and tiles, and ${name} changes more.`);
  }
}

/** Refuses what a shell prints as it comes, in which secrets cannot be hidden. Throws `scope_forbids`. */
export function checkStream(permit: Permit, what: string): void {
  if (!permit.hidesSecrets) return;
  refuse(
    permit,
    what,
    `${permit.caller} is shown no secrets, and ${what} cannot be redacted as it comes: read parts of it.`,
  );
}

interface ClosedTo {
  readonly closedToShells?: true | undefined;
  readonly closedToAutomation?: true | undefined;
}

/** Refuses what a procedure's declaration closes to a kind of credential, whatever its other rights. Throws `scope_forbids`. */
export function checkCredential(
  { shell, restrictions }: Pick<Principal, "shell" | "restrictions">,
  action: string,
  { closedToShells, closedToAutomation }: ClosedTo,
): void {
  if (closedToShells && shell !== undefined) {
    throw new RemoteError(
      "scope_forbids",
      `${action} is closed to the tokens of shells: call it outside of them, or with an API key in --token or SERVICE_TOKEN.`,
    );
  }
  if (!closedToAutomation || restrictions?.automation !== true) return;
  throw new RemoteError(
    "scope_forbids",
    `${action} decides rights or limits that outlast the call, and a key for automation decides none, as they may be its own: use an API key that is not for automation.`,
  );
}

/** Throws `scope_forbids` with advice for the caller. */
export function refuse(permit: Permit, action: string, sentence: string): never {
  throw new RemoteError("scope_forbids", `${sentence} ${permit.advice(action)}`);
}

function checkPattern(permit: Permit, name: string): void {
  const { caller, methods } = permit;
  if (methods === undefined) return;
  const names = namesOf(name);
  if (methods.some((pattern) => names.some((known) => matchesPattern(known, pattern)))) return;
  const allowed = methods.length === 0 ? "nothing" : `only ${methods.join(", ")}`;
  refuse(permit, name, `${caller} may call ${allowed}; ${name} is not among it.`);
}
