import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inject } from "vitest";
import type { ShellEvent } from "../../../../../core/protocol/shell-host.ts";
import { type HostFile, readHostFile } from "../../../../../main/shells/host/host-file.ts";
import { HostedShells, type HostPaths } from "../../../../../main/shells/host/hosted-shells.ts";
import { endShellHost } from "../../../../support/end-shell-host.ts";

export interface ShellsLab extends AsyncDisposable {
  readonly folder: string;
  readonly places: HostPaths;
  /** What the relays' side has logged. */
  readonly log: readonly string[];
  /** The host's file; throws when there is none. */
  host(): HostFile;
  /** What the host has printed. */
  errors(): string;
  /** As a relay does when it starts; `node` are options for the host's own Node. */
  open(options?: { readonly node?: readonly string[] }): Promise<HostedShells>;
  /** What relays were told of a host that hangs, undefined for one that does no more. */
  readonly troubles: readonly (string | undefined)[];
}

/** The real host process, bundled as the build does it, in a folder of its own. */
export async function startShellsLab(): Promise<ShellsLab> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-host-"));
  const root = resolve(import.meta.dirname, "../../../../..");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await cp(join(inject("bundles"), "shell-host.mjs"), join(folder, "shell-host.mjs"));
  const places = {
    file: join(folder, "shell-host.json"),
    socket: join(folder, "shells.sock"),
    integration: join(folder, "integration"),
    errors: join(folder, "errors.log"),
  };
  const log: string[] = [];
  const troubles: (string | undefined)[] = [];
  const note = (line: string) => void log.push(line);
  return {
    folder,
    places,
    log,
    host() {
      const host = readHostFile(places.file);
      if (host === undefined) throw new Error("there is no host");
      return host;
    },
    errors: () => readFileSync(places.errors, "utf8"),
    troubles,
    open: ({ node = [] } = {}) =>
      HostedShells.open({
        paths: places,
        onHung: (trouble) => void troubles.push(trouble),
        command: { file: process.execPath, args: [...node, join(folder, "shell-host.mjs")] },
        environment: { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/bash", LANG: "C.UTF-8" },
        log: { warn: note, error: note },
      }),
    async [Symbol.asyncDispose]() {
      await endShellHost(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What shell 1 is when it is started. */
export const wish = { id: 1, cols: 80, rows: 24, env: { SERVICE_SHELL_ID: "1" } };

/** Keeps the events of a session in the order of their coming. */
export function hear(host: { onEvent(receive: (event: ShellEvent) => void): () => void }): ShellEvent[] {
  const events: ShellEvent[] = [];
  host.onEvent((event) => {
    if (event.kind !== "signal") events.push(event);
  });
  return events;
}
