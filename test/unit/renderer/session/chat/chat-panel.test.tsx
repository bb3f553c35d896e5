// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ClientId } from "../../../../../core/protocol/ids.ts";
import type { ChatMessage } from "../../../../../core/protocol/records.ts";
import { ChatPanel } from "../../../../../renderer/session/chat/chat-panel.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

function message(id: number, clientId: number): ChatMessage {
  const from = { clientId: ClientId.parse(clientId), name: "Someone" };
  return { id, from, text: `message ${id}`, at: "2026-01-01T10:00:00.000Z" };
}

test("a new message scrolls no reader away from older ones, but what the user has written is shown", () => {
  const { view, change } = renderView(<ChatPanel />, { mirror: { chat: [message(1, 99)] } });
  const own = view.host.snapshot().self?.id ?? expect.unreachable();
  const list = screen.getByRole("list", { name: words.chat.messages });
  Object.defineProperties(list, { scrollHeight: { value: 1000 }, clientHeight: { value: 300 } });
  change({ chat: [message(1, 99), message(2, 99)] });
  expect(list.scrollTop).toBe(1000);
  list.scrollTop = 200;
  act(() => void list.dispatchEvent(new Event("scroll", { bubbles: true })));
  change({ chat: [message(1, 99), message(2, 99), message(3, 99)] });
  expect(list.scrollTop).toBe(200);
  change({ chat: [message(1, 99), message(2, 99), message(3, 99), message(4, own)] });
  expect(list.scrollTop).toBe(1000);
});
