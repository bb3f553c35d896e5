// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Agent } from "../../../../core/protocol/agent-records.ts";
import { ShellId } from "../../../../core/protocol/ids.ts";
import { type AccountWindow, type AgentContext, describeWindow } from "../../../../core/protocol/quotas.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../renderer/ui/format-time.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.agents.quotas;
const at = "2026-03-14T10:00:00.000Z";
const resetsAt = "2026-03-14T15:00:00.000Z";
const windowOf = (parts: Partial<AccountWindow> = {}): AccountWindow => ({
  ...{ agentType: "claude", account: "/home/one", window: "5h", minutes: 300, usedPercent: 40, resetsAt, at },
  ...parts,
});

async function open(getQuotaWindows: readonly AccountWindow[], agents: readonly Agent[] = []) {
  const panel = await renderPanel({
    content: { sessions: [panelSession({ agents: [...agents] })] },
    answers: { getQuotaWindows },
  });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  await screen.findByRole("region", { name: words.agents.running }, { timeout: 20_000 });
  return panel;
}

describe("the quotas", () => {
  test("have a gauge for each window, how much is used and when it is reset", async () => {
    const windows = [
      windowOf(),
      windowOf({ agentType: "codex", usedPercent: 89.6, resetsAt: null }),
      windowOf({ agentType: "pi", usedPercent: 0, resetsAt: null }),
      windowOf({ agentType: "qwen", usedPercent: 99.7 }),
      windowOf({ agentType: "gemini", usedPercent: 120 }),
    ];
    await open(windows);
    const region = await screen.findByRole("region", { name: said.title });
    const about = describeWindow(windowOf());
    expect(
      within(region)
        .getAllByRole("listitem")
        .map((row) => [...row.children].map((one) => one.textContent)),
    ).toEqual([
      [`claude ${about}`, "", "40%", said.resets(formatTime(resetsAt))],
      [`codex ${about}`, "", "90%", said.reported(formatTime(at))],
      [`pi ${about}`, "", "0%", said.reset(formatTime(at))],
      [`qwen ${about}`, "", "99%", said.resets(formatTime(resetsAt))],
      [`gemini ${about}`, "", "120%", said.resets(formatTime(resetsAt))],
    ]);
    const gauges = [...region.querySelectorAll("meter")];
    expect(gauges.map((gauge) => [gauge.getAttribute("value"), gauge.dataset.full])).toEqual([
      ["40", undefined],
      ["89.6", undefined],
      ["0", undefined],
      ["99.7", "true"],
      ["100", "true"],
    ]);
    expect(gauges[0]?.getAttribute("aria-label")).toBe(said.label(about, "claude"));
    expect(gauges[0]?.getAttribute("aria-valuetext")).toBe(said.used("40%"));
  });

  test("name the account where one kind has several", async () => {
    await open([windowOf(), windowOf({ account: "/home/two" }), windowOf({ window: "week", minutes: 10_080 })]);
    const region = await screen.findByRole("region", { name: said.title });
    const names = within(region)
      .getAllByRole("listitem")
      .map((row) => row.querySelector("span")?.title.split(" · ")[0]);
    expect(names).toEqual(["/home/one", "/home/two", "/home/one"].map((folder) => said.ofAccount("claude", folder)));
  });

  test("have no place where there are none, and are asked for again when an agent reports some", async () => {
    const { change, calls } = await open([]);
    expect(screen.queryByRole("region", { name: said.title })).toBeNull();
    const asked = () => calls.filter(([name]) => name === "getQuotaWindows").length;
    const before = asked();
    const { agentType: _, account: __, ...reported } = windowOf();
    change({ sessions: [panelSession({ agents: [agent(undefined, { windows: [reported] })] })] });
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });
});

function agent(context: AgentContext | undefined, parts: Partial<Agent> = {}): Agent {
  return {
    ...{ shellId: ShellId.parse(1), agentType: "claude", model: "m", sessionId: "a", state: "working" },
    tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
    ...(context === undefined ? {} : { context }),
    ...parts,
  };
}

describe("an agent's context", () => {
  test.each<[AgentContext, string, string]>([
    [{ used: 50_000, size: 200_000 }, said.tokensOf("50K", "200K", "25%"), "25"],
    [{ used: 300_000, size: 200_000 }, said.tokensOf("300K", "200K", "100%"), "100"],
  ])("of %j has a gauge", async (context, detail, value) => {
    await open([], [agent(context)]);
    const gauge = screen.getByRole("meter", { name: said.label(said.context, "claude") });
    expect([gauge.getAttribute("value"), gauge.getAttribute("aria-valuetext")]).toEqual([value, detail]);
    expect(screen.getByText(detail)).toBeTruthy();
  });

  test("has its tokens alone where it is not known how many fit", async () => {
    await open([], [agent({ used: 50_000 })]);
    expect(screen.getByText(said.tokens("50K"))).toBeTruthy();
    expect(screen.queryByRole("meter")).toBeNull();
  });
});
