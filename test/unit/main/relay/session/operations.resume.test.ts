import { expect, test } from "vitest";
import type { KnownResume } from "../../../../../core/protocol/conversations.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { conversationHandlers } from "../../../../../main/relay/operations/conversations.ts";
import type { AgentsPort } from "../../../../../main/relay/session/ports.ts";
import { noAgents, resumeStarts } from "../../../../support/no-agents.ts";
import { noHistory } from "../../../../support/no-history.ts";
import { smallSession } from "../small-session.ts";

type Line = Pick<KnownResume, "command" | "cwd" | "env">;

const line: Line = { command: "codex resume a-1", cwd: "/", env: { CODEX_HOME: "/home/me/codex" } };
const wish = { agentType: "codex", agentSessionId: "a-1", ...line };

function agentsWith(runsIn?: { readonly session: SessionId; readonly shellId: ShellId }): AgentsPort {
  const starts = resumeStarts(() => runsIn);
  return { ...noAgents, resumes: { ...noAgents.resumes, starts, find: () => ({ ...line, leftOut: [] }) } };
}

test("of two pages that resume a conversation one starts it, and the other and the operation are told its shell", async () => {
  const agents = agentsWith();
  await using lab = smallSession({ agents, history: noHistory("ann") });
  const [one, other] = [await lab.join(), await lab.join()];
  const [first, second] = await Promise.allSettled([
    one.ask("resumeConversation", wish),
    other.ask("resumeConversation", wish),
  ]);
  expect(first).toEqual({ status: "fulfilled", value: { shellId: 1 } });
  expect(second).toMatchObject({
    status: "rejected",
    reason: { code: "invalid_request", message: expect.stringMatching(/^It is resumed (?:already|in shell 1)\.$/) },
  });
  expect(lab.session.state.now.shells).toMatchObject([{ id: 1, cwd: "/", ownerClientId: one.self?.id }]);
  const { resumeConversation } = conversationHandlers({ sessions: { all: () => [] }, user: "ann", agents });
  const { session } = lab;
  const context = { caller: userCaller("ann", "127.0.0.1"), session, signal: new AbortController().signal };
  const operation = async () => resumeConversation({ session: session.id, agentSessionId: "a-1", yes: true }, context);
  await expect(operation()).rejects.toThrow("It is resumed in shell 1.");
  expect(lab.session.state.now.shells).toHaveLength(1);
});

test("one that runs is not resumed: its shell is named", async () => {
  const agents = agentsWith({ session: SessionId.parse("session-1"), shellId: ShellId.parse(3) });
  await using lab = smallSession({ agents, history: noHistory("ann") });
  const page = await lab.join();
  await expect(page.ask("resumeConversation", wish)).rejects.toThrow(/in shell 3: go there instead/);
  expect(lab.session.state.now.shells).toEqual([]);
});

const changes: readonly Partial<Line>[] = [{ command: "codex resume a-1 --yolo" }, { cwd: "/tmp" }, { env: {} }];

test.each(changes)("a line that is not the one that was shown is not entered: %j", async (shown) => {
  await using lab = smallSession({ agents: agentsWith(), history: noHistory("ann") });
  const page = await lab.join();
  expect(await page.ask("resumeConversation", { ...wish, ...shown })).toEqual({ shellId: null });
  expect(lab.session.state.now.shells).toEqual([]);
});

test("only the owner of the relay resumes a conversation", async () => {
  await using lab = smallSession({ agents: agentsWith(), history: noHistory("ann") });
  const others = [lab.guest({ role: "admin" }), { role: "writer" }, { role: "reader" }] as const;
  for (const identity of others) {
    const page = await lab.join(identity);
    await expect(page.ask("resumeConversation", wish)).rejects.toMatchObject({ code: "role_forbids" });
  }
  await using foreign = smallSession({ agents: agentsWith(), history: noHistory("bob") });
  const page = await foreign.join();
  await expect(page.ask("resumeConversation", wish)).rejects.toMatchObject({ code: "role_forbids" });
});
