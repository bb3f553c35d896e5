import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { startServeLab } from "./start-serve.ts";

const LOUD_PROGRAM = fileURLToPath(new URL("./loud-program.mjs", import.meta.url));

/** How calls fared. */
export interface Fared {
  /** Milliseconds of each call, shortest first. */
  readonly times: readonly number[];
  /** What those that failed were answered. */
  readonly failed: readonly string[];
}

export interface LoudLab extends AsyncDisposable {
  /** Starts a shell that is loud in a way of `loud-program.mjs`; ends it when disposed. */
  beLoud(way: string): Promise<AsyncDisposable>;
  /** Runs `true` in a quiet shell again and again, at least so often and for so long. */
  runInQuiet(wanted: { readonly runs: number; readonly forMs: number }): Promise<Fared>;
  /** Resident memory of the relay and of the shell host together, in MB. */
  memory(): number;
  /** What the shell host has printed. */
  hostLog(): string;
}

/** `patchbay serve` as a process of its own, with a quiet shell at its prompt. */
export async function startLoudLab(): Promise<LoudLab> {
  const lab = await startServeLab();
  const relay = await lab.serve(["--client"]);
  const key = await lab.makeKey();
  const folder = dirname(lab.data);
  // The relay takes it for Claude Code by its path.
  const program = join(folder, "agent", "node_modules", "@anthropic-ai", "claude-code", "cli.mjs");
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(LOUD_PROGRAM, program);

  async function ask(method: string, params: object): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${relay.url}/v1/sessions/${relay.session}/remote/command`, {
      method: "POST",
      headers: { "X-Service-Token": key, "Content-Type": "application/json" },
      body: JSON.stringify({ method, params, target_client_id: 1 }),
    });
    return { status: answer.status, text: await answer.text() };
  }
  async function command<T>(method: string, params: object): Promise<T> {
    const { status, text } = await ask(method, params);
    if (status !== 200) throw new Error(`${method}: ${status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  }
  const quiet = await command<{ key: number }>("createShell", {});
  const run = () => ask("runCommand", { tile: quiet.key, command: "true", wait: true, timeout: 30 });
  await run();
  return {
    async beLoud(way) {
      const cwd = mkdtempSync(join(folder, "loud-"));
      const exec = [process.execPath, program, way];
      const { shellId } = await command<{ shellId: number }>("createShell", { tile: false, cwd, exec });
      return { [Symbol.asyncDispose]: () => command<void>("closeShell", { id: shellId }) };
    },
    async runInQuiet({ runs, forMs }) {
      const times: number[] = [];
      const failed: string[] = [];
      const end = performance.now() + forMs;
      for (let before = 0; before < end || times.length + failed.length < runs; ) {
        before = performance.now();
        const { status, text } = await run();
        if (status === 200) times.push(performance.now() - before);
        else failed.push(`${status} ${text}`);
      }
      return { times: times.sort((one, other) => one - other), failed };
    },
    memory() {
      const host = readHostFile(join(lab.data, "shell-host.json"));
      return residentMb(relay.child.pid) + residentMb(host?.pid);
    },
    hostLog() {
      const file = join(lab.data, "logs", "shell-host.log");
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

/** Starts a process that keeps a processor busy and asks nothing. */
export function startBusyProcess(): AsyncDisposable {
  const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function residentMb(pid: number | undefined): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
