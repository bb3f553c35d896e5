// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Agent, AgentSessionDetails } from "../../../../core/protocol/agent-records.ts";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { PanelSession } from "../../../../preload/channels.ts";
import { formatDollars } from "../../../../renderer/tray/format.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { formatMilliseconds } from "../../../../renderer/ui/format-duration.ts";
import { formatTime } from "../../../../renderer/ui/format-time.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.agents;
const usage = (cost: number, more: object = {}) => ({ input: 1_200, output: 300, cached: 9_000_000, cost, ...more });

function agent(parts: Partial<Agent> = {}): Agent {
  return {
    ...{ shellId: ShellId.parse(1), agentType: "claude", model: "opus-5", sessionId: "a-1", state: "working" },
    tokenUsage: usage(1.5),
    ...parts,
  };
}

async function open(agents: readonly Agent[], session: Partial<PanelSession> = {}, answers: object = {}) {
  const panel = await renderPanel({
    content: { sessions: [panelSession({ agents: [...agents], ...session })] },
    answers: { ...answers },
  });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  const region = await screen.findByRole("region", { name: said.running }, { timeout: 20_000 });
  const asked = (operation: string) => panel.calls.filter(([name]) => name === operation).map(([, params]) => params);
  return { ...panel, region, asked };
}
const cards = (region: HTMLElement) =>
  within(region)
    .getAllByRole("heading", { level: 3 })
    .map((heading) => heading.closest("li") as HTMLElement);
const numbersIn = (element: Element) =>
  [...element.querySelectorAll(".panel-number")].map(({ textContent }) => textContent);

