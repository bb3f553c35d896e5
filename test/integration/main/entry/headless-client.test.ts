import { expect, test } from "vitest";
import type { Shell } from "../../../../core/protocol/records.ts";
import { runHeadlessClients } from "../../../../main/entry/headless-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** A relay whose one client is the headless one. */
async function headless() {
  const relay = await startTestRelay();
  const stop = runHeadlessClients(relay.relay, () => undefined);
  await until("the client", () => relay.relay.sessions.get(relay.session).clients.size === 1);
  return { relay, stop };
}

async function sizes(relay: TestRelay): Promise<string[]> {
  const shells = await relay.command<Shell[]>("getShells");
  return shells.map(({ cols, rows }) => `${cols}x${rows}`);
}

async function become(relay: TestRelay, expected: readonly string[]): Promise<void> {
  await until(`sizes ${expected.join(" ")}`, async () => (await sizes(relay)).join() === expected.join());
}

test("shells without a screen have the size of their tiles, whatever becomes of the layout", async () => {
  const { relay, stop } = await headless();
  await using _relay = relay;
  await relay.command("createShell");
  await become(relay, ["160x48"]);
  await relay.command("splitShell", { direction: "horizontal" });
  await become(relay, ["80x48", "80x48"]);
  await relay.command("splitShell", { direction: "vertical" });
  await become(relay, ["80x48", "80x24", "80x24"]);
  await relay.command("setRatio", { tile: 1, ratio: 0.3 });
  await become(relay, ["48x48", "112x24", "112x24"]);
  await relay.command("toggleDirection", { tile: 3 });
  await become(relay, ["48x48", "56x48", "56x48"]);
  await relay.command("maximize", { tile: 2 });
  await become(relay, ["48x48", "160x48", "56x48"]);
  await relay.command("maximize", { tile: 2 });
  await become(relay, ["48x48", "56x48", "56x48"]);
  await relay.command("closeTile", { tile: 3 });
  await become(relay, ["48x48", "112x48", "56x48"]);
  await relay.command("closeShell", { id: 1 });
  await become(relay, ["160x48", "56x48"]);
  const { output } = await relay.command<{ output: string }>("runCommand", {
    command: "stty size",
    tile: 2,
    wait: true,
  });
  expect(output.trim()).toBe("48 160");
  stop();
});

test("a size that another client gave stays until the tile here changes", async () => {
  const { relay, stop } = await headless();
  await using _relay = relay;
  await relay.command("createShell");
  await relay.command("splitShell");
  await become(relay, ["80x48", "80x48"]);
  await using page = await relay.join({ kind: "browser" });
  const [first] = await relay.command<Shell[]>("getShells");
  if (first === undefined) throw new Error("no shell");
  await page.client.ask("resizeShell", { shell: first.id, cols: 101, rows: 33 });
  await relay.command("renameTile", { key: 1, name: "mine" }, 1);
  expect(await sizes(relay)).toEqual(["101x33", "80x48"]);
  await relay.command("setRatio", { tile: 1, ratio: 0.25 }, 1);
  await become(relay, ["40x48", "120x48"]);
  stop();
});
