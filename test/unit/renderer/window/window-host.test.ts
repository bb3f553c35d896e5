import { expect, test } from "vitest";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { freshState } from "../../../../core/state/client-state.ts";
import type { OnName } from "../../../../preload/channel-names.ts";
import type { MachineLink, OnMessages, PageBridge } from "../../../../preload/channels.ts";
import { createWindowHost } from "../../../../renderer/window/window-host.ts";

const shell = 3 as ShellId;

/** The main process, played by the test. */
function bridge(link?: MachineLink) {
  const calls: [string, unknown][] = [];
  const listeners = new Map<string, Set<(message: never) => void>>();
  const say = <N extends OnName>(name: N, message: OnMessages[N]) => {
    for (const listener of listeners.get(name) ?? []) listener(message as never);
  };
  const page: PageBridge = {
    pathOf: () => "",
    async invoke(name, args) {
      calls.push([name, args]);
      if (name === "session.start")
        say("session.changed", { state: freshState, connected: true, ...(link && { link }) });
      return "answer";
    },
    on(name, listener) {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(listener));
      return () => known.delete(listener);
    },
  };
  return { page, say, calls };
}

test("the host resolves with the first state and notifies the view of every change", async () => {
  const { page, say } = bridge();
  const host = await createWindowHost(page);
  expect(host.snapshot()).toEqual({ state: freshState, mirror: undefined, self: undefined, connected: true });
  let changes = 0;
  const stop = host.subscribe(() => changes++);
  const before = host.snapshot();
  say("session.changed", { connected: false });
  expect(host.snapshot()).not.toBe(before);
  expect(host.snapshot().state).toBe(before.state);
  stop();
  say("session.changed", { connected: true });
  expect(changes).toBe(1);
});

test("output reaches the subscriber of its stream and is acknowledged once the terminal has processed it", async () => {
  const { page, say, calls } = bridge();
  const host = await createWindowHost(page);
  const taken: (() => void)[] = [];
  const shown: unknown[] = [];
  const stop = host.subscribeOutput(shell, {
    bytes: (bytes, done, quiet) => {
      shown.push(bytes, quiet);
      taken.push(done);
    },
    missed: (bytes, snapshot) => shown.push([bytes, snapshot]),
  });
  const [, asked] = calls.find(([name]) => name === "session.listen") ?? [];
  const { stream } = asked as { stream: number };
  say("session.bytes", { stream, bytes: Uint8Array.of(104, 105), quiet: true });
  say("session.missed", { stream, bytes: 9, snapshot: "screen" });
  expect(shown).toEqual([Uint8Array.of(104, 105), true, [9, "screen"]]);
  expect(calls.some(([name]) => name === "session.acknowledge")).toBe(false);
  taken[0]?.();
  expect(calls.at(-1)).toEqual(["session.acknowledge", { stream }]);

  stop();
  expect(calls.at(-1)).toEqual(["session.unlisten", { stream }]);
  say("session.bytes", { stream, bytes: Uint8Array.of(1), quiet: false });
  expect(shown).toHaveLength(3);
});

test("a long paste goes in pieces and in order", async () => {
  const { page, calls } = bridge();
  const host = await createWindowHost(page);
  const text = "é".repeat(200_000);
  host.write(shell, text);
  const pieces = calls.flatMap(([name, args]) => (name === "session.write" ? [(args as { data: string }).data] : []));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe(text);
});

test("a session of another machine offers nothing of this one, and says since when that machine is away", async () => {
  const open: MachineLink = { machine: "box", session: "default", state: "open" };
  const { page, say, calls } = bridge(open);
  const host = await createWindowHost(page);
  expect([host.machine, host.files]).toEqual(["box", undefined]);
  await expect(host.tunnelAddress(8080)).rejects.toThrow("Port 8080 is open on box, not on this machine.");
  await host.uploads?.cancel({ upload: 1 }).catch(() => undefined);
  expect(calls.at(-1)).toEqual(["session.upload", { op: "cancelUpload", params: { upload: 1 } }]);

  say("session.changed", { connected: false, link: { ...open, state: "away", since: "2020-01-02T03:04:05.000Z" } });
  expect(host.snapshot().away).toMatch(/^box is away since .*2020/);
  say("session.changed", { connected: true, link: open });
  expect(host.snapshot().away).toBeUndefined();
  expect(host.link()).toEqual(open);

  const here = await createWindowHost(bridge().page);
  expect(here).toMatchObject({ files: expect.anything(), link: expect.any(Function) });
  expect([here.machine, here.uploads, here.link()]).toEqual([undefined, undefined, undefined]);
});
