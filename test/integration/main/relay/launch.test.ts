import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Shell } from "../../../../core/protocol/records.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

interface Made {
  readonly shellId: number;
  readonly key?: number;
}

/** What a program prints to its end. */
async function printed(relay: TestRelay, id: number): Promise<string> {
  await relay.command("waitFor", { id, exit: true, timeout: 30 });
  return (await relay.command<{ output: string }>("getShellOutput", { id })).output.replaceAll("\r\n", "\n");
}

async function shells(relay: TestRelay): Promise<Shell[]> {
  return relay.command<Shell[]>("getShells");
}

async function keys(relay: TestRelay): Promise<number[]> {
  return (await relay.command<{ key: number }[]>("getTiles")).map(({ key }) => key);
}

describe("a program in place of a shell", () => {
  test("gets its words as they are, and no shell is around it", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const exec = ["printf", "%s|", "two words", "$HOME", "*", "", "é\n'\""];
    const { shellId } = await relay.command<Made>("createShell", { exec, hold: true });
    expect(await printed(relay, shellId)).toBe("two words|$HOME|*||é\n'\"|");
    expect(await shells(relay)).toMatchObject([{ command: expect.stringMatching(/\/printf$/), exitCode: 0 }]);
  });

  test("gets its variables, and ours are its own shell's", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const env = { GREETING: "hello\tworld", EMPTY: "" };
    const exec = ["sh", "-c", 'printf "%s|%s|%s|%s" "$GREETING" "$EMPTY" "$SERVICE_SHELL_ID" "$PPID"'];
    const { shellId } = await relay.command<Made>("createShell", { exec, env, hold: true });
    expect(await printed(relay, shellId)).toBe(`hello\tworld||${shellId}|${process.pid}`);
    const refused = await relay.post({ method: "createShell", params: { env: { SERVICE_TOKEN: "x" } } });
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^params\.env: "SERVICE_TOKEN" is set by/),
    });
  });

  test("is found along its PATH and from its folder", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const bin = join(relay.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "greet"), "#!/bin/sh\necho from-$1\n", { mode: 0o755 });
    writeFileSync(join(bin, "data"), "x", { mode: 0o644 });
    const data = await relay.post({ method: "createShell", params: { exec: [join(bin, "data")] } });
    expect(data.headers.get("x-service-error")).toBe("spawn_failed");
    const ways = [
      { exec: ["greet", "path"], env: { PATH: `/nowhere::${bin}` } },
      { exec: ["./bin/greet", "folder"], cwd: relay.folder },
      { exec: [join(bin, "greet"), "full"] },
    ];
    for (const way of ways) {
      const { shellId } = await relay.command<Made>("createShell", { ...way, hold: true });
      expect(await printed(relay, shellId)).toBe(`from-${way.exec[1]}\n`);
    }
  });

  test.each<[params: object, code: string]>([
    [{ exec: ["no-such-program-here"] }, "spawn_failed"],
    [{ exec: ["./nothing"] }, "spawn_failed"],
    [{ exec: ["/"] }, "spawn_failed"],
    [{ exec: ["ls"], command: "ls" }, "invalid_params"],
    [{ exec: [] }, "invalid_params"],
    [{ exec: "ls" }, "invalid_params"],
  ])("%j is refused, and no tile is left", async (params, code) => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const answer = await relay.post({ method: "createShell", params });
    expect([answer.status, answer.headers.get("x-service-error")]).toEqual([400, code]);
    expect(await keys(relay)).toEqual([]);
    expect(await shells(relay)).toEqual([]);
  });

  test("is told as the program in the foreground, though it prints nothing", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    await relay.command("createShell", { exec: ["sleep", "60"] });
    expect(await shells(relay)).toMatchObject([{ process: "sleep", running: true, title: "sleep" }]);
  });
});

describe("the tile of a program that has ended", () => {
  test.each<[what: string, params: object, stays: boolean]>([
    ["well: closes", { exec: ["true"] }, false],
    ["badly: stays", { exec: ["false"] }, true],
    ["well, held: stays", { exec: ["true"], hold: true }, true],
    ["well, after a while: closes", { exec: ["sleep", "0.2"] }, false],
    ["a shell: stays", { command: "exit 0" }, true],
    ["a shell, not held: closes", { command: "exit 0", hold: false }, false],
  ])("%s", async (_what, params, stays) => {
    await using relay = await startTestRelay();
    await using client = await relay.join();
    const { shellId } = await relay.command<Made>("createShell", { ...params, env: { A: "1" } });
    await client.event("shell.exited");
    await relay.command("waitFor", { id: shellId, exit: true, timeout: 30 });
    if (stays) expect(await keys(relay)).toHaveLength(1);
    else await until("the tile to close", async () => (await keys(relay)).length === 0);
    // Its end and its output can be read either way.
    expect(await shells(relay)).toMatchObject([{ id: shellId, running: false }]);
    const tile = await relay.command<{ key: number }>("openTile", { type: "shell", shell: shellId });
    expect(await keys(relay)).toContain(tile.key);
  });

  test("is closed in the layout that a client comes back to", async () => {
    await using relay = await startTestRelay();
    const client = await relay.join({ kind: "desktop", place: "here" });
    const { shellId } = await relay.command<Made>("splitShell", { exec: ["sh", "-c", "read x"] });
    await client.leave();
    const { host } = relay.relay.sessions.get(relay.session).shells;
    await host.write(shellId as never, "go\r");
    await until("the end", () => relay.relay.sessions.get(relay.session).shells.find(shellId)?.running === false);
    await using _again = await relay.join({ kind: "desktop", place: "here" });
    expect(await keys(relay)).toEqual([]);
  });
});

