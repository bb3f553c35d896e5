// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { KeyRecord } from "../../../../../core/operations/keys.ts";
import { describeRestrictions } from "../../../../../core/protocol/key-restrictions.ts";
import type { MachineOverview } from "../../../../../core/protocol/machines.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../../renderer/ui/format-time.ts";
import { renderPanel, usualDesktop } from "../../../../support/render-panel.tsx";

const said = words.keys;
const at = "2026-03-14T10:00:00.000Z";
const record = (name: string, parts: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ id: `id-${name}`, name, owner: "ann", scheme: "api", scopes: [], restrictions: {}, createdAt: at },
  ...{ lastUsedAt: null, expiresAt: null },
  ...parts,
});

async function open(listKeys: readonly KeyRecord[], parts: Parameters<typeof renderPanel>[0] = {}) {
  const { answers = {} } = parts;
  const panel = await renderPanel({ ...parts, isSettings: true, answers: { listKeys, ...answers } });
  await screen.findByRole("navigation", { name: words.settings.sections }, { timeout: 20_000 });
  const choose = (name: string) => panel.user.click(screen.getByRole("button", { name }));
  const asked = (name: string) => panel.calls.filter(([called]) => called === name).map(([, params]) => params);
  return { ...panel, choose, asked };
}

async function openKeys(...given: Parameters<typeof open>) {
  const panel = await open(...given);
  await panel.choose(words.settings.names.keys);
  const region = await screen.findByRole("region", { name: said.title });
  return { ...panel, region };
}

describe("the keys of programs", () => {
  test("are listed with their rights, their last use and their end", async () => {
    const restrictions = { readOnly: true } as const;
    const future = new Date(Date.now() + 86_400_000).toISOString();
    const { region } = await openKeys([
      record("new"),
      record("used", { lastUsedAt: at, restrictions }),
      record("short", { expiresAt: future }),
      record("old", { expiresAt: at, lastUsedAt: at }),
    ]);
    await within(region).findByText("new");
    const rows = within(region).getAllByRole("listitem");
    expect(rows.map((row) => [...row.querySelectorAll("span span")].map(({ textContent }) => textContent))).toEqual([
      ["new", said.neverUsed],
      ["used", `${describeRestrictions(restrictions)} · ${said.lastUsed(formatTime(at))}`],
      ["short", `${said.neverUsed} · ${said.until(formatTime(future))}`],
      ["old", `${said.lastUsed(formatTime(at))} · ${said.expired(formatTime(at))}`],
    ]);
    expect(within(region).queryByText(said.none)).toBeNull();
    expect(within(region).getByText(said.keychain)).toBeTruthy();
  });

  test("that there are not are said to be none, and where the command line's own is kept", async () => {
    const desktop = { ...usualDesktop, keychainProblem: "locked" };
    const { region } = await openKeys([], { content: { desktop } });
    expect(await within(region).findByText(said.none)).toBeTruthy();
    expect(within(region).getByText(said.noKeychain)).toBeTruthy();
  });

  test("get a new one by its name, which is shown once", async () => {
    const { user, region, choose, asked } = await openKeys([], { answers: { createKey: { secret: "pb_secret" } } });
    await choose(said.newKey);
    const field = screen.getByRole("textbox", { name: said.name });
    const create = screen.getByRole<HTMLButtonElement>("button", { name: said.create });
    expect([document.activeElement === field, create.disabled]).toEqual([true, true]);
    await user.type(field, "  {Enter}");
    expect(asked("createKey")).toEqual([]);
    await user.type(field, "bot ");
    await user.click(create);
    expect(await within(region).findByText(said.copyNow)).toBeTruthy();
    expect(region.textContent).toContain("pb_secret");
    expect(screen.queryByRole("textbox", { name: said.name })).toBeNull();
    expect(asked("createKey")).toEqual([{ name: "bot" }]);
    expect(asked("listKeys").length).toBe(2);
    await choose(said.done);
    expect(region.textContent).not.toContain("pb_secret");
  });

  test("that could not be listed are not said to be none", async () => {
    const { region, asked } = await openKeys([], { answers: { listKeys: new Error("The relay is busy.") } });
    await waitFor(() => expect(asked("listKeys")).toHaveLength(1));
    expect(await screen.findByText("The relay is busy.")).toBeTruthy();
    expect(within(region).queryByText(said.none)).toBeNull();
  });

  test("are not said to be copied where they were not", async () => {
    const answers = { createKey: { secret: "pb_secret" }, "panel.copySecret": new Error("The clipboard is busy.") };
    const { user, choose } = await openKeys([], { answers });
    await choose(said.newKey);
    await user.type(screen.getByRole("textbox", { name: said.name }), "bot{Enter}");
    await user.click(await screen.findByRole("button", { name: said.copy }));
    expect(await screen.findByText("The clipboard is busy.")).toBeTruthy();
    expect(screen.queryByText(said.copied)).toBeNull();
  });

  test("get one however often Enter is pressed", async () => {
    const { user, choose, asked } = await openKeys([], { answers: { createKey: () => new Promise(() => undefined) } });
    await choose(said.newKey);
    await user.type(screen.getByRole("textbox", { name: said.name }), "bot{Enter}{Enter}");
    expect(asked("createKey")).toEqual([{ name: "bot" }]);
  });

  test("keep a form that was opened after another one was left", async () => {
    let done: () => void = () => undefined;
    const made = new Promise<object>((resolve) => {
      done = () => resolve({ secret: "pb_secret" });
    });
    const { user, choose } = await openKeys([], { answers: { createKey: () => made } });
    const field = () => screen.getByRole("textbox", { name: said.name });
    await choose(said.newKey);
    await user.type(field(), "one{Enter}{Escape}");
    await choose(said.newKey);
    await user.type(field(), "two");
    done();
    await screen.findByText(said.copyNow);
    expect(field()).toHaveProperty("value", "two");
  });

  test("keep a new one's secret on show where the next is not made", async () => {
    let isMade = false;
    const createKey = () => {
      if (isMade) throw new Error("There are too many keys.");
      isMade = true;
      return { secret: "pb_secret" };
    };
    const { user, region, choose, asked } = await openKeys([], { answers: { createKey } });
    for (const count of [1, 2]) {
      await choose(said.newKey);
      await user.type(screen.getByRole("textbox", { name: said.name }), "bot{Enter}");
      await waitFor(() => expect(screen.queryByRole("textbox", { name: said.name })).toBeNull());
      expect(asked("createKey")).toHaveLength(count);
    }
    expect(region.textContent).toContain("pb_secret");
  });

  test.each([
    ["revoked", undefined],
    ["day", 86_400],
    ["month", 30 * 86_400],
    ["year", 365 * 86_400],
  ] as const)("get one that only reads, good for %s", async (life, ttl) => {
    const { user, choose, asked } = await openKeys([]);
    await choose(said.newKey);
    await user.selectOptions(screen.getByLabelText(said.goodLabel), said.lifetimes.year);
    await user.selectOptions(screen.getByLabelText(said.goodLabel), said.lifetimes[life]);
    await user.selectOptions(screen.getByLabelText(said.mayLabel), said.mayRead);
    await user.type(screen.getByRole("textbox", { name: said.name }), "bot{Enter}");
    await waitFor(() => expect(asked("createKey")).toHaveLength(1));
    const wanted = { name: "bot", restrictions: { readOnly: true }, ...(ttl === undefined ? {} : { ttl }) };
    expect(asked("createKey")).toEqual([wanted]);
  });

  test("get one from which secrets are hidden", async () => {
    const { user, choose, asked } = await openKeys([]);
    await choose(said.newKey);
    await user.selectOptions(screen.getByLabelText(said.secretsLabel), said.secretsHidden);
    await user.type(screen.getByRole("textbox", { name: said.name }), "bot{Enter}");
    await waitFor(() => expect(asked("createKey")).toHaveLength(1));
    expect(asked("createKey")).toEqual([{ name: "bot", restrictions: { secrets: "hide" } }]);
  });

  test("get none by Escape and by the button that leaves", async () => {
    const { user, choose, asked } = await openKeys([]);
    const field = () => screen.queryByRole("textbox", { name: said.name });
    for (const leave of [() => user.keyboard("{Escape}"), () => choose(said.cancel)]) {
      await choose(said.newKey);
      await user.type(field() as HTMLElement, "x");
      await leave();
      expect(field()).toBeNull();
    }
    expect(asked("createKey")).toEqual([]);
  });

  test("are revoked after the question, and the list is read again", async () => {
    const { user, region, asked } = await openKeys([record("bot")]);
    const revoke = await within(region).findByRole("button", { name: said.revoke("bot") });
    await user.click(revoke);
    const dialog = screen.getByRole("dialog");
    expect(dialog.textContent).toContain(said.revokeQuestion("bot"));
    expect(dialog.textContent).toContain(said.revokeBody);
    await user.click(within(dialog).getByRole("button", { name: words.panel.cancel }));
    expect(asked("revokeKey")).toEqual([]);
    await user.click(revoke);
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: said.revokeKey }));
    await waitFor(() => expect(asked("listKeys")).toHaveLength(2));
    expect(asked("revokeKey")).toEqual([{ key: "id-bot" }]);
  });
});