describe("a running agent", () => {
  test("has its kind, state, progress, shell, session, model, cost and tokens", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const { region } = await open([agent({ progress: 40, message: "out of space" })], {
      agentStarts: { "a-1": hourAgo },
    });
    const [card] = cards(region) as [HTMLElement];
    expect(card.querySelector(".panel-chip")?.textContent).toBe(`${said.states.working} · 40 %`);
    expect(card.querySelector(".dot")?.className).toBe("dot good");
    expect(within(card).getByText("out of space")).toBeTruthy();
    expect(within(card).getByTitle("rounding · orders · opus-5")).toBeTruthy();
    expect(numbersIn(card)).toEqual([formatDollars(1.5), said.perHour(formatDollars(1.5))]);
    expect(within(card).getByText(said.tokens("1.2K", "300", "9M"))).toBeTruthy();
  });

  test("waits while a question of it is open, whatever state it reports, and stands first then", async () => {
    const second = agent({ sessionId: "a-2", agentType: "codex", shellId: ShellId.parse(2) });
    const { region } = await open([agent(), second], { questions: [questionOf({ shellId: second.shellId })] });
    expect(cards(region).map((card) => [card.querySelector("h3")?.textContent, card.dataset.waits])).toEqual([
      ["codex", "true"],
      ["claude", "false"],
    ]);
  });

  test("of which little is known has what is known, and no cost an hour", async () => {
    const { region } = await open([
      agent({ agentType: "rounding", model: "", state: undefined, tokenUsage: usage(0) }),
    ]);
    const [card] = cards(region) as [HTMLElement];
    expect(card.querySelector(".panel-chip")?.textContent).toBe(said.states.running);
    expect(card.querySelector(".dot")?.className).toBe("dot ");
    expect(within(card).getByTitle("orders")).toBeTruthy();
    expect(numbersIn(card)).toEqual([formatDollars(0), ""]);
  });

  test("has a cost an hour after five minutes only", async () => {
    const start = (ms: number) => new Date(Date.now() - ms).toISOString();
    const { region } = await open([agent(), agent({ sessionId: "a-2", shellId: ShellId.parse(2) })], {
      agentStarts: { "a-1": start(240_000), "a-2": start(301_000) },
    });
    const hourly = cards(region).map((card) => numbersIn(card)[1] !== "");
    expect(hourly).toEqual([false, true]);
  });

  test("says what of its cost is not certain", async () => {
    const { region } = await open([
      agent({ tokenUsage: usage(2, { unpriced: true, approximate: true, approximateCost: 0.5 }) }),
      agent({ sessionId: "a-2", tokenUsage: usage(2, { unpriced: true }) }),
    ]);
    const costs = cards(region).map((card) => card.querySelector(".panel-number"));
    expect(costs.map((cost) => [cost?.textContent, cost?.getAttribute("title")])).toEqual([
      [`${formatDollars(2)}*`, `${said.noPrice}. ${said.approximate(formatDollars(0.5))}`],
      [`${formatDollars(2)}*`, said.noPrice],
    ]);
  });

  test("that waits comes first, and shows its shell", async () => {
    const { region, asked, user } = await open([
      agent(),
      agent({ agentType: "codex", state: "waiting", shellId: ShellId.parse(2), sessionId: "b" }),
    ]);
    expect(cards(region).map((card) => [within(card).getByRole("heading").textContent, card.dataset.waits])).toEqual([
      ["codex", "true"],
      ["claude", "false"],
    ]);
    await user.click(within(region).getByRole("button", { name: said.showIn("codex", "orders") }));
    expect(asked("panel.open")).toEqual([{ id: "session-0000000a", shell: 2 }]);
  });

  test("is muted, and heard again", async () => {
    const { region, asked, user, change } = await open([agent()]);
    const button = within(region).getByRole("button", { name: said.mute("claude", "orders") });
    expect([button.textContent, button.getAttribute("aria-pressed")]).toEqual([said.muteIt, "false"]);
    await user.click(button);
    change({ sessions: [panelSession({ agents: [agent()], muted: [1] })] });
    expect([button.textContent, button.getAttribute("aria-pressed")]).toEqual([said.muted, "true"]);
    await user.click(button);
    expect(asked("panel.mute")).toEqual([
      { id: "session-0000000a", shell: 1, muted: true },
      { id: "session-0000000a", shell: 1, muted: false },
    ]);
  });

  test("has its tasks, each part below its whole", async () => {
    const since = new Date().toISOString();
    const { region } = await open([
      agent({
        tasks: [
          { id: "build", state: "working", since, title: "Build", progress: 30 },
          { id: "build/test", state: "error", since, message: "2 fail" },
          { id: "a/b/c/d/e", state: "ended", since },
        ],
      }),
    ]);
    const rows = within(within(region).getByRole("list", { name: said.tasksOf("claude") })).getAllByRole("listitem");
    expect(
      rows.map((row) => [row.style.marginInlineStart, ...[...row.children].map((one) => one.textContent)]),
    ).toEqual([
      ["0", "Build", `${said.taskStates.working} · 30 %`],
      ["12px", "test · 2 fail", said.taskStates.error],
      ["36px", "e", said.taskStates.ended],
    ]);
    expect(rows.map((row) => row.querySelector(".ellipsis")?.getAttribute("title"))).toEqual([
      "build",
      "build/test: 2 fail",
      "a/b/c/d/e",
    ]);
  });

  test("has the agents that it has started, with their costs", async () => {
    const startedBy = { agentType: "claude", sessionId: "a-1" };
    const { region } = await open([
      agent({
        children: [
          { agentType: "codex", sessionId: "c", model: "", state: "idle", tokenUsage: usage(0.25), startedBy },
          { agentType: "pi", sessionId: "d", model: "m", state: "working", tokenUsage: usage(0.5), startedBy },
        ],
      }),
    ]);
    const rows = within(within(region).getByRole("list", { name: said.startedBy("claude") })).getAllByRole("listitem");
    expect(rows.map((row) => [...row.children].map((one) => one.textContent))).toEqual([
      ["codex · idle", formatDollars(0.25)],
      ["pi · m · working", formatDollars(0.5)],
    ]);
  });
});

