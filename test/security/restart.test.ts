import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ShellId } from "../../core/protocol/ids.ts";
import { RestorableShell, RestoreWish } from "../../core/protocol/restore.ts";
import { claudeAdapter } from "../../main/agents/adapters/claude.ts";
import { isPlainLine, resumeCommand, shellLine } from "../../main/agents/program-start.ts";
import type { ResumableAgent } from "../../main/relay/session/ports.ts";
import { noAgents } from "../support/no-agents.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { smallSession } from "../unit/main/relay/small-session.ts";

const PRINT_TOKEN = ["sh", "-c", 'printf "<%s>" "$SERVICE_TOKEN"; read line'];

const CONVERSATION = "11111111-1111-4111-8111-111111111111";

let relay: TestRelay;

beforeEach(async () => {
  relay = await startTestRelay();
});

afterEach(() => relay[Symbol.asyncDispose]());

describe("what starts again after a restart", () => {
  test("has no more rights than it had when it ended", async () => {
    await using owner = await relay.join({ kind: "desktop" });
    await using other = await relay.join({ kind: "browser", role: "admin", name: "other" });
    const made = async (client: number) => {
      const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { exec: PRINT_TOKEN }, client);
      // It stands above that of the shell in its place.
      await tokenOf(shellId, client, 0);
      return shellId;
    };
    const shells = [await made(owner.id), await made(other.id)];
    const [kept, lowered] = shells;
    expect((await relay.request("PATCH", at(`clients/${other.id}`), { body: { role: "reader" } })).status).toBe(200);
    for (const shell of shells) await kill(shell);
    const restored = await restore({ all: true });
    const rights = async (before: ShellId | undefined) => {
      const next = restored.find(({ shellId }) => shellId === before)?.newShellId;
      return next === undefined ? undefined : mayChange(await tokenOf(next, owner.id), owner.id);
    };
    expect([await rights(kept), await rights(lowered)]).toEqual([200, 403]);
  });

  test("shows what its variables load into it before it is started", async () => {
    await using owner = await relay.join({ kind: "desktop" });
    const env = { LD_PRELOAD: "/tmp/evil.so", DATABASE_URL: "postgres://me:hunter22@db.example.org/a" };
    const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { exec: ["cat"], env }, owner.id);
    await kill(shellId);
    expect(await restore({})).toMatchObject([
      { state: "offered", env: ["LD_PRELOAD"], values: { LD_PRELOAD: "/tmp/evil.so" }, withheld: ["DATABASE_URL"] },
    ]);
  });

  test("types a line only into a shell that reads its quotes as they are meant, shows it before, and types nothing unseen", async () => {
    const outcome = async (program: string, model: string) => {
      const conversation = claudeIn(["--model", model]);
      const resumes = { ...noAgents.resumes, list: async () => [conversation] };
      await using lab = smallSession({ program, agents: { ...noAgents, resumes } });
      await (await lab.join()).execute("createShell", {});
      lab.crash();
      const { restorer, clients } = lab.session;
      const [offer] = await restorer.restore(clients.relayUser, RestoreWish.parse({}));
      const [restored] = await restorer.restore(clients.relayUser, RestoreWish.parse({ all: true }));
      expect(offer?.command).toBe(restored?.command);
      return [restored?.state, restored?.command];
    };
    const plain = ["resumed", `claude --resume ${CONVERSATION} --model opus`];
    for (const shell of ["/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/dash"]) {
      expect([shell, await outcome(shell, "opus")]).toEqual([shell, plain]);
      expect(await outcome(shell, "x&id")).toEqual(["resumed", `claude --resume ${CONVERSATION} --model 'x&id'`]);
    }
    for (const shell of ["cmd.exe", "powershell.exe", "/usr/bin/pwsh", "/bin/tcsh", "/usr/bin/nu", "/usr/bin/xonsh"]) {
      expect([shell, await outcome(shell, "opus")]).toEqual([shell, plain]);
      expect([shell, await outcome(shell, "x&id")]).toEqual([shell, ["started", undefined]]);
      expect([shell, await outcome(shell, "%PATH%")]).toEqual([shell, ["started", undefined]]);
    }
    for (const unseen of ["\u202e", "\u200b", "\u{e0041}", "\u3164", "\u0085"]) {
      expect(await outcome("/bin/bash", `opus${unseen}`)).toEqual(["resumed", `claude --resume ${CONVERSATION}`]);
    }
  });

  test("resumes an agent unasked only with options that the owner was shown in that folder", async () => {
    let conversation = claudeIn([]);
    const resumes = { ...noAgents.resumes, list: async () => [conversation] };
    await using lab = smallSession({ agents: { ...noAgents, resumes } });
    await (await lab.join()).execute("createShell", {});
    const byHand = (wish: object) =>
      lab.session.restorer.restore(lab.session.clients.relayUser, RestoreWish.parse({ all: true, ...wish }));
    const unasked = async () => {
      lab.crash();
      const [shell] = await lab.session.restorer.restoreAlways(() => lab.session.clients.relayUser);
      return shell?.state;
    };
    lab.crash();
    expect(await byHand({ folder: "always" })).toMatchObject([{ state: "resumed" }]);
    expect(await unasked()).toBe("resumed");
    conversation = claudeIn([], "22222222-2222-4222-8222-222222222222");
    expect(await unasked()).toBe("resumed");
    conversation = claudeIn(["--dangerously-skip-permissions"]);
    expect(await unasked()).toBe("skipped");
    expect(await byHand({ dryRun: true })).toMatchObject([{ state: "resumed" }]);
    expect(await unasked()).toBe("skipped");
    expect(await byHand({ resume: false })).toMatchObject([{ state: "started" }]);
    expect(await unasked()).toBe("skipped");
    expect(await byHand({})).toMatchObject([{ state: "resumed" }]);
    expect(await unasked()).toBe("resumed");
    conversation = { ...conversation, env: { CLAUDE_CONFIG_DIR: "/tmp/other" } };
    expect(await unasked()).toBe("skipped");
  });
});

