import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ShellId } from "../../core/protocol/ids.ts";
import { Question } from "../../core/protocol/questions.ts";
import type { TestRelay } from "./test-relay.ts";
import { until } from "./until.ts";

const Listed = z.object({ result: z.array(Question) });
export const Answered = z.object({ result: Question });

export interface AgentShell {
  readonly shell: ShellId;
  readonly token: string;
  readonly key: number;
}

/** Opens a shell and finds out its token. */
export async function openShell(relay: TestRelay, name = "token"): Promise<AgentShell> {
  const file = join(relay.folder, name);
  const { shellId, key } = await relay.command<{ shellId: ShellId; key: number }>("createShell", {
    command: `printf %s "$SERVICE_TOKEN" > ${file}`,
  });
  const token = await until("the token", () => {
    try {
      return readFileSync(file, "utf8") || undefined;
    } catch {
      return undefined;
    }
  });
  return { shell: shellId, token, key };
}

/** What Claude Code gives a hook. */
export const event = (hook_event_name: string, command: string, more: object = {}) => ({
  session_id: "a-1",
  cwd: "/project",
  hook_event_name,
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});

/** Reports a hook's event over HTTP; resolves to the hook's output. */
export async function report(relay: TestRelay, token: string, input: object, key: string): Promise<string> {
  const path = `/v1/sessions/${relay.session}/agent-hooks/claude`;
  const answer = await relay.request("POST", path, {
    body: { key, event: input },
    headers: { "X-Service-Token": token },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.text;
}

export async function list(relay: TestRelay, query = "", headers = {}): Promise<Question[]> {
  const answer = await relay.request("GET", `/v1/sessions/${relay.session}/questions${query}`, { headers });
  return Listed.parse(JSON.parse(answer.text)).result;
}

export function answer(relay: TestRelay, id: number, body: object, token = relay.key) {
  const path = `/v1/sessions/${relay.session}/questions/${id}/answer`;
  return relay.request("POST", path, { body: { wait: 0, ...body }, headers: { "X-Service-Token": token } });
}

/** What reports hooks' events with the token of a shell, as an agent in that shell does. */
export interface HookReporter {
  /** Resolves to the hook's output. */
  report(input: object): Promise<string>;
  /** Asks for leave to run a command; resolves to the hook's output once that is answered. */
  ask(command: string): Promise<string>;
}

/** Opens a shell and reports hooks in its name. `file` takes the shell's token; `createShell` runs a command in a new shell. */
export async function hooksOfShell(
  relay: { readonly url: string; readonly session: string },
  { file, createShell }: { readonly file: string; readonly createShell: (command: string) => Promise<unknown> },
): Promise<HookReporter> {
  await createShell(`printf %s "$SERVICE_TOKEN" > '${file}'`);
  const token = await until("the shell's token", () => {
    try {
      return readFileSync(file, "utf8") || undefined;
    } catch {
      return undefined;
    }
  });
  let keys = 0;
  const report = async (input: object): Promise<string> => {
    keys += 1;
    const answer = await fetch(`${relay.url}/v1/sessions/${relay.session}/agent-hooks/claude`, {
      method: "POST",
      headers: { "x-service-token": token, "content-type": "application/json" },
      body: JSON.stringify({ key: `run-${keys}`, event: input }),
    });
    return answer.text();
  };
  return {
    report,
    ask(command) {
      const output = report(event("PermissionRequest", command));
      // The relay ends with the test; only a test that still waits is concerned.
      output.catch(() => undefined);
      return output;
    },
  };
}

/** The part of a hook's output that tells the agent the decision. */
export const decision = (behavior: "allow" | "deny", more: object = {}) => ({
  hookSpecificOutput: { decision: { behavior, ...more } },
});