test("a title that was given stays, whatever programs set", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const exec = ["sh", "-c", 'printf "\\033]2;of the program\\007done"; sleep 60'];
  const { shellId: fixed } = await relay.command<Made>("createShell", { exec, title: "mine" });
  const { shellId: free } = await relay.command<Made>("createShell", { exec });
  await until(
    "the free title",
    async () => (await shells(relay)).find(({ id }) => id === free)?.title === "of the program",
  );
  await relay.command("waitFor", { id: fixed, text: "done", since: 0 });
  expect((await shells(relay)).find(({ id }) => id === fixed)).toMatchObject({ title: "mine", titleFixed: true });
  expect(await relay.command("closeShell", { match: "title:mine" })).toEqual({ id: fixed });
});

describe("respawn", () => {
  test("runs the same again in the same tile, of every client", async () => {
    await using relay = await startTestRelay();
    await using desk = await relay.join({ kind: "desktop" });
    await using page = await relay.join({ kind: "browser" });
    const exec = ["sh", "-c", 'echo "run $N in $PWD as $SERVICE_SHELL_ID"; exit 3'];
    const wanted = { exec, env: { N: "one" }, cwd: "/tmp", title: "job" };
    const { shellId: old, key } = await relay.command<Made>("createShell", wanted, desk.id);
    await relay.command("openTile", { type: "peek", shell: old }, page.id);
    await relay.command("renameTile", { key, name: "label" }, desk.id);
    await relay.command("waitFor", { id: old, exit: true }, desk.id);
    const again = await relay.command<Made>("respawnShell", { match: "title:job" }, desk.id);
    expect(again).toEqual({ shellId: old + 1, key });
    expect(await printed(relay, again.shellId)).toBe(`run one in /tmp as ${again.shellId}\n`);
    const tiles = await relay.command("getTiles", {}, desk.id);
    expect(tiles).toMatchObject([{ key, id: again.shellId, label: "label", title: "job" }]);
    expect(await relay.command("getTiles", {}, page.id)).toMatchObject([{ type: "peek", id: again.shellId }]);
    expect(await shells(relay)).toMatchObject([{ id: again.shellId, ownerClientId: desk.id, exitCode: 3 }]);
  });

  test("a running shell is ended first with force only", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const { shellId } = await relay.command<Made>("createShell", { command: "echo ready-$((40+2))" });
    await relay.command("waitFor", { id: shellId, text: "ready-42", since: 0 });
    const refused = await relay.post({ method: "respawnShell", params: { id: shellId } });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("is running") });
    const again = await relay.command<Made>("respawnShell", { id: shellId, force: true });
    await relay.command("waitFor", { id: again.shellId, text: "ready-42", since: 0 });
    expect(await shells(relay)).toMatchObject([{ id: again.shellId, running: true }]);
  });

  test("what cannot be started again leaves the old shell where it is", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const folder = join(relay.folder, "gone");
    mkdirSync(folder);
    const program = join(relay.folder, "once");
    writeFileSync(program, '#!/bin/sh\nrm -- "$0"\nexit 1\n', { mode: 0o755 });
    const { shellId } = await relay.command<Made>("createShell", { exec: [program], cwd: folder });
    await relay.command("waitFor", { id: shellId, exit: true });
    const refused = await relay.post({ method: "respawnShell", params: { id: shellId } });
    expect(refused.headers.get("x-service-error")).toBe("spawn_failed");
    expect(await shells(relay)).toMatchObject([{ id: shellId }]);
    expect(await keys(relay)).toHaveLength(1);
  });

  test("what another person has started gets no more rights by running again", async () => {
    await using relay = await startTestRelay();
    await using writer = await relay.join({ kind: "browser", role: "writer" });
    await using admin = await relay.join({ kind: "desktop" });
    const exec = ["sh", "-c", 'printf "<%s>" "$SERVICE_TOKEN"; read line'];
    const tokenOf = async (id: number) => {
      await relay.command("waitFor", { id, text: "<.*>", since: 0 }, admin.id);
      const { output } = await relay.command<{ output: string }>("getShellOutput", { id }, admin.id);
      return /<(.*)>/.exec(output)?.[1] ?? "";
    };
    const rename = async (token: string) => {
      const body = { method: "createWorkspace", params: {}, target_client_id: admin.id };
      return (await relay.post(body, { "X-Service-Token": token })).status;
    };
    const { shellId: own } = await relay.command<Made>("createShell", { exec }, admin.id);
    const again = await relay.command<Made>("respawnShell", { id: own, force: true }, admin.id);
    expect(await rename(await tokenOf(again.shellId))).toBe(200);
    const { shellId: theirs } = await relay.command<Made>("createShell", { exec }, writer.id);
    expect(await relay.command("adoptShell", { id: theirs }, admin.id)).toEqual({ status: "adopted" });
    const taken = await relay.command<Made>("respawnShell", { id: theirs, force: true }, admin.id);
    expect(await rename(await tokenOf(taken.shellId))).toBe(403);
  });

  test("a writer does not respawn another's shell", async () => {
    await using relay = await startTestRelay();
    await using owner = await relay.join({ kind: "desktop" });
    await using writer = await relay.join({ kind: "browser", role: "writer" });
    const { shellId } = await relay.command<Made>("createShell", { exec: ["false"] }, owner.id);
    await relay.command("waitFor", { id: shellId, exit: true }, owner.id);
    const refused = await relay.post({ method: "respawnShell", params: { id: shellId }, target_client_id: writer.id });
    expect(refused.headers.get("x-service-error")).toBe("not_your_shell");
  });
});
