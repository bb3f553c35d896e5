import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ShellId } from "../../core/protocol/ids.ts";
import { Receipt } from "../../core/protocol/receipts.ts";
import { Undo } from "../../core/undo.ts";
import type { ScriptedClient } from "./scripted-client.ts";
import type { Answer, TestRelay } from "./test-relay.ts";
import { until } from "./until.ts";
import { startWatchingRelay } from "./watching-relay.ts";

export type PromptAgent = "claude" | "codex" | "gemini";

export interface AgentRelay extends AsyncDisposable {
  readonly relay: TestRelay;
  /** Home folder of the shells, where the agents keep their transcripts. */
  readonly home: string;
  /** The only client of the session. */
  readonly client: ScriptedClient;
  /** Opens a shell. */
  shell(): Promise<ShellId>;
  /** Starts a stand-in (prompt-agent.mjs) in a shell; resolves when the relay knows it. */
  start(kind: PromptAgent, shell: ShellId): Promise<void>;
  /** Calls an operation of the session over HTTP. */
  call(method: string, path: string, body?: object, token?: string): Promise<Answer>;
  send(shell: ShellId, text: string, more?: object): Promise<Receipt>;
  receipt(id: number): Promise<Receipt>;
  /** Resolves to a receipt that fits. */
  receiptOf(id: number, fits: (receipt: Receipt) => boolean): Promise<Receipt>;
  /** Stops the relay, and starts it again on the same data. */
  restart(): Promise<void>;
}

const Listed = z.object({ result: z.array(Receipt) });
const One = z.object({ result: Receipt });

/**
 * A relay with real shells and the real agents room, and a home folder for stand-ins of agents. `env`: more of the shells'
 * environment.
 */
export async function startAgentRelay(env: (home: string) => Record<string, string> = () => ({})): Promise<AgentRelay> {
  const undo = new Undo();
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-sends-")));
  undo.add(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const relay = await startWatchingRelay({ home, undo, env: env(home) });
  let client = await relay.join();
  const path = (rest: string) => `/v1/sessions/${relay.session}${rest}`;
  const call: AgentRelay["call"] = async (method, rest, body, token = relay.key) => {
    const options = { headers: { "X-Service-Token": token }, ...(body === undefined ? {} : { body }) };
    return relay.request(method, path(rest), options);
  };
  const receiptOf: AgentRelay["receiptOf"] = (id, fits) =>
    until(
      `receipt ${id}`,
      async () => {
        const found = await receipt(id);
        return fits(found) ? found : undefined;
      },
      60_000,
    );
  const receipt = async (id: number) => One.parse(JSON.parse((await call("GET", `/receipts/${id}`)).text)).result;
  return {
    relay,
    home,
    get client() {
      return client;
    },
    call,
    receipt,
    receiptOf,
    async shell() {
      const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: home });
      return shellId;
    },
    async start(kind, shell) {
      const program = programOf(home, kind);
      await relay.command("writeToShell", { id: shell, data: `${program} ${kind}\\n` });
      const { state, shells } = relay.relay.sessions.get(relay.session);
      await until("its input", async () => (await shells.host.screen({ shell })).text.endsWith("? for shortcuts"));
      await until(`${kind} in shell ${shell}`, () =>
        state.now.agents.some((agent) => agent.shellId === shell && agent.agentType === kind && agent.state === "idle"),
      );
    },
    async send(shell, text, more = {}) {
      const answer = await call("POST", "/prompts", { shellId: shell, text, ...more });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return One.parse(JSON.parse(answer.text)).result;
    },
    async restart() {
      await client[Symbol.asyncDispose]();
      await relay.restart();
      client = await relay.join();
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      undo.dispose();
    },
  };
}

/** Returns the receipts of a session. */
export async function receiptsOf({ call }: AgentRelay, query = ""): Promise<Receipt[]> {
  return Listed.parse(JSON.parse((await call("GET", `/receipts${query}`)).text)).result;
}

/** Returns the command line that runs the stand-in under an agent's name. */
function programOf(home: string, kind: PromptAgent): string {
  const script = join(import.meta.dirname, "prompt-agent.mjs");
  if (kind !== "gemini") return `${link(process.execPath, join(home, "bin", kind))} ${script}`;
  return `${process.execPath} ${link(script, join(home, "lib", "@google", "gemini-cli", "gemini.mjs"))}`;
}

function link(target: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return path;
}
