import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHostFile } from "../../../../main/shells/host/host-file.ts";
import { BUSY_ON_SIGUSR2 } from "../../../support/busy-host.ts";
import { runningProcesses } from "../../../support/processes.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";

interface Answered {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
  readonly ms: number;
}

class Relay {
  readonly lab: ServeLab;
  readonly serve: ServeProcess;
  readonly key: string;

  constructor(lab: ServeLab, serve: ServeProcess, key: string) {
    this.lab = lab;
    this.serve = serve;
    this.key = key;
  }

  static async start(lab: ServeLab): Promise<Relay> {
    const serve = await lab.serve(["--client"], { NODE_OPTIONS: BUSY_ON_SIGUSR2 });
    return new Relay(lab, serve, await lab.makeKey());
  }

  async request(path: string, { body, timeout }: { body?: unknown; timeout?: number } = {}): Promise<Answered> {
    const startedAt = performance.now();
    const answer = await fetch(`${this.serve.url}/v1/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "X-Service-Token": this.key,
        "Content-Type": "application/json",
        ...(timeout === undefined ? {} : { "X-Service-Timeout": String(timeout) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      code: answer.headers.get("x-service-error"),
      text,
      ms: performance.now() - startedAt,
    };
  }

  command(method: string, params: object = {}, timeout?: number): Promise<Answered> {
    const options = timeout === undefined ? {} : { timeout };
    return this.request(`sessions/${this.serve.session}/remote/command`, { body: { method, params }, ...options });
  }

  async result<T>(method: string, params: object = {}): Promise<T> {
    const { status, text } = await this.command(method, params);
    if (status !== 200) throw new Error(`${method}: ${status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  }

  async events(): Promise<string[]> {
    const { text } = await this.request(`sessions/${this.serve.session}/events?follow=false`);
    return [...text.matchAll(/"type":"([a-z.-]+)"/g)].map(([, type = ""]) => type);
  }

  hostPid(): number {
    return readHostFile(join(this.lab.data, "shell-host.json"))?.pid ?? 0;
  }
}

describe("while the process that holds the shells stands still", () => {
  test("every command that needs it answers 504 with the reason, at its own timeout", { tags: "slow" }, async () => {
    await using lab = await startServeLab();
    const relay = await Relay.start(lab);
    const { shellId: id } = await relay.result<{ shellId: number }>("createShell");
    await relay.result("runCommand", { command: "true", wait: true });
    process.kill(relay.hostPid(), "SIGSTOP");
    const answers = await Promise.all([
      relay.command("getShellOutput", { id }, 1),
      relay.command("getShellOutput", { id, screen: true }, 1),
      relay.command("writeToShell", { id, data: "touch written\\n" }, 1),
      relay.command("runCommand", { command: "touch run" }, 1),
      relay.command("runCommand", { command: "touch run", wait: true, timeout: 1 }),
      relay.command("waitFor", { id, text: "x", timeout: 1 }),
      relay.command("closeShell", { id }, 1),
      relay.command("createShell", { command: "touch made" }, 1),
      relay.command("splitShell", {}, 1),
    ]);
    for (const { status, code, text, ms } of answers) {
      expect([status, code]).toEqual([504, "shell_host_timeout"]);
      expect(text).toContain(`(${relay.hostPid()})`);
      expect(ms).toBeGreaterThan(800);
      expect(ms).toBeLessThan(3000);
    }
    // What needs no shell goes on as ever.
    expect((await relay.command("getTiles", {}, 1)).status).toBe(200);
    const told = await until("the hang to be known", async () => {
      const { text } = await relay.request("shell-host");
      return text.includes('"hung"') ? text : undefined;
    });
    expect(told).toContain(`"pid":${relay.hostPid()}`);
    expect((await relay.command("getShellOutput", { id }, 1)).text).toContain("shell-host restart");
    expect(relay.serve.said()).toMatch(/has not answered for \d/);

    process.kill(relay.hostPid(), "SIGCONT");
    await until("it to answer", async () => (await relay.command("getShellOutput", { id }, 1)).status === 200);
    expect(await relay.result<object[]>("getShells")).toHaveLength(1);
    expect(await relay.result("runCommand", { command: "ls", wait: true })).toMatchObject({
      output: expect.not.stringMatching(/written|run|made/),
    });
    expect((await runningProcesses()).filter(({ parent }) => parent === relay.hostPid())).toHaveLength(1);
    const events = await relay.events();
    expect(events.filter((type) => type.startsWith("shell-host"))).toEqual(["shell-host.hung", "shell-host.recovered"]);
    expect(await relay.serve.stop()).toBe(0);
  });

  test("its owner restarts it: the shells are named first, then told as ended, and new ones start", async () => {
    await using lab = await startServeLab();
    const relay = await Relay.start(lab);
    const { shellId } = await relay.result<{ shellId: number }>("createShell");
    const pid = relay.hostPid();
    process.kill(pid, "SIGSTOP");
    const refused = await relay.request("shell-host/restart", { body: {} });
    expect([refused.status, refused.code]).toEqual([400, "invalid_request"]);
    expect(refused.text).toContain(`${shellId} (`);
    const { status, text } = await relay.request("shell-host/restart", { body: { force: true } });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { result: { ended: [{ shellId, session: relay.serve.session }] } },
    ]);
    expect(relay.hostPid()).not.toBe(pid);
    expect(await relay.result("getShells")).toMatchObject([
      { id: shellId, running: false, exitCode: null, signal: null },
    ]);
    await relay.result("createShell");
    expect(await relay.result("runCommand", { command: "echo alive", wait: true })).toMatchObject({
      output: "alive\r\n",
    });
    expect(await relay.serve.stop()).toBe(0);
  });

  test.each(["SIGSTOP", "SIGUSR2"] as const)(
    "SIGTERM ends the relay within 5 s, and the shells too (%s)",
    { tags: "slow" },
    async (stop) => {
      await using lab = await startServeLab();
      const relay = await Relay.start(lab);
      await relay.result("createShell", { command: "trap '' HUP" });
      await relay.result("createShell");
      const pid = relay.hostPid();
      process.kill(pid, stop);
      const startedAt = performance.now();
      relay.serve.child.kill("SIGTERM");
      await once(relay.serve.child, "exit");
      expect(performance.now() - startedAt).toBeLessThan(5000);
      expect(relay.serve.said()).toContain("was killed, with its shells");
      await until("the end of all", async () =>
        (await runningProcesses()).every((one) => one.pid !== pid && one.parent !== pid),
      );
    },
  );
});
