import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { Lifetime } from "../../../../../core/protocol/lifetime.ts";
import type { OutputFrame } from "../../../../../core/protocol/shell-host.ts";
import { encodeFrame, type Frame, FrameReader } from "../../../../../main/shells/host/frame.ts";
import { writeHostFile } from "../../../../../main/shells/host/host-file.ts";
import { PROTOCOL_VERSION } from "../../../../../main/shells/host/protocol.ts";
import { processStart } from "../../../../../main/system/processes/process-start.ts";
import { runningProcesses } from "../../../../support/processes.ts";
import { until } from "../../../../support/until.ts";
import { hear, startShellsLab, wish } from "./shells-lab.ts";

const run = { timeoutMs: 30_000 };
const digest = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

test("a wait ends in the host when nobody waits for it any more", async () => {
  await using lab = await startShellsLab();
  const host = (await lab.open()).hostFor("s");
  await host.spawn(wish);
  const lifetime = new Lifetime();
  const reason = new RemoteError("unauthenticated", "The credential is no longer valid.");
  const wait = (limit: { lifetime?: Lifetime }) => host.waitFor({ shell: 1, text: "never", timeoutMs: 60_000 }, limit);
  const waits = Array.from({ length: 300 }, () => wait({ lifetime }));
  const refused = (await Promise.allSettled([Promise.race(waits)]))[0];
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "limit_reached" } });
  expect(lifetime.end(reason)).toBeGreaterThan(0);
  const settled = await Promise.allSettled(waits);
  expect(settled.filter(({ status }) => status === "fulfilled")).toEqual([]);
  expect(await host.waitFor({ shell: 1, idle: 1, timeoutMs: 5000 })).toMatchObject({ kind: "idle" });
  await expect(wait({ lifetime })).rejects.toBe(reason);
});

describe("a relay that goes and comes back", () => {
  test("finds the same shells, with title, folder, size, what runs, and the output to the byte", async () => {
    await using lab = await startShellsLab();
    const first = await lab.open();
    const before = first.hostFor("s");
    const { pid } = await before.spawn(wish);
    await before.run({ shell: 1, line: "cd /usr; printf '\\033]0;my title\\007'; seq 1 200000", ...run });
    await before.resize({ shell: 1, cols: 100, rows: 30 });
    await before.type({ shell: 1, line: "read -r answer; echo got $answer" });
    await until("the command to run", async () => !(await before.info({ shell: 1 })).atPrompt);
    const { output, end } = await before.read({ shell: 1 });
    first.keep();
    await first.close();

    const second = await lab.open();
    const after = second.hostFor("s");
    expect(after.list()).toMatchObject([
      { id: 1, pid, command: "/bin/bash", title: "my title", cwd: "/usr", cols: 100, rows: 30, exit: null },
    ]);
    const again = await after.read({ shell: 1 });
    expect([again.offset, again.end, digest(again.output)]).toEqual([0, end, digest(output)]);
    await after.write(1, "me\r");
    expect(await after.waitFor({ shell: 1, text: "^got me$", since: end, ...run })).toMatchObject({
      matched: "got me",
    });
    await until("the command's end", async () => (await after.info({ shell: 1 })).atPrompt);
    expect(await after.run({ shell: 1, line: "stty size", ...run })).toMatchObject({
      output: "30 100\r\n",
      exitCode: 0,
    });
    await second.close();
    expect(existsSync(lab.places.file) || existsSync(lab.places.socket)).toBe(false);
  });

  test("hears what ended in the meantime, and its output is still there", async () => {
    await using lab = await startShellsLab();
    const first = await lab.open();
    const before = first.hostFor("s");
    await before.spawn(wish);
    await before.run({ shell: 1, line: "true", ...run });
    await before.type({ shell: 1, line: "sleep 0.3; echo the end; exit 7" });
    first.keep();
    await first.close();
    await until("the shell's end", () => processStart(before.list()[0]?.pid ?? 0) === undefined);
    const second = await lab.open();
    const after = second.hostFor("s");
    expect(after.list()).toMatchObject([{ id: 1, exit: { exitCode: 7, signal: null } }]);
    expect((await after.read({ shell: 1, plain: true })).output).toContain("the end\n");
    await expect(after.write(1, "x")).rejects.toMatchObject({ code: "shell_exited" });
    await second.close();
  });

  test("an event that comes before anybody listens waits for him", async () => {
    await using lab = await startShellsLab();
    const first = await lab.open();
    await first.hostFor("s").spawn({ ...wish, command: "exit 3" });
    const events = hear(first.hostFor("s"));
    await until("the exit", () => events.some((event) => event.kind === "exited"));
    expect(events.at(-1)).toEqual({ kind: "exited", id: 1, exitCode: 3, signal: null });
    await first.close();
  });
});

