import { expect, test } from "vitest";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { reconnect } from "../../../support/scripted-client.ts";
import { startTestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test("hello: a shell is made, written to, and read", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell");
  await relay.command("writeToShell", { id, data: "echo hello-$((40+2))\\n" });
  await relay.command("waitFor", { id, text: "hello-42", since: 0 });
  const read = await relay.command<{ output: string; end: number; missed: number }>("getShellOutput", {
    id,
    plain: true,
  });
  expect(read).toMatchObject({ output: expect.stringMatching(/^hello-42\r?$/m), missed: 0 });
});

test("a shell knows where it lives", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  await relay.command("createShell");
  const line = 'echo "$SERVICE_SHELL_ID $SERVICE_SESSION $SERVICE_URL $TERM"';
  const { output } = await relay.command<{ output: string }>("runCommand", { command: line, wait: true });
  expect(output.trim()).toBe(`1 ${relay.session} ${relay.url} xterm-256color`);
});

test.each(["memory", "socket"] as const)(
  "over %s, a listener gets every byte once, also across a cut",
  async (over) => {
    await using relay = await startTestRelay();
    await using keeper = await relay.join({ kind: "desktop" });
    await relay.command("createShell", {}, keeper.id);
    const page = await relay.join({ kind: "browser", over });
    let heard = "";
    page.client.terminals.subscribe(1 as ShellId, {
      bytes(bytes, done) {
        heard += Buffer.from(bytes).toString("latin1");
        done();
      },
      missed: () => expect.unreachable("nothing was missed"),
    });
    const run = (command: string) => relay.command("runCommand", { command, wait: true }, keeper.id);
    await run("seq 1 20000");
    await until("the first half", () => heard.includes("20000"));
    page.client.disconnect("cut");
    await run("echo while-away; seq 20001 40000");
    await reconnect(page.client, { relay: relay.relay, session: relay.session, key: relay.key }, { over });
    await run("echo the-end");
    await until("the end", () => /the-end\r\n/.test(heard));
    const { output } = await relay.command<{ output: string }>("getShellOutput", { id: 1 }, keeper.id);
    expect(output.startsWith(heard.slice(0, 1000))).toBe(true);
    expect(heard).toBe(output.slice(0, heard.length));
    page.client.disconnect("done");
  },
);

test("a wait goes on when the client that took it leaves", async () => {
  await using relay = await startTestRelay();
  await using desk = await relay.join({ kind: "desktop" });
  const page = await relay.join({ kind: "browser" });
  await relay.command("createShell", {}, desk.id);
  const waiting = relay.post({
    method: "waitFor",
    params: { id: 1, text: "ready-now", since: 0, timeout: 30 },
    target_client_id: page.id,
  });
  await relay.command("getRole", {}, page.id);
  await page.leave();
  await relay.command("writeToShell", { id: 1, data: "echo ready-$(echo now)\\n" }, desk.id);
  expect(await waiting).toMatchObject({ status: 200, text: expect.stringContaining('"match":"ready-now"') });
});

test("a wait that runs out is 504 that says how far it came", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  await relay.command("createShell");
  const answer = await relay.post({ method: "waitFor", params: { id: 1, text: "never-this", timeout: 0.2 } });
  expect([answer.status, answer.headers.get("x-service-error")]).toEqual([504, "wait_timeout"]);
});

test.each([
  [{ cwd: "/no/such/folder" }, "spawn_failed"],
  [{ cwd: "/etc/passwd" }, "spawn_failed"],
  [{ cwd: "/tmp\0/x" }, "spawn_failed"],
])("a shell in %j is refused with a sentence, and none is left", async (params, code) => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const answer = await relay.post({ method: "createShell", params });
  expect([answer.status, answer.headers.get("x-service-error")]).toEqual([400, code]);
  expect(await relay.command("getShells")).toEqual([]);
  expect(relay.errors).toEqual([]);
});
