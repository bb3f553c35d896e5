// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { shortPath } from "../../../../../core/protocol/shell-name.ts";
import { AgentQuestions } from "../../../../../renderer/session/tiles/agent-question.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { renderView } from "../../../../support/render-view.tsx";
import { untilStill } from "../../../../support/until-still.ts";

const said = words.tiles.agent;
const request = {
  id: 7,
  shellId: 1 as ShellId,
  agentType: "claude",
  folder: "/home/mara/src/api",
  wants: "closeShell",
  at: "2026-01-01T00:00:00.000Z",
};
const restrictions = { restrictShells: false, requests: [request], allowed: [] };

test.each([
  [said.once, "once"],
  [said.no, "no"],
])("an agent's request for control is answered by the button %s", async (name, answer) => {
  const { calls, user } = renderView(<AgentQuestions shell={1} />, { mirror: { restrictions } });
  const asked = within(screen.getByRole("group", { name: said.label("claude") }));
  await user.click(await untilStill(asked.getByRole("button", { name })));
  expect(calls).toEqual([["answerAgent", { request: 7, answer }]]);
});

test("control that lasts stands apart from the other answers, and takes a second step", async () => {
  const { calls, user } = renderView(<AgentQuestions shell={1} />, { mirror: { restrictions } });
  const name = said.always("claude", shortPath(request.folder));
  const always = await untilStill(screen.getByRole("button", { name, expanded: false }));
  expect(always.parentElement).not.toBe(screen.getByRole("button", { name: said.no }).parentElement);
  await user.click(always);
  expect(calls).toEqual([]);
  await user.click(await untilStill(screen.getByRole("button", { name: shared.question.allowPersistent })));
  expect(calls).toEqual([["answerAgent", { request: 7, answer: "always" }]]);
});

test("who may not answer is told that the request waits", () => {
  renderView(<AgentQuestions shell={1} />, { scene: "reader", mirror: { restrictions } });
  expect(screen.getByText(said.waits)).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});
