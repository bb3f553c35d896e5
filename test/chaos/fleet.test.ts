import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFleet } from "../../main/relay/fleet/fleet-files.ts";
import { freePort } from "../support/free-port.ts";
import { brokerProgram, untilBrokerAnswers } from "../support/nats-server.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { randomFrom } from "./random.ts";

/** `CHAOS_KILLS` makes it shorter or longer; `CHAOS_SEED` repeats one that failed. */
const kills = Number(process.env.CHAOS_KILLS ?? 100);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

const CALLERS = 4;
/** Acknowledged commands between two kills. */
const BETWEEN = 20;

test("the broker and the relays of a fleet are killed in random order under load: what was acknowledged is done once", async () => {
  process.stdout.write(`seed ${seed}\n`);
  const random = randomFrom(seed);
  await using lab = await startLab();
  let isOver = false;
  let acknowledged: string[] = [];
  const call = async (name: string) => {
    for (let count = 0; !isOver; count++) {
      const message = `${name}-${count}`;
      let outcome = await lab.chat(message);
      // An answer that did not come is asked for again, with the same key.
      while (!isOver && outcome === "unanswered") {
        await new Promise((resolve) => setTimeout(resolve, 50));
        outcome = await lab.chat(message);
      }
      if (outcome === "acknowledged") acknowledged.push(message);
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => call(`caller-${index}`));
  for (let kill = 0; kill < kills; kill++) {
    const before = acknowledged.length;
    await until("commands to be acknowledged", () => acknowledged.length > before + BETWEEN, 120_000).catch(
      async (error: Error) => {
        throw new Error(`${error.message}, after ${kill} kills: ${await lab.state()}`);
      },
    );
    const victim = ["broker", "laptop", "box"][Math.floor(random() * 3)] ?? "broker";
    await lab.kill(victim);
    const checked = acknowledged;
    acknowledged = [];
    const done = await until("the session to answer", () => lab.messages(), 60_000);
    const wrong = checked.filter((message) => done.filter((text) => text === message).length !== 1);
    expect([kill, victim, wrong]).toEqual([kill, victim, []]);
  }
  isOver = true;
  await Promise.all(callers);
}, 3_600_000);

interface Lab extends AsyncDisposable {
  /**
   * Sends a chat message to the box's session through the laptop. `refused`: the box was killed while it executed an
   * earlier request with the same key, and says that it does not know the outcome.
   */
  chat(message: string): Promise<"acknowledged" | "refused" | "unanswered">;
  /** The latest messages of the session, as the box itself has them; undefined while it does not answer. */
  messages(): Promise<string[] | undefined>;
  /** What each relay says of the fleet. */
  state(): Promise<string>;
  /** Kills one of them, and starts it again. */
  kill(victim: string): Promise<void>;
}

async function startLab(): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-chaos-fleet-"));
  const brokerPort = await freePort();
  createFleet({
    folder,
    owner: "chaos",
    hosts: ["127.0.0.1"],
    listen: "127.0.0.1",
    port: brokerPort,
    members: ["laptop", "box"],
  });
  let broker: ChildProcess;
  const startBroker = async () => {
    broker = spawn(brokerProgram(), ["-c", join(folder, "nats-server.conf")], { stdio: "ignore" });
    await untilBrokerAnswers(brokerPort);
  };
  await startBroker();
  const labs: Record<string, ServeLab> = { laptop: await startServeLab(), box: await startServeLab() };
  const ports: Record<string, number> = { laptop: await freePort(), box: await freePort() };
  const running: Record<string, ServeProcess> = {};
  const start = async (name: string) => {
    const credentials = join(folder, `${name}.creds`);
    const joins = ["--client", "--fleet", `nats://127.0.0.1:${brokerPort}`, "--fleet-creds", credentials];
    const process = await labs[name]?.serve(["--port", String(ports[name]), ...joins]);
    if (process !== undefined) running[name] = process;
  };
  await Promise.all(["laptop", "box"].map(start));
  const key = (await labs.box?.makeKey()) ?? "";
  const session = running.box?.session ?? "";
  const command = async (relay: string, method: string, params: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${ports[relay]}/v1/sessions/${session}/remote/command`, {
      method: "POST",
      headers: { "X-Service-Token": key, "Content-Type": "application/json", "X-Service-Timeout": "20", ...headers },
      body: JSON.stringify({ method, params }),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    async chat(message) {
      try {
        const { status } = await command("laptop", "sendChat", { message }, { "Idempotency-Key": message });
        if (status === 200) return "acknowledged";
        return status === 504 ? "unanswered" : "refused";
      } catch {
        return "unanswered";
      }
    },
    async messages() {
      try {
        const { status, text } = await command("box", "getChat", {});
        if (status !== 200) return undefined;
        return (JSON.parse(text) as { result: { text: string }[] }).result.map((entry) => entry.text);
      } catch {
        return undefined;
      }
    },
    async state() {
      const states = Object.entries(running).map(async ([name, { url }]) => {
        const token = (await labs[name]?.makeKey()) ?? "";
        const answer = await fetch(`${url}/v1/fleet`, { headers: { "X-Service-Token": token } });
        return `${name}: ${await answer.text()} ${(await command(name, "getSession", {})).text}`;
      });
      return (await Promise.all(states)).join("\n");
    },
    async kill(victim) {
      if (victim === "broker") {
        broker.kill("SIGKILL");
        await once(broker, "exit");
        await startBroker();
      } else {
        await running[victim]?.kill();
        await start(victim);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const lab of Object.values(labs)) await lab[Symbol.asyncDispose]();
      broker.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
