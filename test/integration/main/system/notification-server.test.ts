import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import dbus from "dbus-next";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectToBus } from "../../../../main/system/dbus/connection.ts";
import { SessionBus } from "../../../../main/system/dbus/session-bus.ts";
import { notificationProblem, trayIconProblem } from "../../../../main/system/desktop-services.ts";
import { NOTIFICATIONS, NotificationServer } from "../../../../main/system/notification-server.ts";
import { type Script, ScriptedNotifications } from "../../../support/dbus/scripted-notifications.ts";
import { TrayWatcher } from "../../../support/dbus/tray-watcher.ts";
import { type PrivateBus, startPrivateBus } from "../../../support/private-bus.ts";
import { until } from "../../../support/until.ts";

let daemon: PrivateBus;
let bus: SessionBus;
let ours: NotificationServer;
const stops: (() => void)[] = [];

beforeEach(async () => {
  daemon = await startPrivateBus();
  bus = new SessionBus({ DBUS_SESSION_BUS_ADDRESS: daemon.address });
  ours = new NotificationServer(bus);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  ours[Symbol.dispose]();
  bus[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
});

/** A desktop's notification server, until the test ends. */
async function startServer(script: Script = {}): Promise<ScriptedNotifications> {
  const server = await ScriptedNotifications.start(daemon.address, script);
  stops.push(() => server.stop());
  return server;
}

const plain = { title: "Build", body: "12 < 13 & more", buttons: [], activated: () => undefined };
const problem = () => notificationProblem(() => bus.connection());

test("a notification is shown once the server has accepted it; clicks and buttons are reported", async () => {
  const server = await startServer();
  const pressed: string[] = [];
  const mute = [{ action: "mute", label: "Mute" }];
  const id = await ours.show({ ...plain, buttons: mute, activated: (action) => pressed.push(action) });
  expect(server.received).toEqual([
    {
      title: "Build",
      body: "12 < 13 & more",
      actions: ["default", "Open", "mute", "Mute"],
    },
  ]);
  server.activate(id, "mute");
  await until("the button", () => pressed.length === 1);
  server.activate(id, "default");
  const second = await ours.show({ ...plain, activated: (action) => pressed.push(action) });
  server.activate(second);
  await until("the click", () => pressed.length === 2);
  expect(pressed).toEqual(["mute", "default"]);
});

test("a click that follows its notification's answer at once is not lost", async () => {
  await startServer({ clickAtOnce: true });
  const clicked: string[] = [];
  for (const title of ["1", "2", "3", "4", "5"]) {
    await ours.show({ ...plain, title, activated: () => clicked.push(title) });
  }
  await until("every click", () => clicked.length === 5);
});

test("a server that reads markup gets none from us", async () => {
  const server = await startServer({ capabilities: ["body-markup"] });
  await ours.show(plain);
  expect(server.received).toMatchObject([{ body: "12 &lt; 13 &amp; more", actions: [] }]);
});

test("characters that act instead of being shown do not reach a server", async () => {
  const server = await startServer({ capabilities: ["body-markup"] });
  const body = "\u001b[2J<a href='x'>\u202egnp.exe\u202c</a>\u0000\tnext\r\nline \u{1f468}\u200d\u{1f469}";
  await ours.show({ ...plain, title: "a\u0007b\u200b\u2066c", body });
  expect(server.received).toMatchObject([
    { title: "abc", body: "[2J&lt;a href='x'&gt;gnp.exe&lt;/a&gt; next\nline \u{1f468}\u200d\u{1f469}" },
  ]);
});

test("without a server it is refused at once and said; the server may come, go and come back", async () => {
  await expect(ours.show(plain)).rejects.toThrow();
  expect(await problem()).toMatchObject({
    found: "Native notifications do not work: no notification server is on the session bus.",
    advice: expect.stringContaining("apt install"),
  });
  const changes: number[] = [];
  bus.onOwnerChange(NOTIFICATIONS, () => changes.push(1));
  const first = await startServer();
  await until("the news of it", () => changes.length === 1);
  expect(await problem()).toBeUndefined();
  await ours.show(plain);
  first.stop();
  await until("the news of its end", () => changes.length === 2);
  await expect(ours.show(plain)).rejects.toThrow();
  const server = await startServer();
  await ours.show(plain);
  expect(server.received).toHaveLength(1);
});

test("a server that does not answer holds nobody up, and what it shows too late is taken back", async () => {
  let accept = (_id: number) => {};
  const late = new Promise<number>((resolve) => {
    accept = resolve;
  });
  const server = await startServer({ notify: () => late });
  const started = performance.now();
  await expect(ours.show(plain)).rejects.toThrow("did not answer within 2 s");
  expect(performance.now() - started).toBeLessThan(10_000);
  accept(7);
  await until("the late notification's end", () => server.closed.includes(7));
});

test("a server that answers nothing at all, and one that answers nonsense, are refused", async () => {
  await startServer({ information: () => undefined, notify: () => 0 });
  expect(await problem()).toMatchObject({
    found: "Native notifications do not work: the notification server does not answer.",
  });
  await expect(ours.show(plain)).rejects.toThrow();
});

test("the bus itself may end and another take its place", async () => {
  await startServer();
  await ours.show(plain);
  await daemon.kill();
  await expect(ours.show(plain)).rejects.toThrow();
  expect((await problem())?.found).toMatch(/cannot be reached/);
});

test("what speaks no D-Bus at the bus's address is given up, not waited for", async () => {
  for (const answer of ["REJECTED EXTERNAL\r\n", `OK 1234\r\n${"A".repeat(64)}`, "x".repeat(10_000)]) {
    const file = path.join(tmpdir(), `not-a-bus-${process.pid}-${answer.length}`);
    const fake = createServer((socket) => {
      stops.push(() => socket.destroy());
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(answer));
    });
    await new Promise<void>((resolve) => fake.listen(file, resolve));
    const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${file}` };
    await expect(connectToBus(env)).rejects.toThrow("the session bus cannot be reached");
    fake.close();
  }
  await expect(connectToBus({})).rejects.toThrow("this session has no D-Bus session bus");
});

test("a tray counts when its desktop shows icons", async () => {
  const tray = () => trayIconProblem(() => bus.connection());
  expect((await tray())?.found).toBe("There is no tray: nothing on this desktop shows tray icons.");
  const connection = dbus.sessionBus({ busAddress: daemon.address });
  stops.push(() => connection.disconnect());
  connection.export("/StatusNotifierWatcher", new TrayWatcher());
  await connection.requestName("org.kde.StatusNotifierWatcher", 0);
  expect(await tray()).toBeUndefined();
});
