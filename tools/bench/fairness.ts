import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROTOCOL_VERSION } from "../../core/protocol/frames.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { type LoadFigures, loadOn } from "./support/http-load.ts";
import { makeShell } from "./support/make-shell.ts";
import { memoryOf } from "./support/process-cost.ts";
import { compared, plain } from "./support/rows.ts";
import { type ServedRelay, serveRelay } from "./support/served-relay.ts";
import { firstLine, type Program, startProgram } from "./support/start-program.ts";
import type { Stops } from "./support/stops.mjs";

const ATTACKER = join(import.meta.dirname, "support", "attacker.mjs");
const MINUTES = 2;
const ALONE_SECONDS = 10;
/** Of each kind, all the time. */
const OUTSTANDING = 8;
const OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Measures what a caller at full tilt costs the others: a reader that an invite let in, a program with its shell's
 * token, and a read-only key, two minutes each (`--minutes`). The owner's command goes round over one connection
 * meanwhile. The baseline is the same beside a process that keeps a core as busy without asking the relay anything,
 * because the attacker needs one itself. The relay and who measures go before all others where the system lets them: on
 * two processors the time slices of the others, some 3 ms, would be measured else, and not how long the relay itself makes
 * others wait. Memory is that of the relay and the shell host, before, halfway and after: what
 * grows in the second half too would go on growing.
 */
export async function run({ stops, minutes = MINUTES, log }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  const { shellId: shell, key: tile } = await makeShell(relay);
  const command = `yes ${"a".repeat(40)}b | head -c ${OUTPUT_BYTES}; printf %s "$SERVICE_TOKEN" > token`;
  await relay.command("runCommand", { tile, command: `cd '${relay.folder}'; ${command}`, wait: true, timeout: 60 });
  const callers = {
    "a reader": { guest: true, headers: { Cookie: await enter(relay), Origin: relay.url } },
    "a shell's token": { guest: false, headers: tokenHeader(readFileSync(join(relay.folder, "token"), "utf8")) },
    "a read-only key": { guest: false, headers: tokenHeader(await readOnlyKey(relay)) },
  };
  const target = relay.request("getTiles");
  await loadOn(target, 1, 2);
  if (!(goFirst(relay.pid) && goFirst(process.pid))) log("without `chrt` as root the time slices of others count too");
  const memory = () => memoryOf(relay.pid) + memoryOf(relay.shellsPid);
  const rows: BenchRow[] = [];
  for (const [who, caller] of Object.entries(callers)) {
    const busy = startProgram(stops, process.execPath, ["-e", "for (;;);"]);
    const alone = await loadOn(target, 1, ALONE_SECONDS);
    await busy.stop();
    const before = memory();
    const attacker = await startAttacker(stops, relay, { ...caller, shell });
    let halfway = before;
    const half = setTimeout(() => {
      halfway = memory();
    }, minutes * 30_000);
    const beside = await loadOn(target, 1, minutes * 60);
    clearTimeout(half);
    const after = memory();
    log(`${who}, answers by status: ${await answersOf(attacker)}`);
    rows.push(latency(who, "p50", beside, alone), latency(who, "p99", beside, alone));
    rows.push(plain(`memory beside ${who}`, after - before, "MB more"));
    rows.push(plain(`of it in the second half beside ${who}`, after - halfway, "MB more"));
  }
  return rows;
}

function latency(who: string, of: "p50" | "p99", beside: LoadFigures, alone: LoadFigures): BenchRow {
  const baseline = { name: "beside a busy process", value: alone[of] * 1000 };
  const goal = of === "p99" ? { within: 2 } : undefined;
  return compared(`a command beside ${who}, ${of}`, beside[of] * 1000, "µs", baseline, goal);
}

interface Caller {
  readonly guest: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly shell: ShellId;
}

async function startAttacker(stops: Stops, { url, session }: ServedRelay, caller: Caller): Promise<Program> {
  const port = Number(new URL(url).port);
  const attack = { port, session, ...caller, outstanding: OUTSTANDING, protocol: PROTOCOL_VERSION };
  const attacker = startProgram(stops, process.execPath, [ATTACKER, JSON.stringify(attack)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await firstLine(attacker);
  return attacker;
}

/** Lets a process have a processor whenever it wants one, but not what it starts. Returns whether the system lets it. */
function goFirst(pid: number): boolean {
  try {
    execFileSync("chrt", ["--fifo", "--reset-on-fork", "--pid", "1", String(pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Ends an attacker. @returns how many answers it got, by status */
async function answersOf(attacker: Program): Promise<string> {
  const [answers] = await Promise.all([firstLine(attacker), attacker.stop()]);
  return answers;
}

function tokenHeader(token: string): Record<string, string> {
  return { "X-Service-Token": token };
}

async function readOnlyKey(relay: ServedRelay): Promise<string> {
  const made = await post(relay, "/v1/keys", { name: "read-only", restrictions: { readOnly: true } });
  return z.object({ result: z.looseObject({ secret: z.string() }) }).parse(await made.json()).result.secret;
}

/** Lets a browser in as a reader. @returns its cookie */
async function enter(relay: ServedRelay): Promise<string> {
  const made = await post(relay, `/v1/sessions/${relay.session}/invites`, { role: "reader" });
  const { url } = z.object({ result: z.looseObject({ url: z.string() }) }).parse(await made.json()).result;
  const entered = await post(relay, `/s/${relay.session}/enter`, {
    invite: new URL(url).hash.slice(1),
    name: "reader",
  });
  return entered.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

async function post({ url, key }: ServedRelay, path: string, body: object): Promise<Response> {
  const headers = {
    ...(path.startsWith("/v1/") ? tokenHeader(key) : { Origin: url }),
    "Content-Type": "application/json",
  };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
