import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TestRelay } from "./test-relay.ts";

const script = fileURLToPath(new URL("./call-repeatedly.mjs", import.meta.url));

/** Someone with a key who lists the tiles of a client again and again, in a process of their own. */
export interface Caller extends Disposable {
  /** Stops calling. @returns the milliseconds that each call took, shortest first; rejects if one failed */
  stop(): Promise<readonly number[]>;
}

export function startCaller(relay: TestRelay, client: number): Caller {
  const url = `${relay.url}/v1/sessions/${relay.session}/remote/tiles?client=${client}`;
  const child = spawn(process.execPath, [script, url, relay.key], { stdio: ["pipe", "pipe", "pipe"] });
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (printed.out += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (printed.err += piece));
  const closed = once(child, "close");
  return {
    async stop() {
      child.stdin.end();
      const [code] = await closed;
      if (code !== 0) throw new Error(`the caller failed: ${printed.err}`);
      return (JSON.parse(printed.out) as number[]).sort((one, other) => one - other);
    },
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

/** @param share from 0 to 1 */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
