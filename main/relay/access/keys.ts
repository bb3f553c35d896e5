import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { lesserRole } from "../../../core/protocol/roles.ts";
import type { KeyRow, KeyRows } from "../store/key-rows.ts";
import { digestOf, newSecret } from "./digest.ts";

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
}

/** A person's membership of a session. */
export interface Membership {
  readonly role: Role;
  /** Joined by an invite, and is not the session's owner. */
  readonly guest: boolean;
}

/** Accuracy of `last used`, so that a busy key does not write to disk at every call. */
const LAST_USED_ACCURACY_MS = 60_000;

/** A key that another process revoked is refused after this time at the latest. */
const CHECK_EVERY_MS = 100;

interface CachedKey {
  readonly key: KeyRow;
  readonly principal: Principal;
  lastUsedMs: number;
}

/**
 * Creates, verifies and revokes keys and tokens. Only SHA-256 digests are kept, in the store and in memory: the secrets
 * have 256 random bits, so a plain digest cannot be reversed or guessed. Keys that another process of the same user
 * creates are found at their first use.
 */
export class Keys {
  readonly #rows: KeyRows;
  readonly #cache = new Map<string, CachedKey>();
  readonly #shellTokens = new Map<string, Principal>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #dataVersion: number | undefined;

  constructor(rows: KeyRows) {
    this.#rows = rows;
    for (const { digest, user, session, shell, role, guest } of rows.listShellTokens()) {
      this.#shellTokens.set(digest, shellPrincipal(user, { session, shell, membership: { role, guest } }));
    }
  }

  /** Creates a key and returns its secret, which is not stored. */
  create(options: {
    owner: string;
    name: string;
    scheme?: "api" | "bearer";
    scopes?: readonly string[];
    restrictions?: KeyRestrictions;
    ttlMs?: number;
  }): {
    key: KeyRow;
    secret: string;
  } {
    const scheme = options.scheme ?? "api";
    const secret = newSecret(scheme === "api" ? "pb" : "pbt");
    const key: KeyRow = {
      id: randomBytes(6).toString("hex"),
      owner: options.owner,
      name: options.name,
      scheme,
      scopes: options.scopes ?? [],
      restrictions: options.restrictions ?? {},
      digest: digestOf(secret),
      createdAt: new Date().toISOString(),
      expiresAt: options.ttlMs === undefined ? null : new Date(Date.now() + options.ttlMs).toISOString(),
      lastUsedAt: null,
    };
    this.#rows.add(key);
    return { key, secret };
  }

  list(): KeyRow[] {
    return this.#rows.list();
  }

  /** Revokes a key by id or name. Throws `unknown_key` when there is none. */
  revoke(idOrName: string): KeyRow {
    const key = this.#rows.list().find((candidate) => candidate.id === idOrName || candidate.name === idOrName);
    if (key === undefined) throw new RemoteError("unknown_key", `No key ${idOrName}: list them with \`keys list\`.`);
    this.#rows.remove(key.id);
    this.#cache.delete(key.digest);
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
    membership: Membership = { role: "reader", guest: true },
  ): { token: string; revoke: () => void } {
    const token = newSecret("pbs");
    const digest = digestOf(token);
    this.#rows.addShellToken({ digest, session, shell, user, ...membership });
    this.#shellTokens.set(digest, shellPrincipal(user, { session, shell, membership }));
    return { token, revoke: () => this.revokeShellTokens(session, shell) };
  }

  /** Limits a shell's token to what its new owner may do, permanently. */
  lowerShellToken(session: SessionId, shell: ShellId, { role, guest }: Membership): void {
    for (const [digest, token] of this.#shellTokens) {
      if (token.session !== session || token.shell !== shell || token.membership === undefined) continue;
      const membership = { role: lesserRole(token.membership.role, role), guest: token.membership.guest || guest };
      this.#rows.changeShellToken(digest, membership);
      this.#shellTokens.set(digest, { ...token, membership });
    }
  }

  /** Revokes the token of a shell. */
  revokeShellTokens(session: SessionId, shell: ShellId): void {
    this.#revokeShellTokensWhere((token) => token.session === session && token.shell === shell);
  }

  /** Revokes the tokens of all shells of a session except these. */
  revokeOtherShellTokens(session: SessionId, shells: ReadonlySet<ShellId>): void {
    this.#revokeShellTokensWhere(
      (token) => token.session === session && token.shell !== undefined && !shells.has(token.shell),
    );
  }

  /** Returns the caller that a secret authenticates under a scheme; undefined if the secret is not valid. */
  verify(secret: string, scheme: "api" | "bearer"): Principal | undefined {
    const digest = digestOf(secret);
    const principal = this.#shellTokens.get(digest) ?? this.#find(digest)?.principal;
    return principal?.scheme === scheme ? principal : undefined;
  }

  #revokeShellTokensWhere(matches: (token: Principal) => boolean): void {
    for (const [digest, token] of this.#shellTokens) {
      if (!matches(token)) continue;
      this.#shellTokens.delete(digest);
      this.#rows.removeShellToken(digest);
    }
  }

  #find(digest: string): CachedKey | undefined {
    const now = Date.now();
    // Uses the monotonic clock: a wall clock that is set back would keep revoked keys valid.
    this.#clearCacheIfChanged(performance.now());
    let known = this.#cache.get(digest);
    if (known === undefined || now - known.lastUsedMs > LAST_USED_ACCURACY_MS) {
      const key = this.#rows.getByDigest(digest);
      if (key === undefined) {
        this.#cache.delete(digest);
        return undefined;
      }
      known = { key, principal: principalOf(key), lastUsedMs: now };
      this.#cache.set(digest, known);
      this.#rows.setLastUsed(key.id, new Date(now).toISOString());
    }
    return known.key.expiresAt !== null && Date.parse(known.key.expiresAt) <= now ? undefined : known;
  }

  /** Clears the cache when another process has written to the store, as `keys revoke` does. */
  #clearCacheIfChanged(now: number): void {
    if (now - this.#checkedAt < CHECK_EVERY_MS) return;
    this.#checkedAt = now;
    const version = this.#rows.dataVersion();
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#cache.clear();
  }
}

type ShellCredential = Required<Pick<Principal, "session" | "shell" | "membership">>;

function shellPrincipal(user: string, shell: ShellCredential): Principal {
  return { user, scheme: "api", scopes: [], ...shell };
}

function principalOf({ id, name, owner, scheme, scopes, restrictions }: KeyRow): Principal {
  const unrestricted = Object.keys(restrictions).length === 0;
  return { user: owner, scheme, scopes, key: id, keyName: name, ...(unrestricted ? {} : { restrictions }) };
}
