// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import { describePolicy, Policy } from "../../../../core/protocol/policies.ts";
import type { Question } from "../../../../core/protocol/questions.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../renderer/ui/format-time.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { pendingAnswer } from "../../../support/pending-answer.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.policies;
const session = SessionId.parse("session-0000000a");
const at = "2026-03-14T10:00:00.000Z";
const policy = (id: number, parts: object = {}) =>
  Policy.parse({
    ...{ id, effect: "allow", what: "command", folder: "/project", command: "npm test", agentType: null },
    ...{ addedAt: at, addedBy: "ann" },
    ...parts,
  });

async function open(getPolicies: unknown, getQuestions: readonly Question[] = []) {
  const panel = await renderPanel({
    content: { sessions: [panelSession()] },
    answers: { getPolicies, getQuestions },
  });
  const asked = (name: string) => panel.calls.filter(([called]) => called === name).map(([, params]) => params);
  return { ...panel, asked };
}

describe("the policies", () => {
  test("say what they allow, of which session, by whom and since when; and are removed", async () => {
    const { user, asked } = await open([policy(3), policy(4, { effect: "ask", command: "rm" })]);
    await user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
    const region = await screen.findByRole("region", { name: said.title }, { timeout: 20_000 });
    const rows = within(region).getAllByRole("listitem");
    expect(rows.map((row) => [row.querySelector("p")?.textContent, row.querySelector("span")?.textContent])).toEqual([
      [describePolicy(policy(3)), said.about(3, "orders", "ann", formatTime(at))],
      [describePolicy(policy(4, { effect: "ask", command: "rm" })), said.about(4, "orders", "ann", formatTime(at))],
    ]);
    const before = asked("getPolicies").length;
    await user.click(within(region).getByRole("button", { name: said.remove(4) }));
    await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain(said.removed(4)));
    expect(asked("removePolicy")).toEqual([{ session, id: 4 }]);
    await waitFor(() => expect(asked("getPolicies").length).toBeGreaterThan(before));
  });

  test("are removed once, however often the button is pressed before the answer", async () => {
    const answer = pendingAnswer();
    const { user, calls } = await renderPanel({
      content: { sessions: [panelSession()] },
      answers: { getPolicies: [policy(3)], removePolicy: () => answer.result },
    });
    await user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
    const remove = await screen.findByRole("button", { name: said.remove(3) }, { timeout: 20_000 });
    await user.click(remove);
    await user.click(remove);
    expect(remove.getAttribute("aria-disabled")).toBe("true");
    await answer.give({});
    await waitFor(() => expect(remove.getAttribute("aria-disabled")).toBe("false"));
    expect(calls.filter(([name]) => name === "removePolicy")).toHaveLength(1);
  });

  test.each([
    ["there are none", []],
    ["they cannot be read", new Error("Not now.")],
  ])("have no place where %s", async (_what, policies) => {
    const { user } = await open(policies);
    await user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
    await screen.findByRole("region", { name: words.agents.running }, { timeout: 20_000 });
    expect(screen.queryByRole("region", { name: said.title })).toBeNull();
    expect(screen.queryByText("Not now.")).toBeNull();
  });
});

describe("what policies have answered", () => {
  const answered = (id: number, parts: Partial<Question> = {}) =>
    questionOf({
      ...{ id, session, title: `Bash: ${id}`, state: "answered", closedAt: at },
      askedAt: new Date(Date.parse(at) + id * 1000).toISOString(),
      answeredBy: { kind: "policy", name: "policy 3", policy: 3, client: null },
      answer: { option: "yes", text: null },
      ...parts,
    });

  test("is listed, the newest first, each with its rule", async () => {
    const byPerson = answered(9, { answeredBy: { kind: "user", name: "ann", client: null } });
    const removed = answered(2, { answeredBy: { kind: "policy", name: "policy 7", policy: 7, client: null } });
    const { asked } = await open([policy(3)], [answered(1), byPerson, removed]);
    const list = await screen.findByRole("list", { name: said.answered }, { timeout: 20_000 });
    expect(screen.getByText(said.answeredCount(2))).toBeTruthy();
    const time = (id: number) => formatTime(new Date(Date.parse(at) + id * 1000).toISOString());
    const rows = within(list).getAllByRole("listitem");
    const texts = rows.map((row) => [...row.querySelectorAll("p")].map(({ textContent }) => textContent));
    expect(texts.map(([title, about, , rule]) => [title, about, rule])).toEqual([
      ["Bash: 2", `claude · orders · ${time(2)}`, said.answeredByRemoved("7")],
      ["Bash: 1", `claude · orders · ${time(1)}`, said.answeredBy("3", describePolicy(policy(3)))],
    ]);
    expect(asked("getQuestions")).toContainEqual({ session, closed: true });
  });

  test("is listed as far as the last twenty", async () => {
    await open(
      [],
      Array.from({ length: 21 }, (_, index) => answered(index + 1)),
    );
    const list = await screen.findByRole("list", { name: said.answered }, { timeout: 20_000 });
    expect(within(list).getAllByRole("listitem")).toHaveLength(20);
    expect(list.textContent).not.toMatch(/Bash: 1(?!\d)/);
  });
});
