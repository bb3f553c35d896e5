// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ConversationMessage, KnownResume } from "../../../../../core/protocol/conversations.ts";
import type { SearchHit } from "../../../../../core/protocol/history-search.ts";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import type { OpInput } from "../../../../../core/protocol/relay-ops.ts";
import type { RestorableShell } from "../../../../../core/protocol/restore.ts";
import { search as words } from "../../../../../renderer/search/words.ts";
import { sceneNamed } from "../../../../../renderer/session/dev/scenes.ts";
import { ConversationPlace } from "../../../../../renderer/session/search/conversation-place.tsx";
import { renderView } from "../../../../support/render-view.tsx";

const offers = sceneNamed("ended").offers ?? [];
const found = offers.flatMap(({ shellId, title, agents }) =>
  agents.flatMap(({ agentType, sessionId, state }) =>
    state === "ready" ? [{ shellId, title, agentType, sessionId }] : [],
  ),
);
const [first = expect.unreachable()] = found;

/** The place of a conversation, whose relay answers a resume so. */
function rendered(sessionId: string, answer: Partial<RestorableShell> = { state: "resumed" }) {
  const restore = vi.fn(async ({ shell }: OpInput<"restoreShells">) =>
    shell === undefined
      ? [...offers]
      : offers.filter(({ shellId }) => shellId === shell).map((offer) => ({ ...offer, ...answer })),
  );
  const readConversation = vi.fn(() => new Promise<never>(() => undefined));
  const hit: SearchHit = {
    ...{ in: "conversations", id: "c1", at: "2026-01-01T10:00:00.000Z" },
    ...{ line: "what was said", from: 0, length: 4, before: [], after: [] },
    conversation: { agentType: first.agentType, agentSessionId: sessionId, title: "A title" },
  };
  const all = renderView(<ConversationPlace hit={{ ...hit, later: 0 }} back={() => undefined} />, {
    scene: "ended",
    host: { restore, readConversation },
  });
  act(() => all.view.ui.searchOpen.set(true));
  return { ...all, restore };
}

test("a conversation that ran in an ended shell is resumed in its place", async () => {
  const { user, view, restore } = rendered(first.sessionId);
  const button = await screen.findByRole("button", { name: words.conversation.resume });
  expect(button.title).toBe(words.conversation.resumeHint(first.title));
  expect(restore.mock.calls).toEqual([[{}]]);
  await user.click(button);
  expect(restore).toHaveBeenLastCalledWith({ shell: first.shellId, conversation: first.sessionId, nearest: false });
  await waitFor(() => expect(view.ui.searchOpen.get()).toBe(false));
});

test("why it was not resumed is said, and the search stays", async () => {
  const { user, view } = rendered(first.sessionId, { state: "skipped", why: "It runs elsewhere." });
  await user.click(await screen.findByRole("button", { name: words.conversation.resume }));
  expect(await screen.findByText(words.conversation.notResumed("It runs elsewhere."))).toBeDefined();
  expect(view.ui.searchOpen.get()).toBe(true);
});

/** The place of a conversation that no ended shell has, which is resumed so; `answer` is what the relay says then. */
function elsewhere(resume: KnownResume, answer: () => ShellId | null = () => ShellId.parse(9)) {
  const execute = vi.fn(async () => ({ key: 2 }));
  const resumeConversation = vi.fn(async () => ({ shellId: answer() }));
  const readConversation = vi.fn(async ({ agentType, agentSessionId: sessionId }: OpInput<"readConversation">) => {
    return { agentType, sessionId, messages: [], before: null, after: null, hasMore: false, resume };
  });
  const conversation = { agentType: "codex", agentSessionId: "long-ago", title: "A title" };
  const hit = { ...{ line: "", from: 0, length: 0, later: 0, at: "2026-01-01T10:00:00.000Z" }, conversation };
  const all = renderView(<ConversationPlace hit={{ in: "conversations", ...hit }} back={() => undefined} />, {
    scene: "six",
    host: { readConversation, resumeConversation, execute },
  });
  act(() => all.view.ui.searchOpen.set(true));
  return { ...all, readConversation, resumeConversation, execute };
}

const free: KnownResume = {
  ...{ command: "codex resume long-ago", cwd: "/work", leftOut: [] },
  env: { CODEX_HOME: "/home/me/codex" },
};

