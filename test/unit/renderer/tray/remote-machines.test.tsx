// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import type { MachineOverview } from "../../../../core/protocol/machines.ts";
import { formatDollars } from "../../../../renderer/tray/format.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { renderPanel, usualDesktop } from "../../../support/render-panel.tsx";

const said = words.remotes;
const key = said.giveKey;
const agent = (parts: object = {}) => ({
  ...{ session: "work", shellId: 1, agentType: "claude", state: "working", cost: 0.5 },
  ...parts,
});

function remote(parts: Partial<MachineOverview> = {}): MachineOverview {
  return {
    ...{ via: "remote", machine: "box", url: "https://box.example:7717", state: "reachable", key: "valid" },
    ...{ version: "0.1.0", awaySince: null, keepsKey: true, agents: [], cost: 0, questions: [] },
    sessions: [{ id: "session-0000000b", name: "work" }],
    ...parts,
  };
}

async function open(remotes: readonly MachineOverview[], parts: Parameters<typeof renderPanel>[0] = {}) {
  const panel = await renderPanel({ ...parts, remotes });
  const show = (tab: "sessions" | "agents") =>
    panel.user.click(screen.getByRole("tab", { name: words.panel.tabs[tab] }));
  await show("sessions");
  const asked = (name: string) => panel.calls.filter(([called]) => called === name).map(([, params]) => params);
  return { ...panel, show, asked };
}
const region = (name = said.machine("box")) => screen.findByRole("region", { name }, { timeout: 20_000 });
const chip = (element: HTMLElement) => [
  element.querySelector(".panel-chip")?.textContent,
  element.querySelector(".panel-chip .dot")?.className,
];

test("a session of another machine says how many questions wait in it, while they can be answered", async () => {
  const asked = (id: number) => ({
    session: "work",
    question: questionOf({ id, session: SessionId.parse("session-0000000b") }),
  });
  const parts = { questions: [asked(1), asked(2)], agents: [agent()] };
  await open([remote(parts), remote({ ...parts, machine: "dock", state: "away" })]);
  const row = async (machine: string) =>
    within(await region(said.machine(machine)))
      .getByRole("heading", { name: "work" })
      .closest("li");
  const box = await row("box");
  expect(box?.dataset.waits).toBe("true");
  expect(box?.textContent).toContain(`${words.sessions.waiting(2)} · ${words.agents.count(1)}`);
  const dock = await row("dock");
  expect(dock?.dataset.waits).toBe("false");
  expect(dock?.textContent).not.toContain(words.sessions.waiting(2));
});

