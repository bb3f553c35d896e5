import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { newRemoteId, Remotes } from "../../client/remotes.ts";
import { socketLink } from "../../core/client/socket-link.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { axeOn } from "../support/axe.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { startFleetLab } from "../support/fleet-lab.ts";
import { openPanel, openSettings } from "../support/open-panel.ts";
import { type PuppetClient, puppet } from "../support/puppet-client.ts";
import { until } from "../support/until.ts";
import { ok, sessions as remoteSessions, startFakeRelay } from "../unit/cli/fake-relay.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

describe("in one app", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await launchApp({ args: ["--hidden"] });
  });
  afterEach(() => app.closeWindows());
  afterAll(() => app[Symbol.asyncDispose]());

  test("sessions are made, renamed and closed, with what closing would end", async () => {
    const panel = await openPanel(app, desktop);
    await panel.getByRole("button", { name: "New session" }).click();
    await panel.getByRole("textbox", { name: "Name of the new session" }).fill("build farm");
    await panel.keyboard.press("Enter");
    await panel.getByRole("heading", { name: "build farm" }).waitFor();

    await panel.getByRole("button", { name: "More for build farm" }).click();
    await panel.getByRole("button", { name: "Rename" }).click();
    await panel.getByRole("textbox", { name: "New name of build farm" }).fill("Bäckerei 工房");
    await panel.keyboard.press("Enter");
    await panel.getByRole("heading", { name: "Bäckerei 工房" }).waitFor();

    await panel.getByRole("button", { name: "More for Bäckerei 工房" }).click();
    await panel.getByRole("button", { name: "Close session" }).click();
    const question = panel.getByRole("dialog", { name: "Close “Bäckerei 工房”?" });
    expect(await question.textContent()).toContain("It runs no shell.");
    await question.getByRole("button", { name: "Close session" }).click();
    await panel.getByRole("heading", { name: "Bäckerei 工房" }).waitFor({ state: "detached" });
    await panel.getByRole("heading", { name: "default" }).waitFor();
  });

  test("a key is shown once, works, and is refused after it was revoked", async () => {
    const panel = await openSettings(app, desktop);
    await panel.getByRole("button", { name: "People and keys" }).click();
    await panel.getByRole("button", { name: "New key" }).click();
    await panel.getByRole("textbox", { name: "Name of the new key" }).fill("ci");
    await panel.keyboard.press("Enter");
    const secret = (await panel.locator(".panel-secret").textContent()) ?? "";
    const status = async () => {
      const headers = { "x-service-token": secret };
      return (await fetch(`${app.relay.url}/v1/sessions/${app.session}/remote/users`, { headers })).status;
    };
    expect(await status()).toBe(200);
    await panel.getByRole("button", { name: "Done" }).click();
    expect(await panel.content()).not.toContain(secret);
    await panel.getByRole("button", { name: "Revoke ci" }).click();
    await panel.getByRole("button", { name: "Revoke key" }).click();
    await panel.getByRole("button", { name: "Revoke ci" }).waitFor({ state: "detached" });
    expect(await status()).toBe(401);
  });

  test("a login waits in the tray and in the panel with its code, and is denied there", async () => {
    const item = await desktop.trayItem(app.pid);
    const ask = (path: string, body: Record<string, string>) =>
      fetch(`${app.relay.url}/v1/oauth/${path}`, { method: "POST", body: new URLSearchParams(body) });
    const begun = (await (await ask("device_authorization", { client_id: "patchbay-cli" })).json()) as {
      user_code: string;
      device_code: string;
    };
    await until("the login in the tray", async () => (await item.title()).includes("1 waiting for you"));
    await item.choose("patchbay-cli asks to be let in");
    const panel = await app.page("/tray/");
    await panel.getByText(begun.user_code).waitFor();
    await panel.getByRole("button", { name: `Deny the login ${begun.user_code}` }).click();
    await panel.getByText(begun.user_code).waitFor({ state: "detached" });
    const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: "patchbay-cli" };
    const answer = await ask("token", { ...grant, device_code: begun.device_code });
    expect(await answer.json()).toMatchObject({ error: "access_denied" });
  });

  test("a read-only key cannot change anything", async () => {
    const panel = await openSettings(app, desktop);
    await panel.getByRole("button", { name: "People and keys" }).click();
    await panel.getByRole("button", { name: "New key" }).click();
    await panel.getByRole("textbox", { name: "Name of the new key" }).fill("viewer");
    await panel.getByRole("combobox", { name: "It may" }).selectOption("only read");
    await panel.getByRole("combobox", { name: "It is good" }).selectOption("30 days");
    await panel.getByRole("button", { name: "Create" }).click();
    const secret = (await panel.locator(".panel-secret").textContent()) ?? "";
    await panel.getByText(/read-only · never used · until/).waitFor();
    const status = async (method: string) => {
      const answer = await fetch(`${app.relay.url}/v1/sessions/${app.session}/remote/command`, {
        method: "POST",
        headers: { "x-service-token": secret, "content-type": "application/json" },
        body: JSON.stringify({ method, params: {} }),
      });
      return answer.status;
    };
    expect([await status("getShells"), await status("createShell")]).toEqual([200, 403]);
  });
});

