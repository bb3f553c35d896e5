import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import type { Manifest } from "../../../core/operations/manifest.ts";
import type { InstalledPlugin } from "../../../core/operations/plugins.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { limits } from "../../../core/protocol/limits.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import type { PluginRow, PluginRows } from "../store/plugin-rows.ts";
import { type Fetched, fetchGuarded } from "./fetch-guarded.ts";
import { addressError } from "./fetch-target.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { parseManifest } from "./parse-manifest.ts";
import { pluginRecord } from "./plugin-record.ts";

const TIMEOUT_MS = 10_000;
const MANIFEST_BYTES = 256 * 1024;
const ENTRY_BYTES = 1024 * 1024;
const PLUGINS_PER_SESSION = 100;

/** How plugins are fetched; tests replace it. */
export interface PluginNetwork {
  readonly resolve?: Resolve;
  /** Time limit of a whole installation. */
  readonly timeoutMs?: number;
}

/** Installs, lists, allows and removes the plugins of all sessions (docs/decisions/0010). */
export class Plugins implements Disposable {
  readonly #rows: PluginRows;
  readonly #listeners = new Set<(session: SessionId) => void>();
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #stopping = new AbortController();

  constructor(rows: PluginRows, { resolve = resolveBySystem, timeoutMs = TIMEOUT_MS }: PluginNetwork = {}) {
    this.#rows = rows;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Installs the plugin of a manifest, or updates it. What the user allowed stays allowed as long as the plugin comes
   * from the same address and still asks for it. Rejects with `invalid_params` (the message names the field),
   * `fetch_failed`, `plugin_id_mismatch`, `limit_reached` or `unknown_session`.
   */
  async install(session: SessionId, wanted: { id: string; manifestUrl: string }): Promise<InstalledPlugin> {
    const url = manifestUrlOf(wanted.manifestUrl);
    const { manifest, entry } = await this.#inTime((signal) => this.#fetch(url, wanted.id, signal));
    const now = new Date().toISOString();
    const known = this.#rows.get(session, manifest.id);
    if (known === undefined && this.#rows.list(session).length >= PLUGINS_PER_SESSION) {
      throw new RemoteError("limit_reached", `A session has at most ${PLUGINS_PER_SESSION} plugins: remove one first.`);
    }
    // A manifest from another address is another plugin, even with the same id.
    const same = known?.manifestUrl === url.href ? known : undefined;
    if (same === undefined) this.#rows.removeValues({ session, plugin: manifest.id });
    const row: PluginRow = {
      id: manifest.id,
      manifest: JSON.stringify(manifest),
      manifestUrl: url.href,
      entryUrl: entry.url.href,
      entrySha256: createHash("sha256").update(entry.body).digest("hex"),
      allowed: (same?.allowed ?? []).filter((method) => manifest.permissions.includes(method)),
      answered: same?.answered ?? null,
      installedAt: known?.installedAt ?? now,
      updatedAt: now,
    };
    if (!this.#rows.put(session, row, entry.body)) {
      throw new RemoteError("unknown_session", `Session ${session} was closed meanwhile.`);
    }
    this.#changed(session);
    return pluginOf(row);
  }

  /** Returns the plugins of a session as its clients see them, by id. */
  records(session: SessionId): PluginRecord[] {
    return this.#rows.list(session).map((row) => this.#record(session, row));
  }

  /** Subscribes to sessions whose plugins change. Returns an unsubscribe function. */
  onChange(listener: (session: SessionId) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records the user's answer: the plugin may call exactly these methods. Throws `unknown_plugin`,
   * or `invalid_params` for a method that it does not ask for, and where it hears other events than were shown.
   */
  allow(
    session: SessionId,
    id: string,
    {
      methods,
      events: shown,
    }: { readonly methods: readonly string[]; readonly events?: readonly string[] | undefined },
  ): PluginRecord {
    const row = this.#get(session, id);
    const { permissions, events } = pluginOf(row);
    const beyond = methods.find((method) => !permissions.includes(method));
    if (beyond !== undefined) {
      const asked = permissions.length === 0 ? "nothing" : permissions.join(", ");
      throw new RemoteError(
        "invalid_params",
        `params.methods: ${id} does not ask for ${beyond}; it asks for ${asked}.`,
      );
    }
    if (shown !== undefined && !isSameSet(shown, events)) {
      const heard = events.length === 0 ? "none" : events.join(", ");
      throw new RemoteError("invalid_params", `params.events: ${id} was updated, and now hears ${heard}: look again.`);
    }
    const answer = { allowed: [...new Set(methods)], answered: { permissions, events } };
    this.#rows.setAnswer(session, id, answer);
    this.#changed(session);
    return this.#record(session, { ...row, ...answer });
  }

  /** Returns the entry page with this digest. Throws `unknown_plugin`, also for another digest. */
  page(session: SessionId, id: string, sha256: string): Buffer {
    const row = this.#get(session, id);
    const entry = row.entrySha256 === sha256 ? this.#rows.getEntry(session, id) : undefined;
    if (entry !== undefined) return entry;
    throw new RemoteError(
      "unknown_plugin",
      `The plugin ${id} has no such page: it was updated, or must be installed again.`,
    );
  }

  /** Returns a value that the plugin has stored; null if there is none. Throws `unknown_plugin`. */
  value(session: SessionId, id: string, key: string): unknown {
    this.#get(session, id);
    const stored = this.#rows.getValue({ session, plugin: id }, key);
    return stored === undefined ? null : JSON.parse(stored);
  }

  /** Stores a value for the plugin; null removes it. Throws `unknown_plugin` or `limit_reached`. */
  setValue(session: SessionId, id: string, { key, value }: { key: string; value: unknown }): void {
    this.#get(session, id);
    const owner = { session, plugin: id };
    if (value === null) {
      this.#rows.removeValue(owner, key);
      return;
    }
    const text = JSON.stringify(value);
    if (text.length > limits.pluginValueLength) {
      throw new RemoteError(
        "limit_reached",
        `A value of a plugin holds at most ${limits.pluginValueLength} characters.`,
      );
    }
    if (this.#rows.countOtherValues(owner, key) >= limits.pluginValues) {
      throw new RemoteError("limit_reached", `A plugin keeps at most ${limits.pluginValues} values.`);
    }
    this.#rows.putValue(owner, key, text);
  }

  /** Returns the plugins of a session by id. */
  list(session: SessionId): InstalledPlugin[] {
    return this.#rows.list(session).map(pluginOf);
  }

  /** Removes a plugin and returns it. Throws `unknown_plugin`. */
  remove(session: SessionId, id: string): InstalledPlugin {
    const row = this.#get(session, id);
    this.#rows.remove(session, id);
    this.#rows.removeValues({ session, plugin: id });
    this.#changed(session);
    return pluginOf(row);
  }

  #get(session: SessionId, id: string): PluginRow {
    const row = this.#rows.get(session, id);
    if (row === undefined) {
      const ids = this.#rows.list(session).map((plugin) => plugin.id);
      const has = ids.length === 0 ? "the session has none" : `the session has ${ids.join(", ")}`;
      throw new RemoteError("unknown_plugin", `No plugin ${JSON.stringify(id.slice(0, 64))}: ${has}.`);
    }
    return row;
  }

  #record(session: SessionId, row: PluginRow): PluginRecord {
    return pluginRecord({
      session,
      row,
      plugin: pluginOf(row),
      hasPage: this.#rows.getEntry(session, row.id) !== undefined,
    });
  }

