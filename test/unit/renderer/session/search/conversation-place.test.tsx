// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SearchHit } from "../../../../../core/protocol/history-search.ts";
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

test("what is not offered has no button", async () => {
  const { restore } = rendered("another conversation");
  await waitFor(() => expect(restore).toHaveBeenCalled());
  expect(screen.queryByRole("button", { name: words.conversation.resume })).toBeNull();
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