/** A conversation of Claude Code that ran with these options and can be resumed. */
function claudeIn(args: string[], id = CONVERSATION): ResumableAgent {
  const { resume = expect.unreachable("claude resumes") } = claudeAdapter();
  const { words } = resumeCommand(resume, { name: "claude", args }, id);
  return {
    ...{ agentType: "claude", sessionId: id, cwd: "/", leftOut: [], lastActivityAt: new Date(0).toISOString() },
    state: "ready",
    ...{ exec: words, env: {}, command: shellLine(words, {}), isPlain: isPlainLine(words, {}) },
  };
}

function at(path: string): string {
  return `/v1/sessions/${relay.session}/${path}`;
}

/** Ends a shell as a crash would, so that it is offered. */
async function kill(shell: ShellId): Promise<void> {
  const of = () => relay.relay.sessions.get(relay.session)?.state.now.shells.find(({ id }) => id === shell);
  process.kill(of()?.pid ?? 0, "SIGKILL");
  await until("the end of the shell", () => of()?.running === false);
}

async function restore(wish: object): Promise<RestorableShell[]> {
  const { status, text } = await relay.request("POST", at("restore"), { body: wish });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return z.object({ result: z.array(RestorableShell) }).parse(JSON.parse(text)).result;
}

/** Returns a token that stands in a shell's output; of one that was started again the second, since the old one's stands above it. */
function tokenOf(shell: ShellId, client: number, index = 1): Promise<string> {
  return until("the token", async () => {
    const { output } = await relay.command<{ output: string }>("getShellOutput", { id: shell }, client);
    return [...output.matchAll(/<(.*)>/g)][index]?.[1];
  });
}

/** Returns the status of a change that only an unrestricted shell may make. */
async function mayChange(token: string, client: number): Promise<number> {
  const body = { method: "createWorkspace", params: {}, target_client_id: client };
  return (await relay.post(body, { "X-Service-Token": token })).status;
}