test("a guest demoted to reader cannot write, and a disconnected guest cannot return", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell");
  const panel = await openPanel(app, desktop);
  await panel.getByRole("button", { name: "Invite to default" }).click();
  await panel.getByRole("radio", { name: "Can type" }).click();
  await panel.getByRole("button", { name: "Copy local link" }).click();
  const link = await until("the link on the clipboard", async () => {
    const text = await app.electron.evaluate(({ clipboard }) => clipboard.readText());
    return text.includes("/s/") ? text : undefined;
  });
  const tray = await desktop.trayItem(app.pid);
  const entries = async () => (await tray.menu()).map(({ id, label }) => `${id} ${label}`);
  const before = await entries();
  await panel.keyboard.press("Escape");
  const cookie = await enter(link);
  const guest = await join(app, cookie);
  expect(await write(guest, 1)).toBe("answer");

  await panel.getByRole("button", { name: "Role of Gäst" }).click();
  await panel.getByRole("radio", { name: "can watch" }).click();
  await until("the new role", () => guest.frames.some((frame) => JSON.stringify(frame).includes('"role":"reader"')));
  expect(await entries(), "a menu that is replaced closes").toEqual(before);
  expect(await write(guest, 2)).toBe("refused");

  await panel.getByRole("button", { name: "Disconnect Gäst" }).click();
  await panel.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await until("the end of the connection", () => guest.closed);
  await expect(connect(app, cookie)).rejects.toThrow("401");
});

test("the theme and the budgets are kept over a restart; paused, nothing is notified", { tags: "slow" }, async () => {
  const app = await launchApp({ args: ["--hidden"] });
  const settings = await openSettings(app, desktop);
  await settings.getByRole("button", { name: "Appearance" }).click();
  await settings.getByRole("combobox", { name: "Theme of the app" }).selectOption("Light");
  await until("the theme", () => app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource === "light"));
  const panel = await openPanel(app, desktop);
  await panel.getByRole("tab", { name: "Agents" }).click();
  await panel.getByRole("textbox", { name: "A day, all sessions" }).fill("5");
  await panel.getByRole("button", { name: "Set budgets" }).click();
  await panel.getByText("Budgets saved.").waitFor();
  await panel.getByRole("button", { name: "Pause notifications" }).click();
  await panel.getByRole("button", { name: "Resume notifications" }).waitFor();
  await app.call("notify", { title: "Unheard" });
  await panel.getByRole("button", { name: "Resume notifications" }).click();
  await panel.getByRole("button", { name: "Pause notifications" }).waitFor();
  await app.call("notify", { title: "Heard" });
  await until("the later notification", () => desktop.notifications.some(({ title }) => title === "Heard"));
  expect(desktop.notifications.filter(({ title }) => title === "Unheard")).toEqual([]);
  await app.stop();

  await using again = await launchApp({ data: app.data, args: ["--hidden"] });
  await until("the theme", () => again.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource === "light"));
  const later = await openPanel(again, desktop);
  await later.getByRole("tab", { name: "Agents" }).click();
  expect(await later.getByRole("textbox", { name: "A day, all sessions" }).inputValue()).toBe("5");
  await again.stop();
  await app[Symbol.asyncDispose]();
});

test("the audit log and past notifications list entries with outcomes, can be searched, and show no secrets", {
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openPanel(app, desktop);
  await panel.getByRole("tab", { name: "Activity" }).click();
  await app.call("createShell", { command: "echo s3cret" });
  await expect(app.call("focusTile", { key: 99 })).rejects.toThrow("404");
  await app.call("notify", { title: "Build finished", body: "12 tests passed" });
  const opened = panel.getByRole("listitem").filter({ hasText: "opened a shell" });
  await opened.first().waitFor();
  const failed = panel.getByRole("listitem").filter({ hasText: "Focus a tile" });
  expect(await failed.textContent()).toContain("unknown tile");
  await opened.first().getByRole("button", { name: "Details" }).click();
  const raw = panel.getByRole("region", { name: "Entry of the audit log" });
  expect(await raw.textContent()).toContain("(11 characters)");
  expect(await panel.content()).not.toContain("s3cret");

  await panel.getByRole("combobox", { name: "Kind of activity" }).selectOption("Failures");
  await opened.first().waitFor({ state: "detached" });
  await failed.waitFor();
  await panel.getByRole("searchbox", { name: "Search in the activity" }).fill("createShell");
  await panel.getByText("Nothing matches.").waitFor();
  await panel.getByRole("combobox", { name: "Kind of activity" }).selectOption("Notifications");
  await panel.getByRole("button", { name: "Show where “Build finished” came from" }).click();
  await app.window();
});

