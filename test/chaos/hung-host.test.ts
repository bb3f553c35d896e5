import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { runningProcesses } from "../support/processes.ts";
import { startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask, attempt, type MortalRelay } from "./acknowledged.ts";
import { randomFrom } from "./random.ts";

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 60);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 100_000);
const COMMANDS = "/SESSION/remote/command";
const WRITERS = 4;
/** Programs that read, read slowly, do not read at all, or read and answer. */
const READERS = [
  "cat > /dev/null",
  "stty raw -echo; while sleep 0.05; do head -c 9000 > /dev/null; done",
  "stty raw -echo; sleep 100000",
  "cat",
  "sleep 3",
] as const;

/** What is done to the host, and what is seen of it meanwhile. */
class Host {
  readonly data: string;
  /** Since when nothing was done to it that keeps it from answering, by `performance.now()`; undefined while it is kept. */
  undisturbedSince: number | undefined = performance.now();
  /** After a stop it reads what came meanwhile; after a kill another one has to start first. */
  settleMs = 0;

  constructor(data: string) {
    this.data = data;
  }

  signal(signal: NodeJS.Signals): void {
    const pid = readHostFile(join(this.data, "shell-host.json"))?.pid;
    this.settleMs = signal === "SIGKILL" ? 3000 : 1000;
    this.undisturbedSince = signal === "SIGSTOP" ? undefined : performance.now();
    try {
      if (pid !== undefined) process.kill(pid, signal);
    } catch {
      // It was killed a moment ago, and the next one is not there yet.
    }
  }
}

test(
  `${SECONDS} s of random writes, stops and kills of the host: other shells answer within 1 s, nothing is left`,
  async () => {
    process.stdout.write(`seed ${SEED}\n`);
    await using lab = await startServeLab();
    const relay: MortalRelay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    const random = randomFrom(SEED);
    const host = new Host(lab.data);
    const end = performance.now() + SECONDS * 1000;
    const going = () => performance.now() < end;
    const seen = { slow: [] as string[], asked: 0, written: 0, full: 0, late: 0 };

    /** A shell of its own, of which another is made when it has gone with its host. */
    const shell = async (command?: string): Promise<number> => {
      for (;;) {
        const answer = await attempt(relay, COMMANDS, {
          body: { method: "createShell", params: { tile: false, ...(command === undefined ? {} : { command }) } },
          timeoutMs: 15_000,
        });
        if (answer?.status === 200) return (JSON.parse(answer.text) as { result: { shellId: number } }).result.shellId;
        await delay(100);
      }
    };

    const write = async () => {
      while (going()) {
        const id = await shell(READERS[Math.floor(random() * READERS.length)]);
        const flood = random() < 0.4;
        for (let count = 0; count < 30 && going(); count++) {
          const size = flood ? 900_000 : Math.floor(10 ** (random() * 5.8));
          const data = `${"x".repeat(70)}\\n`.repeat(Math.ceil(size / 72)).slice(0, 900_000);
          const answer = await attempt(relay, COMMANDS, {
            body: { method: "writeToShell", params: { id, data } },
            headers: { "X-Service-Timeout": String(1 + Math.floor(random() * 10)) },
            timeoutMs: 15_000,
          });
          if (answer?.status === 200) seen.written += data.length;
          else if (answer?.text.includes("bytes wait for it")) seen.full += 1;
          else if (answer?.status === 504) seen.late += 1;
          else break;
        }
        await attempt(relay, COMMANDS, { body: { method: "closeShell", params: { id } }, timeoutMs: 15_000 });
      }
    };

    const watch = async () => {
      let id = await shell();
      while (going()) {
        const before = host.undisturbedSince;
        const startedAt = performance.now();
        const answer = await attempt(relay, COMMANDS, {
          body: { method: "getShellOutput", params: { id, chunks: 1 } },
          timeoutMs: 15_000,
        });
        const ms = performance.now() - startedAt;
        seen.asked += 1;
        const undisturbed =
          before !== undefined && before === host.undisturbedSince && startedAt - before > host.settleMs;
        if (undisturbed && (answer?.status !== 200 || ms > 1000))
          seen.slow.push(`${Math.round(ms)} ms: ${answer?.status}`);
        const shells = await attempt(relay, COMMANDS, { body: { method: "getShells", params: {} } });
        if (shells?.text.includes(`"id":${id},`) !== true || isEnded(shells.text, id)) id = await shell();
        await delay(50);
      }
    };

    const disturb = async () => {
      while (going()) {
        await delay(4000 + random() * 4000);
        if (random() < 0.3) host.signal("SIGKILL");
        else {
          host.signal("SIGSTOP");
          await delay(200 + random() * 8000);
          host.signal("SIGCONT");
        }
      }
    };

    await Promise.all([disturb(), watch(), ...Array.from({ length: WRITERS }, write)]);
    console.log(
      `asked ${seen.asked} times; wrote ${Math.round(seen.written / 1e6)} MB; ${seen.full} refused as full, ${seen.late} as late`,
    );
    expect(seen.slow).toEqual([]);
    expect(seen.asked).toBeGreaterThan(SECONDS);
    await until("a shell that works", async () => {
      const id = await shell("echo al''ive");
      const answer = await attempt(relay, COMMANDS, {
        body: { method: "waitFor", params: { id, text: "^alive", since: 0, timeout: 10 } },
        timeoutMs: 15_000,
      });
      return answer?.status === 200;
    });
    const known = await ask<{ running: boolean; pid: number | null }[]>(relay, "getShells");
    const running = known.filter((one) => one.running).map(({ pid }) => pid);
    const pid = readHostFile(join(lab.data, "shell-host.json"))?.pid;
    const held = (await runningProcesses()).filter(({ parent }) => parent === pid).map((one) => one.pid);
    expect(held.sort()).toEqual(running.sort());
    const startedAt = performance.now();
    expect(await relay.now.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(6000);
  },
  SECONDS * 1000 + 120_000,
);

function isEnded(text: string, id: number): boolean {
  const shells = (JSON.parse(text) as { result: { id: number; running: boolean }[] }).result;
  return shells.some((shell) => shell.id === id && !shell.running);
}