describe("the keys of other machines", () => {
  const remote = (machine: string, parts: Partial<MachineOverview> = {}): MachineOverview => ({
    ...{ via: "remote", machine, url: "https://x", state: "reachable", key: "valid", version: null, awaySince: null },
    ...{ keepsKey: true, sessions: [], agents: [], cost: 0, questions: [] },
    ...parts,
  });

  test("are listed, and deleted after the question", async () => {
    const remotes = [
      remote("box"),
      remote("desk", { via: "fleet", key: "rejected" }),
      remote("none", { keepsKey: false }),
    ];
    const { user, choose, asked } = await open([], { remotes });
    await choose(words.settings.names.machines);
    const keys = words.remotes.keys;
    const region = await screen.findByRole("region", { name: keys.title });
    expect(
      within(region)
        .getAllByRole("heading", { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual([`box ${words.remotes.remote}`, `desk ${keys.refused(words.remotes.fleet)}`]);
    const press = within(region).getByRole("button", { name: keys.deleteOf("desk") });
    await user.click(press);
    expect(screen.getByRole("dialog").textContent).toContain(keys.body("desk"));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: words.panel.cancel }));
    expect(asked("forgetMachineKey")).toEqual([]);
    await user.click(press);
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: keys.deleteKey }));
    await waitFor(() => expect(asked("forgetMachineKey")).toEqual([{ via: "fleet", machine: "desk" }]));
  });

  test("that there are not have no place", async () => {
    const { choose } = await open([], { remotes: [remote("none", { keepsKey: false })] });
    await choose(words.settings.names.machines);
    await screen.findByRole("region", { name: words.fleet.title });
    expect(screen.queryByRole("region", { name: words.remotes.keys.title })).toBeNull();
  });
});
