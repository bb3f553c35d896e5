import { lsof } from "../processes/unix-tools.ts";
import type { Listener, ListenerSource } from "./listener-source.ts";

/** For macOS and other systems without /proc: one `lsof` per poll. */
export class LsofListeners implements ListenerSource {
  async listenersOf(pids: readonly number[]): Promise<readonly Listener[]> {
    if (pids.length === 0) return [];
    return parseLsof(await lsof(["-nP", "-a", "-iTCP", "-sTCP:LISTEN", "-p", pids.join(","), "-Fpn"]));
  }
}

/** Reads `lsof -Fpn`: a line `p<pid>` for each process, then a line `n<address>:<port>` for each of its sockets. */
export function parseLsof(out: string): readonly Listener[] {
  let pid = 0;
  return out.split("\n").flatMap((line): Listener[] => {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1));
    const [, bound = "", port = ""] = /^n(\*|\[[0-9a-f:.]+\]|[\d.]+):(\d+)$/i.exec(line) ?? [];
    return port === "" ? [] : [{ pid, port: Number(port), address: bound.replace(/^\[|\]$/g, "") }];
  });
}