  #changed(session: SessionId): void {
    for (const listener of [...this.#listeners]) listener(session);
  }

  /** Cancels the installations in progress. */
  [Symbol.dispose](): void {
    this.#stopping.abort(
      new RemoteError("fetch_failed", "The relay is being stopped: install the plugin again later."),
    );
  }

  async #fetch(url: URL, id: string, signal: AbortSignal): Promise<{ manifest: Manifest; entry: Fetched }> {
    const common = { resolve: this.#resolve, signal };
    const answer = await fetchGuarded(url, {
      ...common,
      what: "manifest",
      accept: "application/json",
      limitBytes: MANIFEST_BYTES,
    });
    const manifest = parseManifest(answer.body);
    if (manifest.id !== id) {
      const message = `The manifest is of the plugin ${manifest.id}, not of ${id}: ask for the one or the other.`;
      throw new RemoteError("plugin_id_mismatch", message);
    }
    const entry = await fetchGuarded(new URL(manifest.entry, answer.url), {
      ...common,
      what: "entry page",
      accept: "text/html",
      limitBytes: ENTRY_BYTES,
      within: new URL(".", answer.url),
    });
    return { manifest, entry };
  }

  async #inTime<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const seconds = this.#timeoutMs / 1000;
    const timer = setTimeout(() => {
      late.abort(new RemoteError("fetch_failed", `The plugin could not be fetched within ${seconds} s.`));
    }, this.#timeoutMs);
    try {
      return await act(AbortSignal.any([late.signal, this.#stopping.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}

function manifestUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const why = url === undefined ? "expected a web address" : addressError(url);
  if (url === undefined || why !== undefined) throw new RemoteError("invalid_params", `body.manifest_url: ${why}.`);
  url.hash = "";
  return url;
}

function pluginOf({ manifest, id: _, answered: _answered, allowed, ...row }: PluginRow): InstalledPlugin {
  return { ...(JSON.parse(manifest) as Manifest), ...row, allowed: [...allowed] };
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

function resolveBySystem(host: string): ReturnType<Resolve> {
  return lookup(host, { all: true });
}
