import type { WebContents } from "electron";
import { expect, test, vi } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";

vi.hoisted(() => vi.resetModules());
vi.mock("electron", () => ({ shell: {}, clipboard: {} }));

const { sessionChannels } = await import("../../../../../main/desktop/windows/session-channels.ts");
const { appChannels } = await import("../../../../../main/desktop/windows/app-channels.ts");

const page = {} as WebContents;
const session = { id: "session-1", client: { mirror: { shells: [{ id: 1, cwd: "/" }] } } };

/** The windows of an app in which the page shows a session of this machine, or of another one. */
function windowsWith({ isLocal }: { readonly isLocal: boolean }) {
  return { sessionOf: () => session, localSessionOf: () => (isLocal ? session : undefined) } as never;
}

test("the files of this machine are for windows of its own sessions", async () => {
  const shell = 1 as ShellId;
  const find = (isLocal: boolean) =>
    sessionChannels(windowsWith({ isLocal }), () => undefined)["session.findFiles"](page, { shell, paths: ["/"] });
  expect(await find(true)).toEqual([true]);
  expect(() => find(false)).toThrow("The files of this session are on another machine.");
});

test("settings of this machine are for windows of its own sessions, and sessions open from every window", () => {
  const done: string[] = [];
  const channels = (isLocal: boolean) =>
    appChannels({
      windows: windowsWith({ isLocal }),
      open: (id: string) => done.push(`open ${id}`),
      choose: () => done.push("choose"),
      connectCommandLine: () => done.push("connect"),
      welcome: { show: () => done.push("welcome"), finish: () => undefined },
    } as never);
  for (const isLocal of [true, false]) {
    const app = channels(isLocal);
    const calls = [
      () => app["app.choose"](page, { startAtLogin: true }),
      () => app["app.connectCommandLine"](page, undefined),
      () => app["app.welcome"](page, { show: true }),
    ];
    for (const call of calls) {
      if (isLocal) call();
      else expect(call).toThrow("This page shows no session of this machine.");
    }
    app["app.openSession"](page, { id: "session-2" as never });
  }
  expect(done).toEqual(["choose", "connect", "welcome", "open session-2", "open session-2"]);
});
