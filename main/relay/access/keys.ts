import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { lesserRole } from "../../../core/protocol/roles.ts";
import type { KeyRow, Store } from "../store/store.ts";
import { digestOf, newSecret } from "./digest.ts";

/** Whom a credential speaks for. */
export interface Principal {
  readonly user: string;
  readonly scheme: "api" | "bearer";
  readonly scopes: readonly string[];
  /** Id of the key or token; a shell's token has none. */
  readonly key?: string;
  readonly keyName?: string;
  /** How far the key reaches; absent where nothing is restricted. */
  readonly restrictions?: KeyRestrictions;
  /** A shell's token is good for its session only. */
  readonly session?: SessionId;
  readonly shell?: ShellId;
  /** Whose hands the shell has been in: the least of them. Of a shell's token only. */
  readonly standing?: Standing;
}

/** What somebody is in a session. */
export interface Standing {
  readonly role: Role;
  /** Came in by an invite, and is not the session's owner. */
  readonly guest: boolean;
}

/** How long `last used` may lag behind, so that a busy key does not write to disk at every call. */
const TOUCH_EVERY_MS = 60_000;

/** A key revoked by another process is refused after this at the latest. */
const LOOK_EVERY_MS = 100;

interface Known {
  readonly key: KeyRow;
  readonly principal: Principal;
  touchedAt: number;
}

/**
 * Keys and tokens. Only SHA-256 digests are kept, in the store and in memory: the secrets have 256 random bits, so a
 * plain digest cannot be reversed or guessed. Keys made by another process of the same user are found at their first use.
 */
export class Keys {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();
  readonly #shellTokens = new Map<string, Principal>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #version: number | undefined;

  constructor(store: Store) {
    this.#store = store;
    for (const { digest, user, session, shell, role, guest } of store.shellTokens()) {
      this.#shellTokens.set(digest, shellPrincipal(user, { session, shell, standing: { role, guest } }));
    }
  }

  /** Makes a key and answers its secret, which is shown now and never again. */
  create(wanted: {
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
    const scheme = wanted.scheme ?? "api";
    const secret = newSecret(scheme === "api" ? "pb" : "pbt");
    const key: KeyRow = {
      id: randomBytes(6).toString("hex"),
      owner: wanted.owner,
      name: wanted.name,
      scheme,
      scopes: wanted.scopes ?? [],
      restrictions: wanted.restrictions ?? {},
      digest: digestOf(secret),
      createdAt: new Date().toISOString(),
      expiresAt: wanted.ttlMs === undefined ? null : new Date(Date.now() + wanted.ttlMs).toISOString(),
      lastUsedAt: null,
    };
    this.#store.addKey(key);
    return { key, secret };
  }

  list(): KeyRow[] {
    return this.#store.keys();
  }

  /** Revokes a key by id or name. Throws `unknown_key` when there is none. */
  revoke(idOrName: string): KeyRow {
    const key = this.#store.keys().find((candidate) => candidate.id === idOrName || candidate.name === idOrName);
    if (key === undefined) throw new RemoteError("unknown_key", `No key ${idOrName}: list them with \`keys list\`.`);
    this.#store.removeKey(key.id);
    this.#known.delete(key.digest);
    return key;
  }

  /** Ends the key or token of that secret, for whoever has it. Nothing happens when there is none. */
  revokeSecret(secret: string): void {
    const key = this.#store.keyByDigest(digestOf(secret));
    if (key !== undefined) this.revoke(key.id);
  }

  /** Tokens are made often and live shortly: those that can open nothing any more are dropped from the list. */
  forgetExpiredTokens(): void {
    const now = Date.now();
    for (const { id, scheme, expiresAt } of this.#store.keys()) {
      if (scheme === "bearer" && expiresAt !== null && Date.parse(expiresAt) <= now) this.revoke(id);
    }
  }

  /**
   * A token for the programs in one shell: for its session only, until it is forgotten; it outlives the relay. `standing`
   * is that of the person who opens the shell; where it is not known, the least.
   */
  mintForShell(
    user: string,
    session: SessionId,
    shell: ShellId,
    standing: Standing = { role: "reader", guest: true },
  ): { token: string; forget: () => void } {
    const token = newSecret("pbs");
    const digest = digestOf(token);
    this.#store.addShellToken({ digest, session, shell, user, ...standing });
    this.#shellTokens.set(digest, shellPrincipal(user, { session, shell, standing }));
    return { token, forget: () => this.forgetShell(session, shell) };
  }

  /** The shell is in other hands: its token may do no more than its person, now and later. */
  lowerShell(session: SessionId, shell: ShellId, { role, guest }: Standing): void {
    for (const [digest, token] of this.#shellTokens) {
      if (token.session !== session || token.shell !== shell || token.standing === undefined) continue;
      const standing = { role: lesserRole(token.standing.role, role), guest: token.standing.guest || guest };
      this.#store.changeShellToken(digest, standing);
      this.#shellTokens.set(digest, { ...token, standing });
    }
  }

  /** The token of a shell that has ended opens nothing any more. */
  forgetShell(session: SessionId, shell: ShellId): void {
    this.#forgetShells((token) => token.session === session && token.shell === shell);
  }

  /** Forgets the tokens of all shells of a session but these. */
  keepOnlyShells(session: SessionId, shells: ReadonlySet<ShellId>): void {
    this.#forgetShells((token) => token.session === session && token.shell !== undefined && !shells.has(token.shell));
  }

  /** Whom a secret speaks for under a scheme; undefined when for nobody. */
  verify(secret: string, scheme: "api" | "bearer"): Principal | undefined {
    const digest = digestOf(secret);
    const principal = this.#shellTokens.get(digest) ?? this.#lookUp(digest)?.principal;
    return principal?.scheme === scheme ? principal : undefined;
  }

  #forgetShells(which: (token: Principal) => boolean): void {
    for (const [digest, token] of this.#shellTokens) {
      if (!which(token)) continue;
      this.#shellTokens.delete(digest);
      this.#store.removeShellToken(digest);
    }
  }

  #lookUp(digest: string): Known | undefined {
    const now = Date.now();
    // By a clock that nobody can set: set back, the other would keep revoked keys alive.
    this.#noticeOtherProcesses(performance.now());
    let known = this.#known.get(digest);
    if (known === undefined || now - known.touchedAt > TOUCH_EVERY_MS) {
      const key = this.#store.keyByDigest(digest);
      if (key === undefined) {
        this.#known.delete(digest);
        return undefined;
      }
      known = { key, principal: principalOf(key), touchedAt: now };
      this.#known.set(digest, known);
      this.#store.touchKey(key.id, new Date(now).toISOString());
    }
    return known.key.expiresAt !== null && Date.parse(known.key.expiresAt) <= now ? undefined : known;
  }

  /** `keys revoke` works on the store from its own process: what is remembered here is then out of date. */
  #noticeOtherProcesses(now: number): void {
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    const version = this.#store.changesByOthers();
    if (version === this.#version) return;
    this.#version = version;
    this.#known.clear();
  }
}

type ShellPrincipal = Required<Pick<Principal, "session" | "shell" | "standing">>;

function shellPrincipal(user: string, of: ShellPrincipal): Principal {
  return { user, scheme: "api", scopes: [], ...of };
}

function principalOf({ id, name, owner, scheme, scopes, restrictions }: KeyRow): Principal {
  const whole = Object.keys(restrictions).length === 0;
  return { user: owner, scheme, scopes, key: id, keyName: name, ...(whole ? {} : { restrictions }) };
}