describe("the stream of output", () => {
  test("eight listeners get every byte, in order, with windows far smaller than the output", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    await host.spawn(wish);
    await host.run({ shell: 1, line: "stty -opost; true", ...run });
    const from = (await host.read({ shell: 1 })).end;
    const all = Array.from({ length: 8 }, (_, index) => {
      const hash = createHash("sha256");
      const state = { next: from, gaps: 0, hash, frames: 0 };
      const listening = host.subscribe(1, {
        from,
        window: index === 7 ? 1000 : 64 * 1024,
        deliver(frame: OutputFrame) {
          if (frame.kind !== "output") return;
          if (frame.offset !== state.next) state.gaps += 1;
          state.next += frame.bytes.length;
          state.frames += 1;
          hash.update(frame.bytes);
          listening.acknowledge(frame.bytes.length);
        },
      });
      return state;
    });
    const { end } = await host.run({ shell: 1, line: "seq 1 300000", ...run });
    await until("all to have it", () => all.every(({ next }) => next >= end));
    const { output } = await host.read({ shell: 1, since: from, maxBytes: end - from });
    expect(output).toContain("\n300000\n");
    await until("all at the same place", () => new Set(all.map(({ next }) => next)).size === 1);
    expect(new Set(all.map(({ hash }) => hash.digest("hex"))).size).toBe(1);
    expect(all.map(({ gaps }) => gaps)).toEqual(Array(8).fill(0));
    await shells.close();
  });
});

test("a listener that does not acknowledge gets a snapshot when it does, and is told what it missed", async () => {
  await using lab = await startShellsLab();
  const shells = await lab.open();
  const host = shells.hostFor("s");
  await host.spawn(wish);
  const frames: OutputFrame[] = [];
  const listener = host.subscribe(1, { from: "now", window: 256 * 1024, deliver: (frame) => void frames.push(frame) });
  const { offset } = await host.type({ shell: 1, line: "seq 1 1000000; echo do''ne" });
  await host.waitFor({ shell: 1, text: "^done$", since: offset, timeoutMs: 50_000 });
  expect(frames.every(({ kind }) => kind === "output")).toBe(true);
  listener.acknowledge(256 * 1024);
  await until("the snapshot", () => frames.some((frame) => frame.kind === "snapshot" && frame.missed > 1_000_000));
  await shells.close();
});

describe("when the host dies", () => {
  test("its shells are told as lost and named in the log, and the next one starts another host", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    const events = hear(host);
    await host.spawn(wish);
    await host.spawn({ ...wish, id: 2 });
    const waiting = expect(host.waitFor({ shell: 1, text: "never", ...run })).rejects.toMatchObject({
      code: "shells_unreachable",
    });
    const { pid } = lab.host();
    process.kill(pid, "SIGKILL");
    await waiting;
    await until("the loss to be told", () => events.filter(({ kind }) => kind === "lost").length === 2);
    expect(events.filter(({ kind }) => kind === "lost")).toEqual([
      { kind: "lost", id: 1 },
      { kind: "lost", id: 2 },
    ]);
    expect(lab.log.join("\n")).toContain("shells that ended with it: 1, 2 of session s");
    expect(host.list()).toEqual([]);
    await host.spawn({ ...wish, id: 3 });
    expect(await host.run({ shell: 3, line: "echo alive", ...run })).toMatchObject({ output: "alive\r\n" });
    expect(lab.host().pid).not.toBe(pid);
    await shells.close();
  });
});

describe("a host alone", () => {
  test("has a session and a process group of its own", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    await shells.hostFor("s").spawn(wish);
    const { pid } = lab.host();
    const { stdout } = await promisify(execFile)("ps", ["-o", "pgid=,sess=,tty=", "-p", String(pid)]);
    expect(stdout.trim().split(/\s+/)).toEqual([String(pid), String(pid), "?"]);
    await shells.close();
  });

  test("ends by itself when it has no shell and no relay comes back", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    await shells.hostFor("s").spawn(wish);
    await shells.hostFor("s").close({ shell: 1 });
    await shells.hostFor("s").forget({ shell: 1 });
    const { pid } = lab.host();
    shells.keep();
    await shells.close();
    await until("its end", () => processStart(pid) === undefined);
    expect(existsSync(lab.places.file)).toBe(false);
  });

  test("ends with its shells when its data folder has gone: nobody could find it any more", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const { pid: shell } = await shells.hostFor("s").spawn(wish);
    const { pid } = lab.host();
    shells.keep();
    await shells.close();
    rmSync(lab.places.file);
    await until("its end", () => processStart(pid) === undefined && processStart(shell) === undefined);
  });
});

test("a long output is the same for a relay that takes it as bytes and for one that does not know that", async () => {
  await using lab = await startShellsLab();
  const shells = await lab.open();
  const host = shells.hostFor("s");
  await host.spawn(wish);
  await host.run({
    shell: 1,
    line: String.raw`for n in {1..20000}; do printf 'Grüße %s \033[1m\377😀\n' $n; done`,
    ...run,
  });
  const whole = await host.read({ shell: 1 });
  expect(whole.output.length).toBeGreaterThan(200_000);

  const { secret } = lab.host();
  const socket = connect(lab.places.socket);
  const reader = new FrameReader();
  const done = new Promise<Frame>((resolve) => {
    socket.on("data", (piece) => {
      for (const frame of reader.push(piece)) if (frameType(frame) === "done") resolve(frame);
    });
  });
  const call = { type: "call", id: 1, session: "s", method: "read", params: { shell: 1 } };
  for (const message of [{ type: "hello", protocol: PROTOCOL_VERSION, secret }, call]) {
    for (const bytes of encodeFrame(message)) socket.write(bytes);
  }
  const { head, tail } = await done;
  expect(head).toEqual({ type: "done", id: 1, result: whole });
  expect(tail.length).toBe(0);
  socket.destroy();
  await shells.close();
});

