// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { renderPanel, usualDesktop } from "../../../../support/render-panel.tsx";

/** Opens the settings: the window in the app, the panel's place in a browser. */
async function open(parts: Parameters<typeof renderPanel>[0] = {}) {
  const isPage = parts.content !== undefined && "desktop" in parts.content && parts.content.desktop === undefined;
  const panel = await renderPanel({ ...parts, isSettings: !isPage });
  if (isPage) await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.settings }));
  // The place is loaded on demand.
  await screen.findByRole("navigation", { name: words.settings.sections }, { timeout: 20_000 });
  const choose = (name: string) => panel.user.click(screen.getByRole("button", { name }));
  return { ...panel, choose };
}

const sections = () =>
  [...screen.getByRole("navigation", { name: words.settings.sections }).querySelectorAll("button")].map(
    ({ textContent }) => textContent,
  );

test("the app has every section, a browser those that it can do something in", async () => {
  const { page } = await open();
  expect(sections()).toEqual(Object.values({ ...words.settings.names }).toSorted(byOrder));
  page.unmount();
  await open({ content: { desktop: undefined } });
  expect(sections()).not.toContain(words.settings.names.notifications);
  expect(sections()).not.toContain(words.settings.names.machines);
  expect(screen.queryByText("Start at login")).toBeNull();
});

const order = [
  ...["General", "Appearance", "Terminal", "Shortcuts", "Notifications"],
  ...["Agents and budgets", "People and keys", "Webhooks", "Machines and fleet", "Health", "About"],
];
function byOrder(one: string, other: string): number {
  return order.indexOf(one) - order.indexOf(other);
}

test("a setting of the app is set by its name, and shows what the app then says", async () => {
  const { calls, user, change, choose } = await open();
  await choose(words.settings.names.notifications);
  await user.click(screen.getByRole("switch", { name: "An agent was ended" }));
  expect(calls).toContainEqual(["setSetting", { name: "notify-ended", value: "on" }]);
  const { settings } = usualDesktop;
  change({ desktop: { ...usualDesktop, settings: { ...settings, notify: { ...settings.notify, ended: true } } } });
  const shown = () => screen.getByRole("switch", { name: "An agent was ended" }).getAttribute("aria-checked");
  await waitFor(() => expect(shown()).toBe("true"));
});

test("what the command line of this run decides cannot be changed", async () => {
  await open({ content: { desktop: { ...usualDesktop, relay: { ...usualDesktop.relay, portOverridden: true } } } });
  expect(screen.getByRole("spinbutton", { name: "Port" }).hasAttribute("disabled")).toBe(true);
  expect(screen.getByRole("combobox", { name: "Reached from" }).hasAttribute("disabled")).toBe(false);
  expect(screen.getByText("--port")).toBeTruthy();
});

test("the search finds settings by name, by what people call them, and sections; and says when it finds nothing", async () => {
  const { user, choose } = await open();
  const search = screen.getByRole("searchbox", { name: words.settings.find });
  await user.type(search, "do not dist");
  expect(screen.getByRole("switch", { name: "Quiet hours" })).toBeTruthy();
  await user.clear(search);
  await user.type(search, "nosuch");
  expect(screen.getByText(words.settings.nothing("nosuch")).getAttribute("role")).toBe("status");
  await user.clear(search);
  await user.type(search, "doctor");
  const results = screen.getByRole("region", { name: words.settings.results });
  expect(results.textContent).toBe(words.settings.names.health);
  await user.keyboard("{Escape}");
  expect((search as HTMLInputElement).value).toBe("");
  await choose(words.settings.names.health);
  expect(screen.getByRole("heading", { name: words.settings.names.health })).toBeDefined();
});

test("the window opens with the section that was shown last, turns to another one, and closes by its keys", async () => {
  const { calls, user, choose, showSection } = await open();
  await choose(words.settings.names.about);
  const heading = (name: string) => screen.queryByRole("heading", { name });
  expect(localStorage.getItem("patchbay.settings.section")).toBe("about");
  showSection({ section: "health" });
  expect(heading(words.settings.names.about)).toBeNull();
  expect(heading(words.settings.names.health)).not.toBeNull();
  showSection({ section: "notifications", setting: "quietHours" });
  expect(document.activeElement).toBe(screen.getByRole("switch", { name: "Quiet hours" }));
  await user.keyboard("{Control>}f{/Control}");
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: words.settings.find }));
  const closings = () => calls.filter(([name]) => name === "panel.hide").length;
  await user.keyboard("font{Escape}");
  expect(closings()).toBe(0);
  await user.keyboard("{Escape}");
  expect(closings()).toBe(1);
  await user.keyboard("{Control>}w{/Control}");
  expect(closings()).toBe(2);
});

test("Health has what the checks find, what does not work first with its remedy, and checks again", async () => {
  const findings = [
    { check: "relay", state: "ok", found: "The relay answers." },
    { check: "prices", state: "note", found: "One model has no price.", advice: "Install a newer list." },
    { check: "keychain", state: "problem", found: "No keychain.", advice: "Run `sudo apt install gnome-keyring`." },
  ];
  const { calls, choose, change, user } = await open({
    content: { desktop: { ...usualDesktop, keychainProblem: "No keychain (no bus)." } },
    answers: { checkHealth: findings },
  });
  const nav = screen.getByRole("button", { name: `${words.settings.names.health} ${words.health.problems(1)}` });
  expect(nav.querySelector(".panel-waits")).toBeNull();
  await user.click(nav);
  const list = await screen.findByRole("list", { name: words.health.title });
  expect([...list.querySelectorAll("li")].map((item) => item.querySelector("div > p")?.textContent)).toEqual([
    "No keychain.",
    "One model has no price.",
    "The relay answers.",
  ]);
  expect(list.querySelector("[data-state=problem] code")?.textContent).toBe("sudo apt install gnome-keyring");
  // The checks say it in their own words.
  expect(screen.queryByText("No keychain (no bus).")).toBeNull();
  change({ healthIssue: "The store cannot be written" });
  expect(screen.getByText(/The store cannot be written/).getAttribute("role")).toBe("status");
  await choose(words.health.again);
  expect(calls.filter(([name]) => name === "checkHealth").length).toBe(2);
});