test("a conversation that ended long ago is resumed in a new shell in its folder, by the line that was shown", async () => {
  const { user, view, resumeConversation, execute } = elsewhere(free);
  const button = await screen.findByRole("button", { name: words.conversation.resume });
  const line = "CODEX_HOME=/home/me/codex codex resume long-ago";
  expect(button.title).toBe(words.conversation.resumeNewHint(line, "/work"));
  expect(screen.getByText(line).title).toBe(button.title);
  await user.click(button);
  const { cwd, command, env } = free;
  const name = { agentType: "codex", agentSessionId: "long-ago" };
  expect(resumeConversation.mock.calls).toEqual([[{ ...name, command, cwd, env }]]);
  await waitFor(() => expect(execute).toHaveBeenCalledWith("openTile", { type: "shell", shell: 9 }));
  await waitFor(() => expect(view.ui.searchOpen.get()).toBe(false));
});

test("one that the relay does not resume stays, and why is said", async () => {
  const why = "It is resumed in shell 4.";
  const { user, view, execute } = elsewhere(free, () => {
    throw new Error(why);
  });
  await user.click(await screen.findByRole("button", { name: words.conversation.resume }));
  expect(await screen.findByText(words.conversation.notResumed(why))).toBeDefined();
  expect(execute).not.toHaveBeenCalled();
  expect(view.ui.searchOpen.get()).toBe(true);
});

test("one that has another line by then is read again, and not resumed", async () => {
  const { user, readConversation, execute } = elsewhere(free, () => null);
  const button = await screen.findByRole("button", { name: words.conversation.resume });
  const reads = readConversation.mock.calls.length;
  await user.click(button);
  expect(await screen.findByText(words.conversation.notResumed(words.conversation.lineChanged))).toBeDefined();
  expect(readConversation).toHaveBeenCalledTimes(reads + 1);
  expect(execute).not.toHaveBeenCalled();
});

test("one that runs in a shell of the session leads there instead", async () => {
  const session = sceneNamed("six").mirror.session.id;
  const runsIn = { session, shellId: ShellId.parse(1) };
  const { user, view } = elsewhere({ ...free, why: "An agent works on it in shell 1.", runsIn });
  await screen.findByRole("button", { name: words.place.goTo });
  expect(screen.queryByText(/codex resume long-ago/)).toBeNull();
  await user.click(await screen.findByRole("button", { name: words.place.goTo }));
  expect(view.ui.searchOpen.get()).toBe(false);
  expect(screen.queryByRole("button", { name: words.conversation.resume })).toBeNull();
});

test("what is not offered has no button", async () => {
  const { restore } = rendered("another conversation");
  await waitFor(() => expect(restore).toHaveBeenCalled());
  expect(screen.queryByRole("button", { name: words.conversation.resume })).toBeNull();
});

