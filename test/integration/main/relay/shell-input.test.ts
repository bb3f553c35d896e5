import { expect, test } from "vitest";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";

/** A shell that prints in octal each byte that its terminal gets, one key a line. */
async function keyReader(relay: TestRelay, before = ""): Promise<number> {
  const script = `stty raw -echo; printf '${before}ready'; while :; do dd bs=64 count=1 2>/dev/null | od -An -tx1; done`;
  const { shellId } = await relay.command<{ shellId: number }>("createShell", { exec: ["sh", "-c", script] });
  await relay.command("waitFor", { id: shellId, text: "ready", since: 0 });
  return shellId;
}

async function bytesAfter(relay: TestRelay, id: number, act: () => Promise<unknown>, hex: string): Promise<void> {
  const { end } = await relay.command<{ end: number }>("getShellOutput", { id, lines: 1 });
  await act();
  await relay.command("waitFor", { id, text: hex, fixed: true, since: end, timeout: 10 });
}

test("keys arrive as the terminal's mode asks for them", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const normal = await keyReader(relay);
  const press = (id: number, keys: string[]) => relay.command("sendKeys", { id, keys });
  await bytesAfter(relay, normal, () => press(normal, ["C-c"]), "03");
  await bytesAfter(relay, normal, () => press(normal, ["Up", "S-Tab", "M-x"]), "1b 5b 41 1b 5b 5a 1b 78");
  const application = await keyReader(relay, "\\033[?1h");
  await bytesAfter(relay, application, () => press(application, ["Up", "Home"]), "1b 4f 41 1b 4f 48");
  await bytesAfter(relay, application, () => press(application, ["C-Up"]), "1b 5b 31 3b 35 41");
});

test("C-c interrupts what runs, and the shell goes on", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell", { command: "echo begun; sleep 600" });
  await relay.command("waitFor", { id, text: "^begun", since: 0 });
  await relay.command("sendKeys", { id, keys: ["C-c"] });
  await relay.command("waitFor", { id, idle: 300 });
  await relay.command("sendKeys", { id, keys: ["echo after-$((40+2))", "Enter"] });
  await relay.command("waitFor", { id, text: "after-42", since: 0 });
});

test("a backslash and an n are written as they are with literal, and a newline is Enter", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await keyReader(relay);
  const write = (params: object) => relay.command("writeToShell", { id, ...params });
  await bytesAfter(relay, id, () => write({ data: "a\\nb" }), "61 0d 62");
  await bytesAfter(relay, id, () => write({ data: "a\\nb\nc", literal: true }), "61 5c 6e 62 0d 63");
  await bytesAfter(relay, id, () => write({ data: "a\nb", raw: true }), "61 0a 62");
});

test("an ended shell takes no keys, and a key that does not exist presses nothing", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell", { exec: ["false"] });
  await relay.command("waitFor", { id, exit: true });
  const dead = await relay.post({ method: "sendKeys", params: { id, keys: ["C-c"] } });
  expect(dead.headers.get("x-service-error")).toBe("shell_exited");
  const wrong = await relay.post({ method: "sendKeys", params: { id, keys: ["a", "C-nokey"] } });
  expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('"C-nokey"') });
});

test("the same input reaches several shells", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  for (let count = 0; count < 3; count++) await relay.command("createShell", { exec: ["cat"] });
  expect(await relay.command("broadcastInput", { data: "hello-all\\n" })).toEqual({ ids: [1, 2, 3], failed: [] });
  for (const id of [1, 2, 3]) await relay.command("waitFor", { id, text: "hello-all\nhello-all", since: 0 });
});

test("wait-for takes a text as it is, and without regard to letter case", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell", {
    exec: ["sh", "-c", "echo 'Result [OK] (1+1) a.b'; sleep 60"],
  });
  await relay.command("waitFor", { id, text: "a.b", since: 0 });
  const wait = (params: object) => relay.post({ method: "waitFor", params: { id, since: 0, timeout: 0.2, ...params } });
  expect(await wait({ text: "[OK] (1+1) a.b", fixed: true })).toMatchObject({ status: 200 });
  expect(JSON.parse((await wait({ text: "[ok] (1+1)", fixed: true, ignoreCase: true })).text)).toMatchObject({
    result: { match: "[OK] (1+1)" },
  });
  expect(await wait({ text: "result \\[ok", ignoreCase: true })).toMatchObject({ status: 200 });
  expect(await wait({ text: "a.B", fixed: true })).toMatchObject({ status: 504 });
  expect(await wait({ text: "aXb", fixed: true })).toMatchObject({ status: 504 });
});
