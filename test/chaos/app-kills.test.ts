import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKey, launchApp, type TestApp } from "../support/app.ts";
import { endShellHost } from "../support/end-shell-host.ts";
import { untilGone } from "../support/processes.ts";
import { surviveKills, type Victim } from "./kill-loop.ts";

const kills = Number(process.env.CHAOS_APP_KILLS ?? 15);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

/** The app without its window, on one data folder. */
async function appVictim(): Promise<Victim> {
  const data = await mkdtemp(join(tmpdir(), "patchbay-data-"));
  const apps: TestApp[] = [];
  return {
    data,
    async start() {
      const app = await launchApp({ data, args: ["--hidden"] });
      apps.push(app);
      return {
        url: app.relay.url,
        session: app.session,
        async kill() {
          const pages = (await app.descendants()).filter(({ command }) => !command.includes("shell-host"));
          app.process.kill("SIGKILL");
          await app.ended();
          await untilGone(pages.filter(({ command }) => command.includes("--type=")));
        },
        stop: () => app.stop(),
      };
    },
    makeKey: () => createKey(data),
    async [Symbol.asyncDispose]() {
      for (const app of apps) await app[Symbol.asyncDispose]();
      await endShellHost(data);
      await rm(data, { recursive: true, force: true });
    },
  };
}

test(`${kills} kills of the app under load lose nothing that was acknowledged, and execute nothing twice`, async () => {
  process.stdout.write(`seed ${seed}\n`);
  await using victim = await appVictim();
  const { wrong, acknowledged, outputBytes } = await surviveKills(victim, { kills, seed });
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(acknowledged))).toBeGreaterThan(0);
  expect(outputBytes).toBeGreaterThan(10_000);
}, 900_000);
