import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { builtProgram } from "../integration/cli/built-program.ts";
import { endShellHost } from "./end-shell-host.ts";
import { packagedProgram } from "./packaged-program.ts";
import { descendantsOf, untilGone } from "./processes.ts";
import { runLocal } from "./run-local.ts";
import { until } from "./until.ts";

/**
 * A start may wait 10 s for the lock of another one and 2 s for that one's answer before it is refused, and the process
 * itself starts slowly on a busy machine.
 */
const START_MS = 45_000;

export interface ServeProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly session: string;
  /** What it has printed so far. */
  readonly said: () => string;
  /** Ends it as a crash would: no signal handler runs. Its shells live on. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

export interface ServeLab extends AsyncDisposable {
  readonly data: string;
  /** Starts the headless relay as a process of its own, on the lab's one data folder; resolves when it is up. */
  serve(args?: readonly string[], environment?: NodeJS.ProcessEnv): Promise<ServeProcess>;
  /**
   * A new API key, made by the code of `patchbay keys`. `apart`: by a process of its own, because this one may have the store
   * open until garbage is collected, and a store that is open anywhere is not read anew after a kill.
   */
  makeKey(how?: "apart"): Promise<string>;
}

/**
 * The real `patchbay serve`, bundled as the build does it or the package's (E2E_APP), with a home of its own. `within`: a
 * program with its first words that starts it, as in a network namespace. `tree`: as of `builtProgram`.
 */
export async function startServeLab(options: Parameters<typeof builtProgram>[0] = {}): Promise<ServeLab> {
  const packaged = options.tree === undefined ? packagedProgram(options) : undefined;
  const program = packaged ?? (await builtProgram(options));
  const isOwn = packaged === undefined && options.within === undefined && options.tree === undefined;
  const data = join(program.folder, "data");
  const children: ChildProcess[] = [];
  return {
    data,
    async serve(args = [], environment = {}) {
      const child = program.start(["serve", "--port", "0", "--data", data, ...args], environment);
      children.push(child);
      let said = "";
      child.stdout?.on("data", (piece) => (said += String(piece)));
      child.stderr?.on("data", (piece) => (said += String(piece)));
      await until(
        "the relay to be up",
        () => {
          if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${said}`);
          return said.includes("Try next");
        },
        START_MS,
      );
      const { url, session = "" } = RelayFile.parse(JSON.parse(readFileSync(join(data, "relay.json"), "utf8")));
      return {
        child,
        url,
        session,
        said: () => said,
        async kill() {
          child.kill("SIGKILL");
          await once(child, "exit");
        },
        async stop() {
          await end(child, "SIGTERM");
          return child.exitCode;
        },
      };
    },
    async makeKey(how) {
      const words = ["keys", "create", "--name", "test", "--data", data];
      // In this process, which is five times as fast as a program's start.
      return (isOwn && how === undefined ? await runLocal(...words) : await program.run(words)).out.trim();
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) await end(child, "SIGTERM");
      await endShellHost(data);
      program[Symbol.dispose]();
    },
  };
}

/** Ends the relay, and waits for its shells too: they write their history into the home folder as they go. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const shells = await descendantsOf(child.pid);
  child.kill(signal);
  await once(child, "exit");
  await untilGone(shells);
}
