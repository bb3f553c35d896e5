import { describe, expect, test } from "vitest";
import type { BudgetLimits } from "../../../../../core/protocol/budgets.ts";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { publicName, type Setting, settingList } from "../../../../../core/protocol/settings.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { type AppSettings, settingHandlers } from "../../../../../main/relay/operations/settings.ts";
import { smallSession } from "../small-session.ts";

async function lab(app?: Partial<AppSettings>) {
  let limits: BudgetLimits = { day: null, session: null };
  const texts = new Map<string, string>();
  const appSettings: AppSettings = {
    has: ({ only }) => only === undefined,
    text: ({ name, fallback }) => texts.get(name) ?? fallback,
    set: ({ name }, text) => void texts.set(name, text),
    ...app,
  };
  const budgets = {
    limits: () => limits,
    setLimits: (next: Partial<BudgetLimits>) => {
      limits = { ...limits, ...next };
    },
  };
  const handlers = settingHandlers({ budgets, app: () => (app === undefined ? undefined : appSettings) });
  await using small = smallSession();
  const context = {
    caller: userCaller("ann", "panel"),
    session: small.session,
    signal: new AbortController().signal,
  };
  return {
    limits: () => limits,
    list: async (section?: Setting["section"]) => handlers.listSettings({ section }, context),
    get: async (name: string) => handlers.getSetting({ name }, context),
    set: async (name: string, value: string) => handlers.setSetting({ name, value }, context),
    reset: async (name: string) => handlers.resetSetting({ name }, context),
  };
}

describe("with the app", () => {
  test("every setting of this system is listed; a section has its own", async () => {
    const { list } = await lab({});
    expect((await list()).map(({ name }) => name)).toEqual(
      settingList.filter(({ only }) => only === undefined).map(({ name }) => publicName(name)),
    );
    expect((await list("agents")).map(({ name }) => name)).toEqual(["budget-day", "budget-session"]);
  });

  test("a setting is changed, shown and reset", async () => {
    const { get, set, reset } = await lab({});
    expect(await set("font-size", " 15 ")).toMatchObject({ name: "font-size", value: "15", default: "13" });
    expect(await get("font-size")).toMatchObject({ value: "15", appliesTo: "terminals", restart: false });
    expect(await reset("font-size")).toMatchObject({ value: "13" });
    expect(await get("font")).toMatchObject({ value: "JetBrains Mono" });
    expect(await get("dark-theme")).toMatchObject({ value: "Patchbay" });
    expect(await get("port")).toMatchObject({ value: "default", restart: true });
  });

  test("what is no value is refused with what is one, and changes nothing", async () => {
    const { get, set } = await lab({});
    await expect(set("font-size", "99")).rejects.toThrow('value: expected 8 to 32 px, got "99".');
    await expect(set("theme", "blue")).rejects.toThrow('value: expected system, dark, light, got "blue".');
    expect(await get("font-size")).toMatchObject({ value: "13" });
  });

  test("a refusal of the app is that of the call", async () => {
    const refusal = new RemoteError("invalid_params", "Port 80 is taken or not yours to use: choose another one.");
    const { set } = await lab({ set: () => Promise.reject(refusal) });
    await expect(set("port", "80")).rejects.toBe(refusal);
  });

  test("a setting of another system is none here", async () => {
    const { get } = await lab({});
    await expect(get("option-as-meta")).rejects.toThrow("The setting option-as-meta belongs to another system.");
  });
});

test("without the app only the settings of the relay are there: the budgets that it counts", async () => {
  const { list, get, set, reset, limits } = await lab();
  expect((await list()).map(({ name }) => name)).toEqual(["budget-day", "budget-session"]);
  expect(await set("budget-day", "20")).toMatchObject({ value: "20", default: "none" });
  expect(limits()).toEqual({ day: 20, session: null });
  expect(await reset("budget-day")).toMatchObject({ value: "none" });
  expect(limits()).toEqual({ day: null, session: null });
  await expect(get("theme")).rejects.toThrow("The setting theme belongs to the desktop app");
});
