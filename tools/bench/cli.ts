import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { type Call, kittyLs } from "./support/kitty.ts";
import { medianOf } from "./support/median.ts";
import { debianProgram, PeerMissing } from "./support/peers.ts";
import { bounded, compared, missing } from "./support/rows.ts";
import { ownEnvironment, type ServedRelay, serveRelay } from "./support/served-relay.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns } from "./support/turns.ts";

const ROUNDS = 41;
const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "service");

/**
 * Measures `service func list-tiles` as a process, from start to end, with and without curl. The baselines are
 * `node -e 0`, `curl --version`, and the list commands of the peers' own command lines.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(context.stops);
  const env = { ...ownEnvironment(relay.folder), PATCHBAY_DATA: join(relay.folder, "data"), SERVICE_TOKEN: relay.key };
  const words = ["func", "list-tiles"];
  const own = { name: "service func list-tiles", file: PROGRAM, args: words, env };
  const withoutCurl = { ...own, name: `${own.name}, without curl`, env: { ...env, PATH: pathWithoutCurl(context) } };
  const node = { name: "node -e 0", file: process.execPath, args: ["-e", "0"], env };
  const curl = { name: "curl --version", file: "curl", args: ["--version"], env };
  const peers = { "tmux list-panes": await tmuxPanes(context, relay), "kitty @ ls": await kittyLs(context) };
  const hasCurl = succeeds(curl);

  const found = Object.values(peers).flatMap((peer) => (peer instanceof PeerMissing ? [] : [peer]));
  const calls: readonly Call[] = [own, withoutCurl, node, ...(hasCurl ? [curl] : []), ...found];
  const figures = await measureInTurns<Record<string, number>>(
    ROUNDS,
    Object.fromEntries(calls.map((call) => [call.name, () => timed(call)])),
  );
  const median = ({ name }: Call) => ({ name, value: medianOf(figures[name] ?? []) });
  const quick = median(own).value;
  return [
    hasCurl ? bounded(own.name, quick, "ms", 12, median(curl)) : missing(own.name, "there is no curl on this machine"),
    compared(withoutCurl.name, median(withoutCurl).value, "ms", median(node), { within: 1.15 }),
    ...Object.entries(peers).map(([name, peer]) =>
      peer instanceof PeerMissing
        ? missing(`${own.name}: beside ${name}`, peer.why)
        : compared(own.name, quick, "ms", median(peer)),
    ),
  ];
}

/** Returns a PATH with Node only. */
function pathWithoutCurl({ stops }: BenchContext): string {
  const folder = temporaryFolder(stops);
  symlinkSync(process.execPath, join(folder, "node"));
  return folder;
}

/** Starts a separate tmux server with one pane. */
async function tmuxPanes({ stops, log, signal }: BenchContext, { folder }: ServedRelay): Promise<Call | PeerMissing> {
  const tmux = await debianProgram("tmux", { log, signal });
  if (tmux instanceof PeerMissing) return tmux;
  const env = { ...ownEnvironment(folder), ...tmux.env, TMUX_TMPDIR: folder };
  const call = (...args: string[]) => ({
    name: `tmux ${args[0]}`,
    file: tmux.file,
    args: ["-L", "patchbay-bench", ...args],
    env,
  });
  stops.add(() => succeeds(call("kill-server")));
  if (!succeeds(call("new-session", "-d"))) return new PeerMissing("tmux opened no session");
  return call("list-panes");
}

/** Returns the milliseconds of one run. */
function timed({ name, file, args, env }: Call): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

function succeeds({ file, args, env }: Call): boolean {
  return spawnSync(file, args, { env, stdio: "ignore" }).status === 0;
}
