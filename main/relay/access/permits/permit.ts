import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { ClientId, SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { Role, Shell } from "../../../../core/protocol/records.ts";
import type { Keys, Principal } from "../keys.ts";

/** Limits of a caller, compared with the session's owner. */
export interface Permit {
  /** Name of the caller in refusals. */
  readonly caller: string;
  readonly readOnly: boolean;
  /** Patterns of the methods that the caller may call; undefined for all. */
  readonly methods: readonly string[] | undefined;
  /** Hides secrets in all that the caller reads, and excludes what cannot be redacted. */
  readonly hidesSecrets: boolean;
  /** Set if the caller may change only its own resources. */
  readonly ownership: Ownership | undefined;
  /** The caller's name in `Shell.makers` of the shells that it creates, which are restricted; undefined for a person. */
  readonly maker: string | undefined;
  /** An agent runs in the caller's shell, or may have made what runs there. */
  readonly byAgent: boolean;
  /** Excludes operations with the access `unrestricted`, which could bypass a restriction. */
  readonly excludesUnrestricted: boolean;
  /** Restricts every shell that the caller types into, because the input may be read later. */
  readonly restrictsTypedShells: boolean;
  /** The person whose shell calls, unless that is the session's owner with all rights. */
  readonly person: Person | undefined;
  /** Returns what the caller can do next, for the end of a refusal. Calling it may ask a person. */
  readonly advice: (action: string) => string;
}

/** A person with fewer rights than the session's owner. */
export interface Person {
  readonly role: Role;
  /** The person's own client, the only one whose screen is changed for them; null while they have none. */
  readonly client: ClientId | null;
}

/** Identifies the resources that a caller owns. */
export interface Ownership {
  /** The caller's name in `Shell.makers`. It owns what it created, and what that created in turn. */
  readonly maker: string;
  /** The shell that the caller runs in, which it owns too. */
  readonly shell: ShellId | undefined;
}

/**
 * Returns a caller's current permit; undefined if the caller has all rights of the owner. With `reads`, the call only
 * reads, so the programs in a shell need not be determined.
 */
export type PermitOf = (principal: Principal, options?: { readonly reads?: boolean }) => Promise<Permit | undefined>;

const WIDER_KEY =
  "For more, use an API key without restrictions, with --token or in SERVICE_TOKEN: `patchbay keys create --name NAME` makes one.";

/** End of a maker's name: what programs in its shells read has no secrets either, also once the key is revoked. */
const HIDES_SECRETS = ":hides-secrets";

/** Returns whether secrets are hidden from what a maker makes. */
export function isHiding(maker: string): boolean {
  return maker.endsWith(HIDES_SECRETS);
}

/** Returns whether secrets are hidden from programs in a shell: its maker's limit, until an admin lifts its restriction. */
export function hidesSecretsIn({ makers = [], restricted }: Pick<Shell, "makers" | "restricted">): boolean {
  return restricted !== false && makers.some(isHiding);
}

/** Returns the permit of a key; undefined if it is unrestricted. `ShellRights` decides about shells' tokens. */
export function keyPermit({ key, restrictions = {} }: Principal): Permit | undefined {
  const { readOnly = false, ownShells = false, methods, secrets } = restrictions;
  const hidesSecrets = secrets === "hide";
  if (!readOnly && !ownShells && methods === undefined && !hidesSecrets) return undefined;
  const maker = key === undefined ? undefined : `key:${key}${hidesSecrets ? HIDES_SECRETS : ""}`;
  return {
    caller: "This key",
    readOnly,
    methods,
    hidesSecrets,
    ownership: ownShells && maker !== undefined ? { maker, shell: undefined } : undefined,
    maker,
    byAgent: false,
    excludesUnrestricted: true,
    restrictsTypedShells: false,
    person: undefined,
    advice: () => WIDER_KEY,
  };
}

/** Returns the permit of a restricted shell, which may read, chat, and change itself and what it created. */
export function restrictedShellPermit(
  shell: ShellId,
  {
    advice,
    restrictsTypedShells,
    person,
    hidesSecrets = false,
  }: Pick<Permit, "advice" | "restrictsTypedShells" | "person"> & Partial<Pick<Permit, "hidesSecrets">>,
): Permit {
  const maker = shellMaker(shell);
  return {
    caller: `Shell ${shell} is restricted: it`,
    readOnly: false,
    methods: undefined,
    hidesSecrets,
    ownership: { maker, shell },
    maker,
    byAgent: true,
    excludesUnrestricted: true,
    restrictsTypedShells,
    person,
    advice,
  };
}

/** Returns the permit of any shell's token for a command that only reads. */
export function readingPermit(shell: ShellId, hidesSecrets = false): Permit {
  const none = { advice: () => "", restrictsTypedShells: false, person: undefined };
  return restrictedShellPermit(shell, { ...none, hidesSecrets });
}

/**
 * Throws `not_owner` unless the caller owns the session and, for a shell's token, it is the token's session
 * (docs/specification.md §5).
 */
export function checkOwner(principal: Principal, session: { readonly id: SessionId; readonly owner: string }): void {
  if (principal.session !== undefined && principal.session !== session.id) {
    throw new RemoteError("not_owner", "A shell's token is good for its own session only.");
  }
  if (principal.user !== session.owner) {
    throw new RemoteError("not_owner", "Only the session's owner may do this.");
  }
}

/** Returns false for the shell of a person with fewer rights than the owner: one who has opened it or types into it. */
export function speaksForOwner({ membership }: Principal): boolean {
  return membership === undefined || (!membership.guest && membership.role === "admin");
}

/** Returns the name of a shell as a maker of shells and tiles. */
export function shellMaker(shell: ShellId): string {
  return `shell:${shell}`;
}

/** Whether the credential that `accountOf` names is still valid: a shell's token as long as its shell runs. */
export function isAccountValid(
  account: string,
  { keys, owner, isRunning }: { keys: Pick<Keys, "list">; owner: string; isRunning: (shell: number) => boolean },
): boolean {
  const [kind, name = "", shell] = account.split(" ");
  if (kind === "shell") return isRunning(Number(shell));
  const key = keys.list().find(({ id }) => id === name);
  return key === undefined ? name === owner : key.expiresAt === null || Date.parse(key.expiresAt) > Date.now();
}

/** Returns the name under which what a caller uses is counted. */
export function accountOf({ user, key, session, shell }: Principal): string {
  return shell === undefined ? `key ${key ?? user}` : `shell ${session} ${shell}`;
}
