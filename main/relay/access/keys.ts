import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { lesserRole } from "../../../core/protocol/roles.ts";
import type { KeyRow, KeyRows } from "../store/key-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import { credentialEnded, type Ending, LiveKeys } from "./live-keys.ts";

/** The authenticated caller that a credential belongs to. */
export interface Principal {
  readonly user: string;
  readonly scheme: "api" | "bearer";
  readonly scopes: readonly string[];
  /** Id of the key or token; a shell's token has none. */
  readonly key?: string;
  readonly keyName?: string;
  /** Limits of the key; absent if it is unrestricted. */
  readonly restrictions?: KeyRestrictions;
  /** Set for a shell's token, which is valid for this session only. */
  readonly session?: SessionId;
  readonly shell?: ShellId;
  /** Set for a shell's token: the lowest role of the people who opened the shell or took it over. */
  readonly membership?: Membership;
  /** Name of a guest, who is no user of this machine. */
  readonly guest?: string;
}

/** The limits of a key that makes something, which hold for what it makes too. */
export interface MakerLimits {
  /** Id of the key; null for the owner. */
  readonly madeBy: string | null;
  readonly restrictions: KeyRestrictions;
  readonly expiresAt: string | null;
}

/** Name of the key that the command line of this machine finds in the keychain. */
export const COMMAND_LINE_KEY = "command line of this user";

/** Those of the relay's owner, and of the owner of a session. */
export const OWNER_LIMITS: MakerLimits = { madeBy: null, restrictions: {}, expiresAt: null };

/** A person's membership of a session. */
export interface Membership {
  readonly role: Role;
  /** Joined by an invite, and is not the session's owner. */
  readonly guest: boolean;
}

/** The membership of one person, who may be a guest that is removed later. */
export interface PersonMembership extends Membership {
  /** Id of the guest. */
  readonly guestId?: string | undefined;
}

/** A credential that ended, and the number of things that were open and ended with it. */
export interface EndedCredential {
  readonly principal: Principal;
  readonly ending: Ending;
  readonly open: number;
}

/**
 * Creates, verifies and revokes keys and tokens. Only SHA-256 digests are kept, in the store and in memory: the secrets
 * have 256 random bits, so a plain digest cannot be reversed or guessed. Keys that another process of the same user
 * creates are found at their first use; what it revokes or changes ends what is open within a second.
 */
export class Keys implements Disposable {
  readonly #rows: KeyRows;
  readonly #live: LiveKeys<Principal>;
  readonly #shellTokens = new Map<string, Principal>();
  /** Ids of the guests who opened a shell or took it over, by the digest of its token. */
  readonly #guestsOf = new Map<string, readonly string[]>();
  readonly #lifetimes = new WeakMap<Principal, Lifetime>();
  readonly #digests = new WeakMap<Principal, string>();
  readonly #listeners = new Set<(ended: EndedCredential) => void>();

