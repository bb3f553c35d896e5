import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isAlive } from "../../main/system/processes/is-alive.ts";
import type { Check } from "./finding.ts";
import { shellHostAnswers } from "./probe-shell-host.ts";

const TIMEOUT_MS = 2000;

/** What the shell host writes to `shell-host.json`. */
const HostFile = z.object({ pid: z.int().positive(), socket: z.string(), secret: z.string() });

/** Checks that the shell host of the data folder runs and answers. */
export const checkShellHost: Check = async ({ data, relay }) => {
  const host = readHost(join(data, "shell-host.json"));
  if (host !== undefined && isAlive(host.pid)) {
    if (await shellHostAnswers(host, TIMEOUT_MS))
      return { state: "ok", found: `The shell host (process ${host.pid}) answers.` };
    return {
      state: "problem",
      found: `The shell host (process ${host.pid}) does not answer.`,
      advice: `If it was stopped, continue it with \`kill -CONT ${host.pid}\`. Otherwise end it with its shells: \`patchbay shell-host restart --force\`; logs/shell-host.log of the data folder may say why it hangs.`,
    };
  }
  if (host !== undefined && relay !== undefined && isAlive(relay.pid)) {
    return {
      state: "problem",
      found: "The shell host has ended without notice.",
      advice: "The next shell starts a new one; logs/shell-host.log of the data folder says why it ended.",
    };
  }
  return { state: "ok", found: "No shell host runs: it starts with the first shell." };
};

function readHost(file: string): z.infer<typeof HostFile> | undefined {
  try {
    return HostFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