test.each([
  ["after nothing", []],
  ["while the session's earlier shells are ended", ["dispose"]],
])("a shell that is started and given up at once, %s, does not stay", async (_when, before) => {
  await using lab = await startShellsLab();
  const shells = await lab.open();
  await shells.hostFor("s").spawn(wish);
  const { pid, secret } = lab.host();
  const socket = connect(lab.places.socket);
  const reader = new FrameReader();
  const answers: Frame["head"][] = [];
  socket.on("data", (piece) => {
    for (const frame of reader.push(piece)) if (frameType(frame) !== "event") answers.push(frame.head);
  });
  const send = (messages: object[]) => socket.write(Buffer.concat(messages.flatMap((message) => encodeFrame(message))));
  send([{ type: "hello", protocol: PROTOCOL_VERSION, secret }]);
  await until("the welcome", () => answers.length === 1);
  const calls = [
    ...before.map((method) => ({ method })),
    { method: "spawn", params: { ...wish, id: 2, inherit: { PATH: process.env.PATH, SHELL: "/bin/bash" } } },
    { method: "forget", params: { shell: 2 } },
  ];
  // In one piece, as a relay's calls reach a host that was busy.
  send(calls.map((each, id) => ({ type: "call", id: id + 1, session: "s", ...each })));
  await until("the answers", () => answers.length === 1 + calls.length);
  expect(answers.slice(1).map((answer) => frameType({ head: answer }))).toEqual(calls.map(() => "done"));
  const inHost = (await runningProcesses()).filter(({ parent }) => parent === pid);
  expect(inHost).toHaveLength(before.length === 0 ? 1 : 0);
  socket.destroy();
  await shells.close();
});

function frameType({ head }: Pick<Frame, "head">): unknown {
  return typeof head === "object" && head !== null && "type" in head ? head.type : undefined;
}

describe("the door", () => {
  test("is private, and opens to nobody without the secret", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    await shells.hostFor("s").spawn(wish);
    expect([statSync(lab.places.file).mode & 0o777, statSync(lab.places.socket).mode & 0o777]).toEqual([0o600, 0o600]);
    for (const bytes of [
      Buffer.concat(encodeFrame({ type: "hello", protocol: 1, secret: "guessed" })),
      Buffer.concat(encodeFrame({ type: "end" })),
      Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ]) {
      const answer = await new Promise<string>((resolve) => {
        let got = "";
        const socket = connect(lab.places.socket, () => socket.write(bytes));
        socket.on("data", (piece) => {
          got += String(piece);
        });
        socket.on("close", () => resolve(got));
        socket.on("error", () => undefined);
      });
      expect(answer).toBe("");
    }
    expect(await shells.hostFor("s").run({ shell: 1, line: "echo fine", ...run })).toMatchObject({
      output: "fine\r\n",
    });
    await shells.close();
  });

  test("lets the latest relay in and sends the one before away, for good", async () => {
    await using lab = await startShellsLab();
    const first = await lab.open();
    const events = hear(first.hostFor("s"));
    await first.hostFor("s").spawn(wish);
    const second = await lab.open();
    await until("the first to be told", () => events.some(({ kind }) => kind === "lost"));
    expect(await second.hostFor("s").run({ shell: 1, line: "echo mine", ...run })).toMatchObject({
      output: "mine\r\n",
    });
    await expect(first.hostFor("s").spawn({ ...wish, id: 2 })).rejects.toMatchObject({ code: "spawn_failed" });
    await first.close();
    expect(await second.hostFor("s").run({ shell: 1, line: "echo still", ...run })).toMatchObject({
      output: "still\r\n",
    });
    await second.close();
  });

  test("a host of another version is told to end, and made to when it does not; that is said", async () => {
    await using lab = await startShellsLab();
    const greetings: string[] = [];
    const old = createServer((socket) => {
      socket.once("data", (piece) => {
        greetings.push(String(piece).includes('"end":true') ? "end" : "hello");
        for (const bytes of encodeFrame({ type: "refused", reason: "protocol 0" })) socket.write(bytes);
        socket.end();
      });
    });
    await new Promise<void>((resolve) => old.listen(lab.places.socket, resolve));
    const stuck = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const pid = await until("its process", () => stuck.pid);
    const startedAt = processStart(pid) ?? null;
    writeHostFile(lab.places.file, { pid, startedAt, socket: lab.places.socket, secret: "s" });
    const ended = once(stuck, "exit");
    await lab.open();
    expect(await ended).toEqual([null, "SIGKILL"]);
    old.close();
    expect(greetings).toEqual(["hello", "end"]);
    expect(lab.log.join("\n")).toContain("another version of Patchbay (protocol 0)");
  });
});