  constructor(rows: KeyRows) {
    this.#rows = rows;
    this.#live = new LiveKeys(rows, {
      add: (key, lifetime) => this.#withLifetime(principalOf(key), key.digest, lifetime),
      ended: (principal, ending, open) => this.#tellEnded(principal, ending, open),
    });
    for (const { digest, user, session, shell, role, guest, guests } of rows.listShellTokens()) {
      this.#guestsOf.set(digest, guests);
      this.#addShellToken(digest, shellPrincipal(user, { session, shell, membership: { role, guest } }));
    }
  }

  /** Subscribes to credentials that end while something is open with them. Returns an unsubscribe function. */
  onEnded(listener: (ended: EndedCredential) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the lifetime of a caller's credential; undefined for a caller of this process, which has none. */
  lifetimeOf(principal: Principal): Lifetime | undefined {
    return this.#lifetimes.get(principal);
  }

  /** Throws `unauthenticated` if the credential of an accepted caller has ended since. */
  checkValid(principal: Principal): void {
    this.#live.check();
    const ended = this.#lifetimes.get(principal)?.ended;
    if (ended !== undefined) throw ended;
  }

  /**
   * Returns the limits of what a caller makes: those of its key. The owner has none, nor has the command line's own key,
   * which stands for its user and is replaced when the keychain has lost it.
   *
   * @param key id of the caller's key; none for the owner
   * @throws RemoteError `unauthenticated` if the key has ended
   */
  limitsFor(key: string | null = null): MakerLimits {
    if (key === null) return OWNER_LIMITS;
    const row = this.#rows.get(key);
    if (row === undefined) throw credentialEnded("revoked");
    const { name, madeBy, restrictions, expiresAt } = row;
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw credentialEnded("expired");
    const standsForUser = name === COMMAND_LINE_KEY && madeBy === null && Object.keys(restrictions).length === 0;
    return standsForUser && expiresAt === null ? OWNER_LIMITS : { madeBy: key, restrictions, expiresAt };
  }

  /**
   * Creates a key and returns its secret, which is not stored. A key that is made with another one has at least its
   * restrictions, expires no later, and is revoked with it.
   *
   * @throws RemoteError `unauthenticated` if the other key has ended
   */
  create(options: {
    owner: string;
    name: string;
    scheme?: "api" | "bearer";
    scopes?: readonly string[];
    restrictions?: KeyRestrictions;
    ttlMs?: number;
    /** Id of the key that it is made with; none where the owner makes it. */
    madeBy?: string | null | undefined;
  }): {
    key: KeyRow;
    secret: string;
  } {
    const scheme = options.scheme ?? "api";
    const limits = this.limitsFor(options.madeBy);
    const secret = newSecret(scheme === "api" ? "pb" : "pbt");
    const key: KeyRow = {
      id: randomBytes(6).toString("hex"),
      owner: options.owner,
      name: options.name,
      scheme,
      scopes: options.scopes ?? [],
      restrictions: { ...options.restrictions, ...limits.restrictions },
      digest: digestOf(secret),
      createdAt: new Date().toISOString(),
      expiresAt: expiryWithin(limits, options.ttlMs),
      lastUsedAt: null,
      madeBy: limits.madeBy,
    };
    this.#rows.add(key);
    return { key, secret };
  }

  list(): KeyRow[] {
    return this.#rows.list();
  }

  /** Revokes a key by id or name, and all keys that were made with it. Throws `unknown_key` when there is none. */
  revoke(idOrName: string): KeyRow {
    const key = this.#rows.list().find((candidate) => candidate.id === idOrName || candidate.name === idOrName);
    if (key === undefined) throw new RemoteError("unknown_key", `No key ${idOrName}: list them with \`keys list\`.`);
    for (const digest of this.#rows.remove(key.id)) this.#live.end(digest, "revoked");
    return key;
  }

  /** Revokes the key or token of a secret, if there is one. */
  revokeSecret(secret: string): void {
    const key = this.#rows.getByDigest(digestOf(secret));
    if (key !== undefined) this.revoke(key.id);
  }

  /** Removes expired tokens, which are created often and live briefly. */
  removeExpiredTokens(): void {
    const now = Date.now();
    for (const { id, scheme, expiresAt } of this.#rows.list()) {
      if (scheme === "bearer" && expiresAt !== null && Date.parse(expiresAt) <= now) this.revoke(id);
    }
  }

  /**
   * Creates the token for the programs in one shell. It is valid for the shell's session, across restarts of the relay,
   * until it is revoked. `membership` is that of the person who opens the shell; by default the lowest.
   */
  createShellToken(
    user: string,
    session: SessionId,
    shell: ShellId,
    { role, guest, guestId }: PersonMembership = { role: "reader", guest: true },
  ): { token: string; revoke: () => void } {
    const token = newSecret("pbs");
    const digest = digestOf(token);
    const guests = guestId === undefined ? [] : [guestId];
    this.#rows.addShellToken({ digest, session, shell, user, role, guest, guests });
    this.#guestsOf.set(digest, guests);
    this.#addShellToken(digest, shellPrincipal(user, { session, shell, membership: { role, guest } }));
    return { token, revoke: () => this.revokeShellTokens(session, shell) };
  }

  /** Limits a shell's token to what its new owner may do, permanently. */
  lowerShellToken(session: SessionId, shell: ShellId, { guestId, ...membership }: PersonMembership): void {
    for (const entry of this.#tokensWhere(isOfShell(session, shell))) {
      this.#lower(entry, membership, guestId);
    }
  }

  /** Limits the tokens of all shells that a guest opened or took over, also of a guest who left long ago. */
  lowerTokensOfGuest(session: SessionId, guestId: string, membership: Membership): void {
    for (const entry of this.#tokensWhere(this.#isOfGuest(session, guestId))) this.#lower(entry, membership);
  }

  /** Revokes those tokens, because the guest was removed: what runs in such a shell may be the guest's. */
  revokeTokensOfGuest(session: SessionId, guestId: string): void {
    this.#revokeShellTokensWhere(this.#isOfGuest(session, guestId), "revoked");
  }

  /** Ends what is open with the token of a shell whose rights have become fewer. The token stays valid. */
  endOpenOfShell(session: SessionId, shell: ShellId): void {
    for (const [digest] of this.#tokensWhere(isOfShell(session, shell))) {
      this.#endOpen(digest);
    }
  }

  /** Revokes the token of a shell. */
  revokeShellTokens(session: SessionId, shell: ShellId): void {
    this.#revokeShellTokensWhere(isOfShell(session, shell), "shell ended");
  }

  /** Revokes the tokens of all shells of a session except these. */
  revokeOtherShellTokens(session: SessionId, shells: ReadonlySet<ShellId>): void {
    this.#revokeShellTokensWhere(
      (token) => token.session === session && token.shell !== undefined && !shells.has(token.shell),
      "shell ended",
    );
  }

  /** Returns the caller that a secret authenticates under a scheme; undefined if the secret is not valid. */
  verify(secret: string, scheme: "api" | "bearer"): Principal | undefined {
    return this.verifyDigest(digestOf(secret), scheme);
  }

  /** As `verify`, for a caller who has proved to know the secret that a digest is of. */
  verifyDigest(digest: string, scheme: "api" | "bearer"): Principal | undefined {
    const principal = this.#shellTokens.get(digest) ?? this.#live.find(digest);
    return principal?.scheme === scheme ? principal : undefined;
  }

  /** Returns the digest of a caller's credential; undefined for a caller of this process, which has none. */
  digestOf(principal: Principal): string | undefined {
    return this.#digests.get(principal);
  }

  /** Returns the digests of all keys and tokens, valid or expired. */
  *digests(): Generator<string> {
    yield* this.#shellTokens.keys();
    for (const { digest } of this.#rows.list()) yield digest;
  }

  /** Returns the caller that a key of a user authenticates, by the key's id or name. Counts as a use of the key. */
  principalNamed(idOrName: string, user: string): Principal | undefined {
    const rows = this.#rows.list().filter(({ owner, scheme }) => owner === user && scheme === "api");
    const row = rows.find(({ id }) => id === idOrName) ?? rows.find(({ name }) => name === idOrName);
    return row === undefined ? undefined : this.#live.find(row.digest);
  }

  /** Returns the caller that a shell's token authenticates. */
  principalOfShell(session: SessionId, shell: ShellId): Principal | undefined {
    return this.#tokensWhere(isOfShell(session, shell))[0]?.[1];
  }

  [Symbol.dispose](): void {
    this.#live[Symbol.dispose]();
    this.#listeners.clear();
  }

  #addShellToken(digest: string, principal: Principal): void {
    this.#shellTokens.set(digest, this.#withLifetime(principal, digest, new Lifetime()));
  }

  #withLifetime(principal: Principal, digest: string, lifetime: Lifetime): Principal {
    this.#digests.set(principal, digest);
    this.#lifetimes.set(principal, lifetime);
    return principal;
  }

  #tokensWhere(matches: (token: Principal, digest: string) => boolean): (readonly [string, Principal])[] {
    return [...this.#shellTokens].filter(([digest, token]) => matches(token, digest));
  }

  #lower([digest, token]: readonly [string, Principal], { role, guest }: Membership, guestId?: string): void {
    if (token.membership === undefined) return;
    const { role: before, guest: wasGuest } = token.membership;
    const known = this.#guestsOf.get(digest) ?? [];
    const guests = guestId === undefined || known.includes(guestId) ? known : [...known, guestId];
    const membership = { role: lesserRole(before, role), guest: wasGuest || guest };
    const isSame = membership.role === before && membership.guest === wasGuest;
    if (isSame && guests === known) return;
    this.#rows.changeShellToken(digest, { ...membership, guests });
    this.#guestsOf.set(digest, guests);
    if (isSame) return;
    this.#addShellToken(digest, { ...token, membership });
    this.#endToken(token, "changed");
  }

  #endOpen(digest: string): void {
    const token = this.#shellTokens.get(digest);
    if (token === undefined) return;
    this.#addShellToken(digest, { ...token });
    this.#endToken(token, "changed");
  }

  #isOfGuest(session: SessionId, guestId: string) {
    return (token: Principal, digest: string) =>
      token.session === session && this.#guestsOf.get(digest)?.includes(guestId) === true;
  }

  #revokeShellTokensWhere(matches: (token: Principal, digest: string) => boolean, ending: Ending): void {
    for (const [digest, token] of this.#tokensWhere(matches)) {
      this.#shellTokens.delete(digest);
      this.#guestsOf.delete(digest);
      this.#rows.removeShellToken(digest);
      this.#endToken(token, ending);
    }
  }

  #endToken(token: Principal, ending: Ending): void {
    this.#tellEnded(token, ending, this.#lifetimes.get(token)?.end(credentialEnded(ending)) ?? 0);
  }

  #tellEnded(principal: Principal, ending: Ending, open: number): void {
    if (open === 0) return;
    for (const listener of [...this.#listeners]) listener({ principal, ending, open });
  }
}

/** Returns when something expires that lasts for a time, and no longer than its maker; null for never. */
export function expiryWithin({ expiresAt }: MakerLimits, ttlMs: number): string;
export function expiryWithin({ expiresAt }: MakerLimits, ttlMs: number | undefined): string | null;
export function expiryWithin({ expiresAt }: MakerLimits, ttlMs: number | undefined): string | null {
  if (ttlMs === undefined) return expiresAt;
  const wanted = new Date(Date.now() + ttlMs).toISOString();
  return expiresAt === null || Date.parse(wanted) < Date.parse(expiresAt) ? wanted : expiresAt;
}

type ShellCredential = Required<Pick<Principal, "session" | "shell" | "membership">>;

function isOfShell(session: SessionId, shell: ShellId): (token: Principal) => boolean {
  return (token) => token.session === session && token.shell === shell;
}

function shellPrincipal(user: string, shell: ShellCredential): Principal {
  return { user, scheme: "api", scopes: [], ...shell };
}

function principalOf({ id, name, owner, scheme, scopes, restrictions }: KeyRow): Principal {
  const unrestricted = Object.keys(restrictions).length === 0;
  return { user: owner, scheme, scopes, key: id, keyName: name, ...(unrestricted ? {} : { restrictions }) };
}