describe("another machine", () => {
  test("has its sessions with their agents, and opens one", async () => {
    const { asked, user } = await open([
      remote({
        sessions: [
          { id: "session-0000000b", name: "work" },
          { id: "session-0000000c", name: "quiet" },
        ],
        agents: [agent(), agent({ agentType: "codex", shellId: 2, state: "waiting" }), agent({ session: "x" })],
      }),
    ]);
    const box = await region();
    expect(chip(box)).toEqual([said.states.reachable, "dot good"]);
    expect(within(box).getByTitle("box · https://box.example:7717")).toBeTruthy();
    expect(within(box).queryByText(said.fleet)).toBeNull();
    const [work, quiet] = within(within(box).getByRole("list", { name: said.sessionsOn("box") }))
      .getAllByRole("heading")
      .map((heading) => heading.closest("li") as HTMLElement) as [HTMLElement, HTMLElement];
    expect([work.dataset.waits, quiet.dataset.waits]).toEqual(["true", "false"]);
    expect([work, quiet].map((one) => one.querySelector(".panel-number")?.textContent)).toEqual([
      words.agents.count(2),
      "",
    ]);
    const chips = within(within(work).getByRole("list", { name: said.agentsIn("work", "box") })).getAllByRole(
      "listitem",
    );
    expect(chips.map(({ textContent }) => textContent)).toEqual([
      words.agents.withState("claude", words.agents.states.working),
      words.agents.withState("codex", words.agents.states.waiting),
    ]);
    expect(chips.map((one) => one.querySelector(".dot")?.className)).toEqual(["dot good", "dot wait"]);
    expect(within(quiet).queryByRole("list")).toBeNull();
    await user.click(within(box).getByRole("button", { name: said.openIt("quiet", "box") }));
    expect(asked("panel.openMachine")).toEqual([
      { via: "remote", machine: "box", session: { id: "session-0000000c", name: "quiet" } },
    ]);
  });

  test("of the fleet is marked as such", async () => {
    await open([remote({ via: "fleet" })]);
    const box = await region(said.fleetMachine("box"));
    expect(within(box).getByTitle(said.inFleet).textContent).toBe(said.fleet);
    expect(within(box).getByTitle("box")).toBeTruthy();
  });

  test("without a session says so where it can be used", async () => {
    await open([remote({ sessions: [] }), remote({ machine: "off", sessions: [], state: "away" })]);
    expect(within(await region()).getByText(said.noSession)).toBeTruthy();
    expect(within(await region(said.machine("off"))).queryByText(said.noSession)).toBeNull();
  });

  const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
  test.each<[string, () => Partial<MachineOverview>, RegExp, string]>([
    ["is away since a time", () => ({ state: "away", awaySince: hourAgo() }), /^away for 1/, said.noAnswer],
    ["has just gone away", () => ({ state: "away", awaySince: new Date().toISOString() }), /^away$/, said.noAnswer],
    ["is away since a time that is not known", () => ({ state: "away" }), /^away$/, said.noAnswer],
    [
      "has another certificate",
      () => ({ state: "untrusted", problem: "Compare it." }),
      /^another certificate$/,
      "Compare it.",
    ],
    ["is no relay", () => ({ state: "invalid" }), /^no relay$/, said.notAsked],
    ["refuses the key", () => ({ key: "rejected" }), /^key rejected$/, said.notAsked],
    ["has no key yet, in the fleet", () => ({ via: "fleet", key: "missing" }), /^key missing$/, said.noKeyYet],
  ])("that %s says so, and why", async (_what, parts, state, problem) => {
    const shown = remote(parts());
    await open([shown]);
    const box = await region(shown.via === "fleet" ? said.fleetMachine("box") : said.machine("box"));
    expect(box.querySelector(".panel-chip")?.textContent).toMatch(state);
    expect(box.querySelector(".panel-chip .dot")?.className).toBe("dot bad");
    expect(within(box).getByText(problem)).toBeTruthy();
  });

  test("that answers only in part says so", async () => {
    await open([remote({ problem: "box has more questions." })]);
    expect(within(await region()).getByText("box has more questions.")).toBeTruthy();
  });
});

describe("the agents of other machines", () => {
  test("have their state, session and cost, and the sum", async () => {
    const { show } = await open([
      remote({
        agents: [
          agent(),
          agent({ agentType: "own", state: "thinking", cost: undefined }),
          agent({ agentType: "pi", state: "" }),
        ],
        cost: 0.75,
      }),
    ]);
    await show("agents");
    const list = await screen.findByRole("list", { name: said.agentsOn("box") }, { timeout: 20_000 });
    expect(screen.getByText(said.cost(formatDollars(0.75)))).toBeTruthy();
    const rows = within(list).getAllByRole("listitem");
    expect(
      rows.map((row) => [
        row.querySelector("h3")?.textContent,
        chip(row)[0],
        row.querySelector(".panel-number")?.textContent,
      ]),
    ).toEqual([
      ["claude", words.agents.states.working, formatDollars(0.5)],
      ["own", "thinking", undefined],
      ["pi", words.agents.states.running, formatDollars(0.5)],
    ]);
    expect(rows.map((row) => [row.dataset.waits, row.querySelector("p")?.textContent])).toEqual([
      ["false", "work"],
      ["false", "work"],
      ["false", "work"],
    ]);
  });

  test("are said to be none, but of no machine that cannot be used", async () => {
    const { show } = await open([remote(), remote({ machine: "off", state: "away" })]);
    await show("agents");
    expect(within(await region()).getByText(said.noAgent)).toBeTruthy();
    expect(within(await region(said.machine("off"))).queryByText(said.noAgent)).toBeNull();
  });
});

