import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../core/protocol/agent-records.ts";
import type { ConversationPage } from "../../core/protocol/conversations.ts";
import type { RestorableShell } from "../../core/protocol/restore.ts";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { runningProcesses } from "./processes.ts";
import { type ServeProcess, startServeLab } from "./start-serve.ts";
import { until } from "./until.ts";

/** A start of the stand-in of Claude Code, see stand-in-claude.mjs. */
export interface Started {
  readonly pid: number;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly session: string;
  readonly given?: string;
}

/** A relay as a process, and a stand-in of Claude Code in the PATH of its shells. */
export async function startRestoreLab() {
  const lab = await startServeLab();
  const home = dirname(lab.data);
  const program = join(home, "lib", "@anthropic-ai", "claude-code", "cli.js");
  mkdirSync(dirname(program), { recursive: true });
  mkdirSync(join(home, "bin"));
  cpSync(join(import.meta.dirname, "stand-in-claude.mjs"), program.replace(/js$/, "mjs"));
  chmodSync(program.replace(/js$/, "mjs"), 0o755);
  symlinkSync(program.replace(/js$/, "mjs"), join(home, "bin", "claude"));
  let serve: ServeProcess | undefined;
  let key: string | undefined;
  const now = () => {
    if (serve === undefined || key === undefined) throw new Error("the relay was not started");
    return { serve, key };
  };
  const request = async <T>(path: string, body: object): Promise<T> => {
    const { serve, key } = now();
    const response = await fetch(`${serve.url}/v1/sessions/${serve.session}/${path}`, {
      method: "POST",
      headers: { "X-Service-Token": key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  };
  const fetched = async <T>(path: string): Promise<T> => {
    const { serve, key } = now();
    const response = await fetch(`${serve.url}/v1/${path}`, { headers: { "X-Service-Token": key } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { result: T }).result;
  };
  const command = <T>(method: string, params: object = {}) => request<T>("remote/command", { method, params });
  const starts = (): Started[] => {
    const file = join(home, "starts.jsonl");
    if (!existsSync(file)) return [];
    // The last line may still be being written.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Started);
  };
  return {
    ...lab,
    home,
    get serve() {
      return now().serve;
    },
    async start(more: NodeJS.ProcessEnv = {}) {
      serve = await lab.serve(["--client"], { PATH: `${join(home, "bin")}:${process.env.PATH}`, ...more });
      key ??= await lab.makeKey();
    },
    folder(...names: string[]): string {
      const path = join(home, ...names);
      mkdirSync(path, { recursive: true });
      return path;
    },
    command,
    restore: (wish: object = {}) => request<RestorableShell[]>("restore", wish),
    starts,
    conversation: (id: string) => fetched<ConversationPage>(`conversations/${id}?secrets=keep`),
    /** Reads what is below the session. */
    get: <T>(path: string) => fetched<T>(`sessions/${now().serve.session}/${path}`),
    post: request,
    /** Records what shells print, without a keychain. */
    async startHistory() {
      const { serve, key } = now();
      const headers = { "X-Service-Token": key, "Content-Type": "application/json" };
      const body = JSON.stringify({ unencrypted: true });
      const response = await fetch(`${serve.url}/v1/history/start`, { method: "POST", headers, body });
      if (!response.ok) throw new Error(await response.text());
    },
    agents: () => command<Agent[]>("getAgents"),
    /** Starts the stand-in in a shell; resolves to its session once the relay knows it. */
    async claude(shell: number, words = ""): Promise<string> {
      const before = starts().length;
      await command("sendKeys", { id: shell, keys: [`claude ${words}`, "Enter"] });
      return until(`claude in shell ${shell}`, async () => {
        const known = (await command<Agent[]>("getAgents")).find(({ shellId }) => shellId === shell)?.sessionId;
        // Another one may be started at the same time.
        return starts()
          .slice(before)
          .some(({ session }) => session === known)
          ? known
          : undefined;
      });
    },
    async say(shell: number, line: string) {
      await command("sendKeys", { id: shell, keys: [line, "Enter"] });
    },
    /** Ends relay, shell host, shells and agents at once, as a power cut does. */
    async killAll() {
      const { child } = now().serve;
      const host = readHostFile(join(lab.data, "shell-host.json"))?.pid;
      const all = await runningProcesses();
      const doomed = new Set([child.pid, host]);
      for (let size = 0; size !== doomed.size; ) {
        size = doomed.size;
        for (const { pid, parent } of all) if (doomed.has(parent)) doomed.add(pid);
      }
      for (const pid of doomed) if (pid !== undefined) kill(pid);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const left = async () => (await runningProcesses()).filter(({ pid }) => doomed.has(pid)).length === 0;
      await until("the end of all processes", left);
    },
    /** The transcript's last prompt, as the agent itself has stored it. */
    lastPrompt(session: string, cwd: string, config = join(home, ".claude")): string | undefined {
      const file = join(config, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), `${session}.jsonl`);
      if (!existsSync(file)) return undefined;
      // What follows the last line break is being written.
      const records = readFileSync(file, "utf8").split("\n").slice(0, -1);
      return records
        .map((line) => JSON.parse(line) as { type: string; message: { content: string } })
        .findLast(({ type }) => type === "user")?.message.content;
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
