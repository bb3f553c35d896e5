import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn as spawnPty } from "@lydell/node-pty";
import Database from "libsql";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { Undo } from "../../../../core/undo.ts";
import {
  type AgentChange,
  type Agents,
  type AgentsOptions,
  agentMigrations,
  createAgents,
  type TerminalSignal,
  usageStore,
} from "../../../../main/agents/agents.ts";

export const session = SessionId.parse("agents-test-session");

/** Waits until `probe` answers something; fails with what it was waiting for. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  milliseconds = 20_000,
): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`gave up waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface LabShell {
  readonly shellId: ShellId;
  readonly pty: IPty;
  /** A program in place of a shell. */
  output(): string;
  run(line: string): void;
}

/** A temporary home, real shells in it, and the agents room watching them. Everything is gone with `dispose`. */
export class AgentLab implements Disposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-agents-")));
  readonly changes: AgentChange[] = [];
  readonly logged: string[] = [];
  /** Shells that the agents room does not know: what runs in them runs elsewhere. */
  readonly hidden = new Set<ShellId>();
  readonly undo = new Undo();
  readonly agents: Agents;
  readonly #shells: LabShell[] = [];
  readonly #database: Database.Database;

  constructor() {
    this.undo.add(() => rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    this.undo.add(() => killAllWith(this.home));
    const database = new Database(join(this.home, "usage.db"));
    this.undo.add(() => database.close());
    for (const sql of agentMigrations) database.exec(sql);
    this.#database = database;
    this.agents = this.watch();
  }

  /** Another relay on the same database and shells, as after a restart. */
  watch(more: Pick<AgentsOptions, "overridesFile" | "screen"> = {}): Agents {
    const agents = createAgents({
      ...more,
      shells: () =>
        this.#shells
          .filter(({ shellId }) => !this.hidden.has(shellId))
          .map(({ shellId, pty }) => ({ shellId, sessionId: session, pid: pty.pid })),
      store: usageStore(this.#database),
      log: (message, fields) => this.logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
      onChange: (change) => this.changes.push(change),
    });
    this.undo.add(() => agents[Symbol.dispose]());
    return agents;
  }

  folder(...names: string[]): string {
    const path = join(this.home, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  }

  shell(cwd: string, env: Record<string, string> = {}): LabShell {
    return this.#terminal(["bash", "--norc", "--noprofile"], cwd, env);
  }

  /** A program in place of a shell. */
  program(exec: readonly [string, ...string[]], cwd: string): LabShell {
    return this.#terminal(exec, cwd, {});
  }

  #terminal([file, ...args]: readonly [string, ...string[]], cwd: string, env: Record<string, string>): LabShell {
    const pty = spawnPty(file, args, {
      cwd,
      cols: 120,
      rows: 40,
      env: { HOME: this.home, PATH: process.env.PATH ?? "", TERM: "xterm-256color", ...MARKS, ...env },
    });
    let output = "";
    const shellId = ShellId.parse(this.#shells.length + 1);
    pty.onData((data) => {
      output += data;
      for (const signal of signalsIn(data)) this.agents.signal(session, shellId, signal);
      if (data.includes("\u001b]7501;?")) pty.write("\u001b]7501;?1\u001b\\");
    });
    const shell = {
      shellId,
      pty,
      output: () => output,
      run: (line: string) => pty.write(`${line}\r`),
    };
    this.#shells.push(shell);
    return shell;
  }

  /** Where a stub writes what it has answered. */
  truthOf(name: string): string {
    return join(this.home, `${name}.truth`);
  }

  /** Starts one of the API stubs on a free port; answers its address. */
  async stub(name: string): Promise<string> {
    const script = join(import.meta.dirname, "../../../support/agent-stubs", name);
    const child = spawn(process.execPath, [script, "--port", "0", "--log", this.truthOf(name)]);
    this.undo.add(() => child.kill("SIGKILL"));
    return until(`${name} to listen`, listeningAddress(child));
  }

  [Symbol.dispose](): void {
    this.undo.dispose();
  }
}

function listeningAddress(child: ChildProcess): () => string | undefined {
  let out = "";
  child.stdout?.on("data", (data) => {
    out += String(data);
  });
  return () => /listening (http:\S+)/.exec(out)?.[1];
}

/** What the shell integration makes a shell say at its prompt and before a command. */
const MARKS = { PS1: "\\[\\e]133;A\\a\\]ready> ", PS0: "\\e]133;C\\a" };

/** The little of the shells room's parser that these tests need: titles, program status and the shell's marks. */
function signalsIn(data: string): TerminalSignal[] {
  return data.split("\u001b]").flatMap((piece): TerminalSignal[] => {
    const [, code, text = ""] = /^(0|2|7501|133);([^\p{Cc}]*)/u.exec(piece) ?? [];
    if (code === undefined) return [];
    if (code === "133") return [{ kind: text === "A" ? "prompt" : "command-start" }];
    return [code === "7501" ? { kind: "program-status", payload: text } : { kind: "title", title: text }];
  });
}

/** Everything that was started with this home, daemons included: they leave the shell's group and outlive it. */
function killAllWith(home: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // gone, or not ours
    }
  }
}
