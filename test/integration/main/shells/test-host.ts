import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShellEvent, ShellHost } from "../../../../core/protocol/shell-host.ts";
import { createShellHost } from "../../../../main/shells/shell-host.ts";

export interface TestHost extends AsyncDisposable {
  readonly host: ShellHost;
  readonly home: string;
  readonly events: readonly ShellEvent[];
  /** Starts a shell and gives its id. */
  open(shell: string, command?: string): Promise<number>;
  /** Resolves with the first event, past or coming, that satisfies the condition. */
  event<E extends ShellEvent>(condition: (event: ShellEvent) => event is E): Promise<E>;
}

/** A host with a home of its own; everything is gone at the end of the test. */
export function startTestHost(prepare: (home: string) => void = () => undefined): TestHost {
  const home = mkdtempSync(join(tmpdir(), "patchbay-shells-"));
  prepare(home);
  const environment = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", SERVICE_TOKEN: "of-the-parent" };
  const host = createShellHost({ integrationFolder: join(home, ".patchbay"), environment });
  const events: ShellEvent[] = [];
  host.onEvent((event) => events.push(event));
  let nextId = 1;
  return {
    host,
    home,
    events,
    async open(shell, command) {
      const id = nextId++;
      const first = command === undefined ? {} : { command };
      await host.spawn({ id, cwd: home, cols: 80, rows: 24, env: { SERVICE_SHELL_ID: String(id) }, shell, ...first });
      return id;
    },
    event(condition) {
      const past = events.find(condition);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve) => {
        const stop = host.onEvent((event) => {
          if (!condition(event)) return;
          stop();
          resolve(event);
        });
      });
    },
    async [Symbol.asyncDispose]() {
      await host.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The shells with integration that this machine has; bash always, so that its absence fails. */
export const shellsHere = [
  { name: "bash", path: "/bin/bash" },
  ...["zsh", "fish"].map((name) => ({ name, path: join("/usr/bin", name) })).filter(({ path }) => existsSync(path)),
];
