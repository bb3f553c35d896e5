import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { PluginRow, PluginRows } from "../store/plugin-rows.ts";
import { type Fetched, fetchGuarded } from "./fetch-guarded.ts";
import { whyNot } from "./fetch-target.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

const TIMEOUT_MS = 10_000;
const MANIFEST_BYTES = 256 * 1024;
const ENTRY_BYTES = 1024 * 1024;
const PLUGINS_PER_SESSION = 100;

/** An installed plugin, as its session's owner sees it. */
export interface Plugin extends Manifest {
  /** Those of its `permissions` that the user has allowed. */
  readonly allowed: readonly string[];
  readonly manifestUrl: string;
  readonly entryUrl: string;
  /** Of the entry page as it was installed, in hex. */
  readonly entrySha256: string;
  readonly installedAt: string;
  readonly updatedAt: string;
}

/** How plugins reach the network; tests give their own. */
export interface PluginNetwork {
  readonly resolve?: Resolve;
  /** For all of an installation. */
  readonly timeoutMs?: number;
}

/** The plugins of all sessions: installed from an address, listed, removed (decisions.md §9). */
export class Plugins implements Disposable {
  readonly #rows: PluginRows;
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
  async install(session: SessionId, wanted: { id: string; manifestUrl: string }): Promise<Plugin> {
    const url = manifestUrlOf(wanted.manifestUrl);
    const { manifest, entry } = await this.#inTime((signal) => this.#fetch(url, wanted.id, signal));
    const now = new Date().toISOString();
    const known = this.#rows.get(session, manifest.id);
    if (known === undefined && this.#rows.of(session).length >= PLUGINS_PER_SESSION) {
      throw new RemoteError("limit_reached", `A session has at most ${PLUGINS_PER_SESSION} plugins: remove one first.`);
    }
    const kept = known?.manifestUrl === url.href ? known.allowed : [];
    const row: PluginRow = {
      id: manifest.id,
      manifest: JSON.stringify(manifest),
      manifestUrl: url.href,
      entryUrl: entry.url.href,
      entrySha256: createHash("sha256").update(entry.body).digest("hex"),
      allowed: kept.filter((method) => manifest.permissions.includes(method)),
      installedAt: known?.installedAt ?? now,
      updatedAt: now,
    };
    if (this.#rows.put(session, row)) return pluginOf(row);
    throw new RemoteError("unknown_session", `Session ${session} was closed meanwhile.`);
  }

  /** By id. */
  list(session: SessionId): Plugin[] {
    return this.#rows.of(session).map(pluginOf);
  }

  /** Removes a plugin and answers what it was. Throws `unknown_plugin`. */
  remove(session: SessionId, id: string): Plugin {
    const row = this.#rows.get(session, id);
    if (row === undefined) {
      const ids = this.#rows.of(session).map((plugin) => plugin.id);
      const has = ids.length === 0 ? "the session has none" : `the session has ${ids.join(", ")}`;
      throw new RemoteError("unknown_plugin", `No plugin ${JSON.stringify(id.slice(0, 64))}: ${has}.`);
    }
    this.#rows.remove(session, id);
    return pluginOf(row);
  }

  /** Ends the installations under way. */
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
  const why = url === undefined ? "expected a web address" : whyNot(url);
  if (url === undefined || why !== undefined) throw new RemoteError("invalid_params", `body.manifest_url: ${why}.`);
  url.hash = "";
  return url;
}

function pluginOf({ manifest, id: _, ...row }: PluginRow): Plugin {
  return { ...(JSON.parse(manifest) as Manifest), ...row };
}

function resolveBySystem(host: string): ReturnType<Resolve> {
  return lookup(host, { all: true });
}