describe("the details of an agent", () => {
  const at = "2026-03-14T10:00:00.000Z";
  const details: AgentSessionDetails = {
    ...{ sessionId: "a-1", agentType: "claude", model: "opus-5", branch: "main", mode: "plan", effort: "high" },
    ...{ linesAdded: 12, tokenUsage: usage(1.5), reported: 2, difference: 0.5, turnCount: 7 },
    turns: [1, 2, 3, 4, 5, 6].map((cost) => ({ at, ms: cost * 1000, calls: 1, tokenUsage: usage(cost) })),
    tools: ["Bash", "Read", "Edit", "Grep", "Glob", "Web"].map((name, index) => {
      return { name, calls: index + 1, failed: index % 2, ms: 500, longestMs: 9 };
    }),
    subagents: [
      { id: "s-1", parent: null, type: "explore", description: "Find it", calls: 1, tokenUsage: usage(0.1) },
      { id: "s-2", parent: "s-1", calls: 1, tokenUsage: usage(0.2) },
      { id: "s-3", parent: "s-2", type: "plan", calls: 1, tokenUsage: usage(0.3) },
      { id: "", parent: "s-1", calls: 1, tokenUsage: usage(0.4) },
      { id: "ring", parent: "ring", type: "ring", calls: 1, tokenUsage: usage(0) },
    ],
  };
  const openDetails = async (shown: Partial<AgentSessionDetails> = {}) => {
    const panel = await open([agent()], {}, { getAgentDetails: { ...details, ...shown } });
    const summary = within(panel.region).getByText(said.details);
    const element = summary.closest("details") as HTMLDetailsElement;
    expect(panel.asked("getAgentDetails")).toEqual([]);
    element.open = true;
    await waitFor(() => expect(within(element).queryAllByRole("region").length).toBeGreaterThan(0));
    const rows = (name: string) =>
      within(within(element).getByRole("region", { name }))
        .getAllByRole("listitem")
        .map((row) => [...row.children].map(({ textContent }) => textContent));
    return { ...panel, element, rows };
  };

  test("are read when they are opened: what is about it, its last turns, slowest tools and sub-agents", async () => {
    const { element, rows, asked } = await openDetails();
    expect(asked("getAgentDetails")).toEqual([{ session: SessionId.parse("session-0000000a"), agentSession: "a-1" }]);
    const paragraphs = [...element.querySelectorAll("p")].map(({ textContent }) => textContent);
    expect(paragraphs).toEqual([
      `main · plan · high · ${said.lines(12, 0)}`,
      said.countsMore(formatDollars(2), formatDollars(0.5)),
    ]);
    expect(rows(said.lastTurns(5, 7))).toEqual(
      [6, 5, 4, 3, 2].map((cost) => [`${formatTime(at)} · ${formatMilliseconds(cost * 1000)}`, formatDollars(cost)]),
    );
    expect(rows(said.tools)).toEqual([
      [said.calls("Bash", 1), "500 ms"],
      [said.callsFailed("Read", 2, 1), "500 ms"],
      [said.calls("Edit", 3), "500 ms"],
      [said.callsFailed("Grep", 4, 1), "500 ms"],
      [said.calls("Glob", 5), "500 ms"],
    ]);
    expect(rows(said.subAgents)).toEqual([
      ["explore · Find it", formatDollars(0.1)],
      ["↳ s-2", formatDollars(0.2)],
      ["↳ ↳ plan", formatDollars(0.3)],
      [`↳ ${said.someSubAgents}`, formatDollars(0.4)],
      ["↳ ring", formatDollars(0)],
    ]);
  });

  test("say nothing of what is not known, and of a difference below a cent", async () => {
    const { element, rows } = await openDetails({
      ...{ branch: undefined, mode: undefined, effort: undefined, linesAdded: undefined, difference: 0.009 },
      ...{ turnCount: 1, turns: details.turns.slice(0, 1), tools: [], subagents: [] },
    });
    expect(element.querySelectorAll("p")).toHaveLength(0);
    expect(rows(said.turns)).toHaveLength(1);
    expect(within(element).getAllByRole("region")).toHaveLength(1);
  });

  test("say when the agent counts less, and lines that were only removed", async () => {
    const { element } = await openDetails({
      ...{ branch: undefined, mode: undefined, effort: undefined, linesAdded: undefined, linesRemoved: 3 },
      ...{ difference: -0.5 },
    });
    expect([...element.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual([
      said.lines(0, 3),
      said.countsLess(formatDollars(2), formatDollars(0.5)),
    ]);
  });

  test("are not offered for an agent whose session is not known", async () => {
    const { region } = await open([agent({ sessionId: "" })]);
    expect(within(region).queryByText(said.details)).toBeNull();
  });
});

test("where no agent runs, that is said", async () => {
  const { region } = await open([]);
  expect(within(region).getByText(said.none)).toBeTruthy();
});