/** A conversation of the agent in shell 1, whose messages a test says one after the other. */
function spoken(parts: Parameters<typeof renderView>[1] = {}) {
  const waiting: (() => void)[] = [];
  const said = [message("1", "First words")];
  const page = () => ({
    ...{ agentType: "claude", sessionId: "a", messages: [...said], before: null, hasMore: false },
    after: said.at(-1)?.cursor ?? null,
  });
  const readConversation = vi.fn(async ({ after }: OpInput<"readConversation">) => {
    if (after !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    return page();
  });
  const conversation = { agentType: "claude", agentSessionId: "a", title: "A title" };
  const hit = { ...{ line: "", from: 0, length: 0, later: 0, at: "2026-01-01T10:00:00.000Z" }, conversation };
  const all = renderView(<ConversationPlace hit={{ in: "conversations", ...hit }} back={() => undefined} />, {
    scene: "six",
    host: { readConversation },
    ...parts,
  });
  const say = (...more: readonly ConversationMessage[]) => {
    said.push(...more);
    act(() => waiting.shift()?.());
  };
  return { ...all, readConversation, say, said, waiting };
}

function message(cursor: string, text: string, more: Partial<ConversationMessage> = {}): ConversationMessage {
  const at = "2026-01-01T10:00:00.000Z";
  return { id: cursor, cursor, role: "assistant", kind: "text", at, text, turn: 1, ...more };
}

test("while its agent runs, what is said next appears, and that it is live is said", async () => {
  const { readConversation, say } = spoken();
  expect(await screen.findByText("First words")).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe(words.conversation.live);
  expect(readConversation).toHaveBeenLastCalledWith({ agentType: "claude", agentSessionId: "a", after: "1" });
  say(message("2", "Second words"));
  expect(await screen.findByText("Second words")).toBeDefined();
  await waitFor(() =>
    expect(readConversation).toHaveBeenLastCalledWith({ agentType: "claude", agentSessionId: "a", after: "2" }),
  );
});

test("of an agent that has ended, and without a connection, nothing more is asked", async () => {
  const ended = spoken({ mirror: { agents: [] } });
  expect(await screen.findByText("First words")).toBeDefined();
  expect(ended.readConversation).toHaveBeenCalledOnce();
  ended.page.unmount();
  const away = spoken({ connected: false });
  expect(await screen.findByText("First words")).toBeDefined();
  expect(away.readConversation).toHaveBeenCalledOnce();
  expect(screen.queryByText(words.conversation.live)).toBeNull();
});

test("what could not be read without the connection is read when the connection is back", async () => {
  let isAway = true;
  const readConversation = async ({ agentType, agentSessionId: sessionId }: OpInput<"readConversation">) => {
    if (isAway) throw new Error("The relay is away.");
    const messages = [message("1", "First words")];
    return { agentType, sessionId, messages, before: null, after: null, hasMore: false };
  };
  const { connect } = spoken({ host: { readConversation }, mirror: { agents: [] }, connected: false });
  expect(await screen.findByRole("alert")).toBeDefined();
  isAway = false;
  connect(true);
  expect(await screen.findByText("First words")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a view that was closed reads no further", async () => {
  const { readConversation, say, page } = spoken();
  await screen.findByText("First words");
  page.unmount();
  say(message("2", "Second words"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(readConversation).toHaveBeenCalledTimes(2);
});

test("the list stays at its end when more is said, unless the reader has gone back in it", async () => {
  const { say } = spoken();
  await screen.findByText("First words");
  const list = screen.getByRole("list", { name: words.conversation.messages });
  Object.defineProperties(list, { scrollHeight: { value: 1000 }, clientHeight: { value: 300 } });
  say(message("2", "Second words"));
  await screen.findByText("Second words");
  expect(list.scrollTop).toBe(1000);
  list.scrollTop = 200;
  act(() => void list.dispatchEvent(new Event("scroll", { bubbles: true })));
  say(message("3", "Third words"));
  await screen.findByText("Third words");
  expect(list.scrollTop).toBe(200);
});

test("a tool call says what it did and how it ended, and keeps what it printed folded", async () => {
  const { say } = spoken();
  await screen.findByText("First words");
  const call = { id: "t", name: "Bash", input: { command: "npm test", timeout: 5 }, isError: true, exitCode: 3 };
  say(message("2", "", { role: "tool", kind: "tool", tool: { ...call, result: "one\ntwo\n", durationMs: 1500 } }));
  expect((await screen.findByText("npm test")).tagName).toBe("PRE");
  expect(screen.getByText(/^exit code 3 · 1.5 s$/).dataset.bad).toBe("true");
  const folded = screen.getByText("2 lines").closest("details");
  expect([folded?.open, folded?.textContent]).toEqual([false, "2 linesone\ntwo\n"]);
});

test.each<[string, Partial<ConversationMessage>, string]>([
  ["thinking", { kind: "thinking" }, words.conversation.kinds.thinking],
  ["a question of the agent", { role: "system", kind: "question" }, words.conversation.kinds.question],
  ["what the user said", { role: "user", kind: "prompt" }, words.conversation.roles.user],
  ["what was cut", { longer: { text: 9_000_000 } }, words.conversation.cut],
  ["an image", { images: [{ mediaType: "image/png", place: "a.png" }] }, words.conversation.image("a.png")],
  ["what the transcript lacks", { incomplete: "Its text is encrypted." }, "Its text is encrypted."],
])("%s is named", async (_what, more, name) => {
  const { say } = spoken();
  await screen.findByText("First words");
  say(message("2", "Second words", more));
  await screen.findByText("Second words");
  expect(screen.getByText(name)).toBeDefined();
});

test("one that was not searched for is read from its end, without a cursor", async () => {
  const readConversation = vi.fn(() => new Promise<never>(() => undefined));
  const conversation = { agentType: first.agentType, agentSessionId: first.sessionId, title: "" };
  const nowhere = { line: "", from: 0, length: 0, later: 0, at: "2026-01-01T10:00:00.000Z" };
  renderView(<ConversationPlace hit={{ in: "conversations", conversation, ...nowhere }} back={() => undefined} />, {
    host: { readConversation },
  });
  const { agentType, sessionId: agentSessionId } = first;
  await waitFor(() =>
    expect(readConversation.mock.calls).toEqual([[{ agentType, agentSessionId, cursor: undefined }]]),
  );
});
