import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { ClientId, SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { Role } from "../../../../core/protocol/records.ts";
import type { Principal } from "../keys.ts";

/** What a caller may do less than the session's owner. */
export interface Permit {
  /** How refusals call the caller. */
  readonly caller: string;
  readonly readOnly: boolean;
  /** Patterns of the methods that it may call; undefined for all. */
  readonly methods: readonly string[] | undefined;
  /** It may change only what is its own; undefined for everything. */
  readonly ownership: Ownership | undefined;
  /** As `Shell.makers` names it, on the shells that it makes, which are restricted; undefined where a person makes them. */
  readonly maker: string | undefined;
  /** It may not do what would open a way around a restriction. */
  readonly excludesUnrestricted: boolean;
  /** The shells that it types into are restricted from then on: what it typed may be read after it has ended. */
  readonly restrictsTypedShells: boolean;
  /** What the person may whose shell calls, where that is not the session's owner with all rights. */
  readonly person: Person | undefined;
  /** How the caller gets further, told at the end of a refusal. Calling it may ask a person. */
  readonly advice: (action: string) => string;
}

/** A person who may do less than the session's owner. */
export interface Person {
  readonly role: Role;
  /** The person's own client, the only one whose screen is changed for them; null while they have none. */
  readonly client: ClientId | null;
}

/** Whose own things are meant. */
export interface Ownership {
  /** As `Shell.makers` names it: what it made is its own, and what that made in turn. */
  readonly maker: string;
  /** The shell that is its own from the beginning. */
  readonly shell: ShellId | undefined;
}

/**
 * Tells what a caller may do less than the owner, at this moment; undefined for nothing less. `reads`: for a call that
 * only reads, for which it need not be known what runs in a shell.
 */
export type PermitOf = (principal: Principal, options?: { readonly reads?: boolean }) => Promise<Permit | undefined>;

const WIDER_KEY =
  "For more, use an API key without restrictions, with --token or in SERVICE_TOKEN: `patchbay keys create --name NAME` makes one.";

/** The permit of a key; undefined where nothing is restricted. What a shell's token may is told by `ShellRights`. */
export function keyPermit({ key, restrictions = {} }: Principal): Permit | undefined {
  const { readOnly = false, ownShells = false, methods } = restrictions;
  if (!readOnly && !ownShells && methods === undefined) return undefined;
  const maker = key === undefined ? undefined : `key:${key}`;
  return {
    caller: "This key",
    readOnly,
    methods,
    ownership: ownShells && maker !== undefined ? { maker, shell: undefined } : undefined,
    maker,
    excludesUnrestricted: true,
    restrictsTypedShells: false,
    person: undefined,
    advice: () => WIDER_KEY,
  };
}

/** The permit of a restricted shell: reading, speaking, and changing itself and what it has made. */
export function restrictedShellPermit(
  shell: ShellId,
  { advice, restrictsTypedShells, person }: Pick<Permit, "advice" | "restrictsTypedShells" | "person">,
): Permit {
  const maker = shellMaker(shell);
  return {
    caller: `Shell ${shell} is restricted: it`,
    readOnly: false,
    methods: undefined,
    ownership: { maker, shell },
    maker,
    excludesUnrestricted: true,
    restrictsTypedShells,
    person,
    advice,
  };
}

/** The permit of any shell's token for a command that only reads. */
export function readingPermit(shell: ShellId): Permit {
  return restrictedShellPermit(shell, { advice: () => "", restrictsTypedShells: false, person: undefined });
}

/**
 * Lets only the session's owner act on it, and a shell's token only on its own session (docs/specification.md §5).
 * Throws `not_owner`.
 */
export function checkOwner(principal: Principal, session: { readonly id: SessionId; readonly owner: string }): void {
  if (principal.session !== undefined && principal.session !== session.id) {
    throw new RemoteError("not_owner", "A shell's token is good for its own session only.");
  }
  if (principal.user !== session.owner) {
    throw new RemoteError("not_owner", "Only the session's owner may do this.");
  }
}

/** How a shell is named among the makers of the shells and tiles that its programs make. */
export function shellMaker(shell: ShellId): string {
  return `shell:${shell}`;
}