test("other machines are listed with their sessions and agents, and one that is away with the time since", {
  tags: "slow",
}, async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-machines-"));
  await using relay = await startFakeRelay(({ url }, response) => {
    const agent = { shellId: 3, agentType: "claude", state: "waiting", tokenUsage: { cost: 1.5 } };
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, url === "/v1/sessions" ? remoteSessions : [agent]);
  });
  const remotes = new Remotes(data);
  const addedAt = "2026-11-21T04:00:00.000Z";
  remotes.add("box", { id: newRemoteId(), url: relay.url, addedAt });
  remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  remotes.noteSeen("pi", new Date(Date.now() - 3 * 3_600_000));
  {
    await using app = await launchApp({ data, args: ["--hidden"], env: { SERVICE_TOKEN_BOX: "pb_box" } });
    const panel = await openPanel(app, desktop);
    await panel.getByRole("region", { name: "Machine pi" }).getByText("away for 3 h").waitFor();
    const box = panel.getByRole("region", { name: "Machine box" });
    await box.getByText("claude · waits for you").waitFor();
    await panel.getByRole("tab", { name: "Agents" }).press("Enter");
    await box.getByText("$1.50 by its running agents").waitFor();
    const { violations } = await axeOn(panel).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await rm(data, { recursive: true, force: true });
});

test("a session of another machine opens in a window with a key that the panel takes, and goes on after a revocation and an absence", {
  tags: "slow",
}, async () => {
  await using lab = await startFleetLab(["box"], {}, { members: ["laptop"] });
  const box = lab.relay("box");
  const key = box.relay.keys.create({ owner: box.relay.user, name: "window" }).secret;
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-machines-"));
  const remotes = new Remotes(data);
  remotes.add("direct", { id: newRemoteId(), url: box.url, addedAt: "2026-11-21T04:00:00.000Z" });
  const fleet = { broker: lab.broker.url, credentials: lab.broker.credentialsOf("laptop") };
  await writeFile(path.join(data, "fleet.json"), JSON.stringify(fleet));
  {
    // Without WebGL xterm.js draws text as DOM, so that a test can read it.
    const switches = ["--disable-gpu", "--disable-software-rasterizer"];
    await using app = await launchApp({ data, switches, args: ["--hidden"] });
    const panel = await openPanel(app, desktop);
    const direct = panel.getByRole("region", { name: "Machine direct", exact: true });
    await giveKey(direct, "direct", "pb_wrong");
    await direct
      .getByRole("alert")
      .getByText(/direct does not accept the key/)
      .waitFor();
    await giveKey(direct, "direct", key);
    await direct.getByRole("button", { name: "Open default on direct" }).waitFor();
    await direct.getByRole("button", { name: "Open default on direct" }).press("Enter");
    const window = await app.window();
    await window.getByRole("button", { name: "Menu of the session default on direct" }).waitFor();
    expect(await titles(app)).toContain("default on direct - Patchbay");
    await window.getByRole("button", { name: "New shell" }).first().press("Enter");
    await window.locator(".xterm").waitFor();
    await window.keyboard.type("echo typed-$((40+2))\n");
    await until("the output", async () => (await window.locator(".xterm-rows").textContent())?.includes("typed-42"));

    box.relay.keys.revoke("window");
    await window.getByRole("heading", { name: "No access to “default” on direct" }).waitFor();
    await window
      .getByRole("alert")
      .getByText(/direct does not accept the key/)
      .waitFor();
    expect(await window.locator(".xterm").count()).toBe(0);
    await checkAccessible(window);
    await window.keyboard.press("Enter");
    await direct.getByRole("form", { name: "Key for direct" }).waitFor();
    await checkAccessible(panel);
    await giveKey(direct, "direct", box.key);
    await until("the output again", async () =>
      (await window.locator(".xterm-rows").textContent())?.includes("typed-42"),
    );
    await window.close();

    const member = panel.getByRole("region", { name: "Machine box of the fleet" });
    await openPanel(app, desktop);
    const openWindow = async (target: string) => {
      // Below the path of the session, as `fetch` makes it: /v1/windows.
      const answer = await app.fetch("../../windows", { target });
      return [answer.status, answer.headers.get("x-service-error"), JSON.parse(answer.ok ? await answer.text() : "{}")];
    };
    const opened = { machine: "box", session: box.session };
    expect(await openWindow("box/default")).toEqual([200, null, { result: { ...opened, state: "key-wanted" } }]);
    await member.getByText("No key for box is kept on this machine.").waitFor();
    await giveKey(member, "box", box.key);
    const other = await app.window();
    await other.getByRole("button", { name: "Menu of the session default on box" }).waitFor();
    expect(await openWindow(`box/${box.session}`)).toEqual([200, null, { result: { ...opened, state: "opened" } }]);
    expect(await openWindow("box/other")).toEqual([404, "unknown_session", {}]);
    expect(await openWindow("other/default")).toEqual([400, "invalid_params", {}]);
    expect(app.electron.windows().filter((page) => page.url().includes("/window/")).length).toBe(1);
    await box.relay.fleet?.[Symbol.asyncDispose]();
    await other.getByText(/The connection is lost\. box is away since/).waitFor();
    await lab.join("box");
    await other.getByText("Connected", { exact: true }).waitFor();

    // The key is in no page, and in nothing that was printed.
    for (const page of [other, panel]) {
      const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location]));
      expect(kept + (await page.content())).not.toContain(box.key);
    }
    expect(app.output).not.toContain(box.key);

    const settings = await openSettings(app, desktop);
    await settings.getByRole("button", { name: "Machines and fleet" }).press("Enter");
    await settings.getByRole("button", { name: "Delete the key of box" }).press("Enter");
    await settings.getByRole("button", { name: "Delete key" }).press("Enter");
    await other.getByText("The key for box was deleted.").waitFor();
    await settings.getByRole("button", { name: "Delete the key of box" }).waitFor({ state: "detached" });
    await checkAccessible(settings);
    await checkAccessible(panel);
  }
  await rm(data, { recursive: true, force: true });
});

