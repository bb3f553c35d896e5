import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { ask, attempt, type MortalRelay } from "../chaos/acknowledged.ts";
import type { ServeLab, ServeProcess } from "./start-serve.ts";

/** Shell that runs over all double starts; it must never end. */
const LASTING = "while :; do sleep 1; done";

/**
 * Kills the relay of a lab and starts two at once, for each of these gaps in milliseconds. Answers in sentences what went
 * wrong: both stayed, none did, a shell was lost, or the one that stayed does not work.
 */
export async function doubleStarts(
  lab: ServeLab,
  { gaps, args }: { gaps: readonly number[]; args: readonly string[] },
): Promise<string[]> {
  const faults: string[] = [];
  const relay: MortalRelay & { now: ServeProcess } = { now: await lab.serve(args), key: await lab.makeKey() };
  const { shellId } = await ask<{ shellId: number }>(relay, "createShell", { command: LASTING });
  const host = readHostFile(join(lab.data, "shell-host.json"))?.pid;
  for (const [round, gap] of gaps.entries()) {
    await relay.now.kill();
    const starts = await Promise.allSettled([lab.serve(args), delay(gap).then(() => lab.serve(args))]);
    const stayed = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    const refusals = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
    const fault = (sentence: string) => faults.push(`round ${round}, gap ${gap} ms: ${sentence}`);
    const [first, ...others] = stayed;
    if (first === undefined) throw new Error(`round ${round}: no relay stayed: ${refusals.join("; ")}`);
    if (others.length > 0) fault("both stayed");
    for (const refusal of refusals) if (!/is in use, by/.test(refusal)) fault(`refused with: ${refusal}`);
    relay.now = first;
    const chat = { body: { method: "sendChat", params: { message: `round ${round}` } } };
    const said = await attempt(relay, "/SESSION/remote/command", chat);
    if (said?.status !== 200) fault(`chat is answered ${said?.status} ${said?.text}`);
    const shells = await ask<{ id: number; running: boolean }[]>(relay, "getShells");
    if (shells.find(({ id }) => id === shellId)?.running !== true) fault("the shell is lost");
    if (readHostFile(join(lab.data, "shell-host.json"))?.pid !== host) fault("another process holds the shells");
    const made = await attempt(relay, "/SESSION/remote/command", { body: { method: "createShell", params: {} } });
    if (made?.status !== 200) fault(`createShell is answered ${made?.status} ${made?.text}`);
    else {
      const { id } = { id: (JSON.parse(made.text) as { result: { shellId: number } }).result.shellId };
      await attempt(relay, "/SESSION/remote/command", { body: { method: "closeShell", params: { id } } });
    }
    for (const other of others) await other.kill();
  }
  await relay.now.stop();
  return faults;
}
