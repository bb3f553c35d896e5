import type { ProcessInfo } from "../../main/system/processes/process-source.ts";

/** A process of a terminal, as the system tells of it; what is not given says nothing. */
export function processInfo(given: Partial<ProcessInfo>): ProcessInfo {
  return {
    pid: 5,
    ppid: 1,
    pgrp: 5,
    tty: "34816",
    startKey: "5",
    startedAt: 0,
    stopped: false,
    comm: "",
    argv: () => [],
    exe: () => "",
    exeSize: () => 1,
    cwd: () => undefined,
    env: () => undefined,
    openFiles: () => [],
    ...given,
  };
}