test("no part of the panel breaks a rule of accessibility, in either theme", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openPanel(app, desktop);
  for (const theme of ["light", "dark"] as const) {
    await app.electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    for (const tab of ["Now", "Sessions", "Agents", "Activity"]) {
      await panel.getByRole("tab", { name: tab }).click();
      await panel.getByRole("tabpanel").locator("> *").first().waitFor();
      const { violations } = await axeOn(panel).analyze();
      expect(violations.map(({ id, nodes }) => [theme, tab, id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  }
});

test("no section of the settings breaks a rule of accessibility, in either theme", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const settings = await openSettings(app, desktop);
  for (const theme of ["light", "dark"] as const) {
    await app.electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    const check = async (state: string) => {
      const { violations } = await axeOn(settings).analyze();
      expect(violations.map(({ id, nodes }) => [theme, state, id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    for (const section of ["General", "Appearance", "Terminal", "Shortcuts", "Notifications", "Health", "About"]) {
      await settings.getByRole("button", { name: section, exact: true }).click();
      await settings.locator(".settings-body > *").nth(1).waitFor();
      await check(section);
    }
    await settings.getByRole("button", { name: "People and keys" }).press("Enter");
    await settings.getByRole("button", { name: "New key" }).press("Enter");
    await check("form of a key");
    await settings.getByRole("textbox", { name: "Name of the new key" }).fill(`for ${theme}`);
    await settings.getByRole("button", { name: "Create" }).press("Enter");
    await settings.getByText("This is shown once.").waitFor();
    await check("a key's secret");
    await settings.getByRole("button", { name: "Done" }).press("Enter");
  }
});

/** Goes through an invite as a browser does; answers the cookie. */
async function enter(link: string): Promise<string> {
  const [page = "", invite = ""] = link.split("#");
  const answer = await fetch(`${page}/enter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ invite, name: "Gäst" }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function connect(app: TestApp, cookie: string): Promise<WebSocket> {
  const address = `${app.relay.url.replace("http", "ws")}/s/${app.session}/socket`;
  const socket = new WebSocket(address, { headers: { cookie, origin: app.relay.url } });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return socket;
}

async function join(app: TestApp, cookie: string): Promise<PuppetClient> {
  const socket = await connect(app, cookie);
  return puppet(socketLink(socket));
}

/** Types into the first shell; answers what the relay made of it. */
async function write(guest: PuppetClient, id: number): Promise<string> {
  guest.say({ type: "ask", id, op: "writeShell", params: { shell: 1, data: ":\n" } });
  return until("the relay's word", () => {
    const frame = guest.frames.find((one) => (one.type === "answer" || one.type === "refused") && one.id === id);
    return frame?.type;
  });
}

async function giveKey(machine: Locator, name: string, key: string): Promise<void> {
  const field = machine.getByLabel(`API key of ${name}`);
  await field.fill(key);
  await field.press("Enter");
}

function titles(app: TestApp): Promise<string[]> {
  return app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.getTitle()));
}

async function checkAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // The panel hides behind the settings, and a hidden window does not end the transition of a colour.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await axeOn(page).analyze();
    expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html }) => html)])).toEqual([]);
  }
}
