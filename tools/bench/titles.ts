import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { type EchoTimes, measureEchoes } from "./support/echo-times.ts";
import { patchbayKeyboard } from "./support/keyboards.ts";
import { processorSeconds } from "./support/process-cost.ts";
import { compared } from "./support/rows.ts";
import { until } from "./support/served-relay.ts";
import { startAgents } from "./support/start-agents.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const AGENTS = 20;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 5;
const QUIET_MS = 500;

interface Figures extends EchoTimes {
  /** Of the relay and the shell host together, in percent of a core. */
  readonly processor: number;
}

/**
 * Measures what agents cost the keys of another shell by titles that they change ten times a second, as spinners do. The
 * baseline is the same keys beside the same agents while their titles stay as they are. All clients are told of titles, so
 * there are two.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const { relay, socket } = await patchbayKeyboard(stops);
  await startAgents(relay, AGENTS);
  const watcher = await relay.join();
  let [told, toldAt] = [0, 0];
  watcher.onEvent((event) => {
    if (event.type !== "shell.title") return;
    told += 1;
    toldAt = performance.now();
  });
  /** Waits until no title has been told of for longer than two of them are apart. */
  const quietTitles = () => until(() => performance.now() - toldAt > QUIET_MS);
  const flag = join(relay.folder, "titles");
  const seconds = () => processorSeconds(relay.pid) + processorSeconds(relay.shellsPid);
  const measure = async (): Promise<Figures> => {
    const [before, startedAt] = [seconds(), performance.now()];
    const times = await measureEchoes(socket);
    const took = (performance.now() - startedAt) / 1000;
    return { ...times, processor: ((seconds() - before) / took) * 100 };
  };
  const sides = {
    quiet: async () => {
      rmSync(flag, { force: true });
      await quietTitles();
      return measure();
    },
    changing: async () => {
      writeFileSync(flag, "");
      const before = told;
      await until(() => told > before + AGENTS);
      return measure();
    },
  };
  await measureInTurns(WARM_UP_ROUNDS, sides);
  const { quiet, changing } = await measureInTurns(ROUNDS, sides);
  const row = (at: keyof Figures, unit: string, goal?: { within: number }) => {
    const name = at === "processor" ? "processor meanwhile" : `key to its echo, ${at}`;
    const baseline = { name: "titles that stay", value: medianBy(quiet, (one) => one[at]) };
    return compared(
      `${AGENTS} agents change titles 10 times a second: ${name}`,
      medianBy(changing, (one) => one[at]),
      unit,
      baseline,
      goal,
    );
  };
  return [row("p50", "µs", { within: 1.2 }), row("p99", "µs", { within: 2 }), row("processor", "% core")];
}
