import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { ownEnvironment, serveRelay } from "./support/served-relay.ts";

const ROUNDS = 41;
const ROOT = join(import.meta.dirname, "..");

interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** `service func list-tiles` as a process, both ways, beside `node -e 0`, curl alone and tmux where it is installed. */
export async function run(): Promise<BenchRow[]> {
  const relay = await serveRelay();
  try {
    const env = {
      ...ownEnvironment(relay.folder),
      PATCHBAY_DATA: join(relay.folder, "data"),
      SERVICE_TOKEN: relay.key,
    };
    const words = ["func", "list-tiles"];
    const quick = { name: "service func list-tiles", file: join(ROOT, "bin", "service"), args: words, env };
    const client = { name: "the same by Node", file: "node", args: [join(ROOT, "dist/cli/main.js"), ...words], env };
    const node = { name: "node -e 0", file: "node", args: ["-e", "0"], env };
    const curl = { name: "curl --version", file: "curl", args: ["--version"], env };
    const tmux = tmuxOf(relay.folder);
    const times = alternately([quick, client, node, curl, ...(tmux === undefined ? [] : [tmux])]);
    const of = (program: Program) => Number(medianOf(times.get(program) ?? []).toFixed(1));
    const ratio = Number((of(client) / of(node)).toFixed(2));
    return [
      { name: quick.name, value: of(quick), unit: "ms", goal: "at most 12 ms, with curl", ok: of(quick) <= 12 },
      { name: client.name, value: of(client), unit: "ms" },
      { name: node.name, value: of(node), unit: "ms" },
      { name: "by Node, to node -e 0", value: ratio, unit: "", goal: "at most 1.15, without curl", ok: ratio <= 1.15 },
      { name: curl.name, value: of(curl), unit: "ms" },
      ...(tmux === undefined ? [] : [{ name: tmux.name, value: of(tmux), unit: "ms" }]),
    ];
  } finally {
    spawnSync("tmux", ["-L", "patchbay-bench", "kill-server"], {
      env: { ...ownEnvironment(relay.folder), TMUX_TMPDIR: relay.folder },
      stdio: "ignore",
    });
    await relay.stop();
  }
}

/** A tmux server of our own with one pane, where there is tmux. */
function tmuxOf(folder: string): Program | undefined {
  const env = { ...ownEnvironment(folder), TMUX_TMPDIR: folder };
  const started = spawnSync("tmux", ["-L", "patchbay-bench", "new-session", "-d"], { env, stdio: "ignore" });
  if (started.status !== 0) return undefined;
  return { name: "tmux list-panes", file: "tmux", args: ["-L", "patchbay-bench", "list-panes"], env };
}

/** Milliseconds of each program, in turn, so that a slower second hits all. */
function alternately(programs: readonly Program[]): Map<Program, number[]> {
  const times = new Map<Program, number[]>(programs.map((program) => [program, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const program of programs) {
      const startedAt = performance.now();
      const { status } = spawnSync(program.file, program.args, { env: program.env, stdio: "ignore" });
      if (status !== 0) throw new Error(`${program.name} ended with ${status}`);
      times.get(program)?.push(performance.now() - startedAt);
    }
  }
  return times;
}
