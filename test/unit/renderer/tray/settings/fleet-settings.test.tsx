// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { FleetMember, FleetStatus } from "../../../../../core/protocol/fleet.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { renderPanel } from "../../../../support/render-panel.tsx";

const said = words.fleet;
const off: FleetStatus = {
  ...{ state: "off", broker: null, owner: null, name: null, problem: null, members: [], conflicts: [] },
};
const member = (name: string, parts: Partial<FleetMember> = {}): FleetMember => ({
  ...{ name, member: `U${name}`, state: "present", awaySince: null, version: "0.1.0", sessions: 2, isSelf: false },
  ...parts,
});
const joined: FleetStatus = {
  ...{ state: "joined", broker: "nats://b:4222", owner: "ann", name: "laptop", problem: null, conflicts: [] },
  members: [member("laptop", { isSelf: true }), member("box")],
};

async function open(getFleet: FleetStatus, answers: object = {}) {
  const panel = await renderPanel({ isSettings: true, answers: { getFleet, ...answers } });
  await screen.findByRole("navigation", { name: words.settings.sections }, { timeout: 20_000 });
  await panel.user.click(screen.getByRole("button", { name: words.settings.names.machines }));
  const region = await screen.findByRole("region", { name: said.title });
  const press = (name: string) => panel.user.click(screen.getByRole("button", { name }));
  const asked = (name: string) => panel.calls.filter(([called]) => called === name).map(([, params]) => params);
  return { ...panel, region, press, asked };
}

describe("a relay in no fleet", () => {
  const file = "/home/ann/fleet/laptop.creds";

  test("joins one by the broker's address and a file of credentials", async () => {
    const { user, region, press, asked } = await open(off, { "panel.chooseCredentials": { file }, joinFleet: joined });
    expect(within(region).queryByRole("status")).toBeNull();
    const join = () => screen.getByRole<HTMLButtonElement>("button", { name: said.joinIt });
    expect([join().disabled, within(region).getByText(said.noCredentials).title]).toEqual([true, ""]);
    await user.type(screen.getByLabelText(said.broker), " nats://b:4222 ");
    expect(join().disabled).toBe(true);
    await press(said.chooseCredentials);
    expect((await within(region).findByText("laptop.creds")).title).toBe(file);
    await user.click(join());
    expect((await within(region).findByRole("status")).textContent).toBe(said.states.joined);
    expect(asked("joinFleet")).toEqual([{ broker: "nats://b:4222", credentials: file }]);
    expect(within(region).queryByRole("form")).toBeNull();
  });

  test("is told why it cannot join, and may try again", async () => {
    const { user, region, press } = await open(off, {
      ...{ "panel.chooseCredentials": { file }, joinFleet: new Error("the broker refuses these credentials") },
    });
    await user.type(screen.getByLabelText(said.broker), "nats://b:4222");
    await press(said.chooseCredentials);
    await within(region).findByText("laptop.creds");
    await press(said.joinIt);
    expect((await within(region).findByRole("alert")).textContent).toBe("The broker refuses these credentials.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: said.joinIt }).disabled).toBe(false);
  });

  test("joins none without credentials, also where none were chosen", async () => {
    const { user, region, press, asked } = await open(off);
    await user.type(screen.getByLabelText(said.broker), "nats://b:4222{Enter}");
    await press(said.chooseCredentials);
    expect(within(region).getByText(said.noCredentials)).toBeTruthy();
    expect(asked("joinFleet")).toEqual([]);
  });
});

describe("a relay in a fleet", () => {
  const rows = (region: HTMLElement) =>
    within(within(region).getByRole("list", { name: said.machines }))
      .getAllByRole("listitem")
      .map((row) => [
        row.querySelector("h3")?.textContent,
        row.querySelector(".panel-chip")?.textContent,
        row.querySelector(".dot")?.className,
      ]);

  test("says as what, and shows the machines of the fleet", async () => {
    const awaySince = new Date(Date.now() - 3_600_000).toISOString();
    const members = [...joined.members, member("desk", { state: "away", awaySince, sessions: 1 })];
    const { region } = await open({ ...joined, members });
    expect(within(region).getByText(said.as("laptop", "ann", "nats://b:4222"))).toBeTruthy();
    expect(within(region).getByRole("status").textContent).toBe(said.states.joined);
    expect(rows(region)).toEqual([
      [`laptop ${said.thisMachine}`, said.present, "dot good"],
      ["box", said.present, "dot good"],
      ["desk", words.remotes.awayFor("1 h"), "dot bad"],
    ]);
    expect(within(region).getByTitle(words.sessions.sessions(1))).toBeTruthy();
    expect(within(region).queryByRole("alert")).toBeNull();
  });

  test.each(["connecting", "disconnected"] as const)("that is %s says so, and why", async (state) => {
    const { region } = await open({
      ...joined,
      state,
      problem: "no broker answers",
      conflicts: ["a", "b"],
      members: [],
    });
    expect(within(region).getByRole("status").textContent).toBe(said.states[state]);
    expect(within(region).getByRole("status").querySelector(".dot")?.className).toBe("dot wait");
    expect(
      within(region)
        .getAllByRole("alert")
        .map(({ textContent }) => textContent),
    ).toEqual(["No broker answers.", said.conflicts(2)]);
    expect(within(region).queryByRole("list")).toBeNull();
  });

  test("that it cannot start with names the broker alone", async () => {
    const { region } = await open({ ...off, broker: "nats://b:4222", problem: "no credentials" });
    expect(within(region).getByText(said.at("nats://b:4222"))).toBeTruthy();
    expect(within(region).getByRole("status").querySelector(".dot")?.className).toBe("dot bad");
  });

  test("leaves it after the question", async () => {
    const { user, region, press, asked } = await open(joined, { leaveFleet: off });
    await press(said.leave);
    const dialog = () => screen.getByRole("dialog");
    expect(dialog().textContent).toContain(said.leaveBody);
    await user.click(within(dialog()).getByRole("button", { name: words.panel.cancel }));
    expect(asked("leaveFleet")).toEqual([]);
    await press(said.leave);
    await user.click(within(dialog()).getByRole("button", { name: said.leaveIt }));
    await waitFor(() => expect(within(region).queryByRole("status")).toBeNull());
    expect(within(region).getByRole("form", { name: said.join })).toBeTruthy();
  });

  test("stays in it where it cannot leave", async () => {
    const { user, region, press } = await open(joined, { leaveFleet: new Error("Not now.") });
    await press(said.leave);
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: said.leaveIt }));
    await screen.findByText("Not now.");
    expect(within(region).getByRole("status").textContent).toBe(said.states.joined);
  });
});