describe("the key of another machine", () => {
  const form = () => screen.findByRole("form", { name: key.form("box") }, { timeout: 20_000 });

  test("is asked for where none is kept or it is refused, and taken", async () => {
    const { asked, user } = await open([remote({ key: "missing", keepsKey: false })]);
    const shown = await form();
    expect(within(shown).getByText(key.noKey)).toBeTruthy();
    const use = within(shown).getByRole<HTMLButtonElement>("button", { name: key.use });
    const field = within(shown).getByLabelText<HTMLInputElement>(key.label("box"));
    expect([use.disabled, field.type, document.activeElement === field]).toEqual([true, "password", false]);
    await user.type(field, "   ");
    expect(use.disabled).toBe(true);
    await user.type(field, "pb_key ");
    await user.click(use);
    await waitFor(() => expect(field.value).toBe(""));
    expect(asked("giveMachineKey")).toEqual([{ via: "remote", machine: "box", key: "pb_key" }]);
    expect(within(shown).queryByRole("alert")).toBeNull();
  });

  test("that is refused stays in the field, with the reason", async () => {
    const { user } = await open([remote({ key: "rejected" })], {
      answers: { giveMachineKey: new Error("box does not accept it.") },
    });
    const shown = await form();
    expect(within(shown).getByText(key.notValid)).toBeTruthy();
    const field = within(shown).getByLabelText<HTMLInputElement>(key.label("box"));
    await user.type(field, "pb_wrong{Enter}");
    expect((await within(shown).findByRole("alert")).textContent).toBe("box does not accept it.");
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["pb_wrong", "true"]);
    expect(within(shown).getByRole<HTMLButtonElement>("button", { name: key.use }).disabled).toBe(false);
  });

  test("that a session needs is asked for at once, and opens the session", async () => {
    const wanted = {
      ...{ via: "fleet" as const, machine: "box", why: "box refuses the session." },
      session: { id: SessionId.parse("session-0000000b"), name: "work" },
    };
    const { asked, user, change } = await open([remote({ via: "fleet" }), remote()]);
    await region();
    change({ desktop: { ...usualDesktop, keysWanted: [wanted] } });
    const shown = await form();
    const field = within(shown).getByLabelText(key.label("box"));
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(within(shown).getByText("box refuses the session.")).toBeTruthy();
    expect(shown.textContent).toContain("opens “work”");
    await user.type(field, "pb_key{Enter}");
    await waitFor(() => expect(asked("panel.openMachine")).toHaveLength(1));
    expect(asked("giveMachineKey")).toEqual([
      { via: "fleet", machine: "box", key: "pb_key", remoteSession: "session-0000000b" },
    ]);
    expect(asked("panel.openMachine")).toEqual([
      { via: "fleet", machine: "box", session: { id: "session-0000000b", name: "work" } },
    ]);
  });

  test.each<[string, Partial<MachineOverview>]>([
    ["where it is valid", {}],
    ["for a relay of the fleet without one, which lists its sessions all the same", { via: "fleet", key: "missing" }],
    ["where nothing is known of it", { key: "unknown" }],
  ])("is not asked for %s", async (_what, parts) => {
    const shown = remote(parts);
    await open([shown]);
    await region(shown.via === "fleet" ? said.fleetMachine("box") : said.machine("box"));
    expect(screen.queryByRole("form", { name: key.form("box") })).toBeNull();
  });
});

describe("in a browser", () => {
  const content = { desktop: undefined };

  test("a session of a remote is not opened; one of the fleet is, at its own address", async () => {
    await open([remote(), remote({ via: "fleet", machine: "desk" })], { content });
    const box = await region();
    expect(within(box).getByRole("heading", { name: "work" })).toBeTruthy();
    expect(within(box).queryByText(words.sessions.open)).toBeNull();
    const desk = await region(said.fleetMachine("desk"));
    const link = within(desk).getByRole<HTMLAnchorElement>("link", { name: said.openIt("work", "desk") });
    expect([link.getAttribute("href"), link.target]).toEqual(["http://127.0.0.1:7717/s/session-0000000b", "_blank"]);
  });

  test("a key is asked for also where the app would wait until a session is opened", async () => {
    const { asked, user } = await open([remote({ via: "fleet", key: "missing", keepsKey: false })], { content });
    const form = await screen.findByRole("form", { name: key.form("box") }, { timeout: 20_000 });
    await user.type(within(form).getByLabelText(key.label("box")), "pb_key{Enter}");
    await waitFor(() => expect(asked("giveMachineKey")).toEqual([{ via: "fleet", machine: "box", key: "pb_key" }]));
    expect(asked("panel.openMachine")).toEqual([]);
  });
});
