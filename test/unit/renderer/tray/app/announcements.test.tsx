// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const NAMES = ["npm install", "make", "make docs"] as const;
const asking = (count: number) => ({
  sessions: [
    panelSession({
      questions: NAMES.slice(0, count).map((command, index) =>
        questionOf({ session: SessionId.parse("session-0000000a"), id: index + 1, title: `Bash: ${command}` }),
      ),
    }),
  ],
});
const nameOf = (command: string) => words.inbox.sentences.command.name("claude", command);
const told = (text: string) =>
  waitFor(() => expect(document.querySelector(".panel > [aria-live=polite]")?.textContent).toBe(text));
const focus = (name: string) => screen.getByRole("button", { name }).focus();

test("a question that comes is told by its name while the user is elsewhere in the panel", async () => {
  const panel = await renderPanel({ content: asking(1) });
  await told("");
  focus(words.invite.title("orders"));
  panel.change(asking(2));
  await told(nameOf("make"));
  // It is told once.
  panel.change(asking(1));
  await told(nameOf("make"));
});

test("a card that takes the focus is not told besides", async () => {
  const panel = await renderPanel({ content: asking(0) });
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  panel.change(asking(1));
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe(nameOf("npm install")));
  await told("");
});

test("several that come at once, and one that comes while its card is not on show, are told by their number", async () => {
  const panel = await renderPanel({ content: asking(0) });
  focus(words.invite.title("orders"));
  panel.change(asking(2));
  await told(`2 ${words.panel.badge(2)}`);
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.activity }));
  panel.change(asking(3));
  await told(`3 ${words.panel.badge(3)}`);
});
