import { beforeAll, expect, test } from "vitest";
import type { ConversationPage } from "../../core/protocol/conversations.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { startRestoreLab } from "../support/restore-lab.ts";
import { until } from "../support/until.ts";
import { agentPlace, installOnly } from "./programs.ts";

const kinds = ["claude"] as const;
beforeAll(() => installOnly(...kinds), 900_000);

/** What stands in the empty input of a program that sets no mark before it. */
const INVITATION = /Type your message|^\s*[❯›>](?:\s|$)/mu;

test.each(kinds)(
  "after kill -9 of relay, shell host and agents, two %s of one folder each resume their own conversation",
  { timeout: 400_000 },
  async (program) => {
    const home = new AgentLab();
    const place = await agentPlace(home, program);
    await using lab = await startRestoreLab();
    const environment = { HOME: home.home, ...place.env };
    await lab.start(environment);
    const screen = async (id: number) =>
      (await lab.command<{ output: string }>("getShellOutput", { id, screen: true })).output;
    const press = (id: number, ...keys: string[]) => lab.command("sendKeys", { id, keys });
    const sessionIn = async (id: number) => (await lab.agents()).find(({ shellId }) => shellId === id)?.sessionId;
    const before = new Map<number, string>();
    for (const word of ["anchovy", "bergamot"]) {
      const { shellId } = await lab.command<{ shellId: number }>("createShell", {
        cwd: place.cwd,
      });
      await press(shellId, place.command, "Enter");
      await until(`the input of ${program}`, async () => INVITATION.test(await screen(shellId)), 120_000);
      await press(shellId, `Keep a word in mind. SAY{${word}}`);
      await until("the prompt on the screen", async () => (await screen(shellId)).includes(`SAY{${word}}`), 30_000);
      await press(shellId, "Enter");
      const answered = async () => {
        const id = await sessionIn(shellId);
        if (id === undefined || id === "") return undefined;
        const page = await lab.conversation(id).catch((): Partial<ConversationPage> => ({ messages: [] }));
        return page.messages?.some(({ role, text }) => role === "assistant" && text.includes(word)) ? id : undefined;
      };
      before.set(shellId, await until(`the answer with ${word}`, answered, 90_000));
    }
    const isProven = async () => (await lab.agents()).every(({ assumed }) => assumed !== true);
    await until("proof of both sessions", isProven, 60_000);
    await lab.killAll();

    await lab.start(environment);
    const offers = await lab.restore();
    expect(offers.map(({ shellId, conversation }) => [shellId, conversation])).toEqual([...before]);
    expect(offers.map(({ lastPrompt }) => lastPrompt)).toEqual([
      "Keep a word in mind. SAY{anchovy}",
      "Keep a word in mind. SAY{bergamot}",
    ]);
    expect(await lab.agents()).toEqual([]);
    const restored = await lab.restore({ all: true });
    for (const [index, { state, newShellId = 0, conversation }] of restored.entries()) {
      expect(state).toBe("resumed");
      const word = ["anchovy", "bergamot"][index] ?? "";
      await until(`${word} on the screen`, async () => (await screen(newShellId)).includes(word), 120_000);
      await until("its own session", async () => (await sessionIn(newShellId)) === conversation, 60_000);
    }
    expect(await lab.restore()).toEqual([]);
    await lab.killAll();
    home[Symbol.dispose]();
  },
);
