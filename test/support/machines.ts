import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtProgram, type Finished } from "../integration/cli/built-program.ts";
import { runHere } from "./run-local.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "./start-serve.ts";

/** The command line of a user, with a data folder of its own and no keychain. */
export interface UserMachine extends Disposable {
  readonly folder: string;
  readonly data: string;
  /**
   * Runs the command line in this process, which is five times as fast as a program's start: with the key of a remote in
   * `env`, as the keychain of this process could be reached. `input` is its standard input.
   */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** The same in a process of its own, for what is about the process and the keychain. */
  runProcess(args: readonly string[], options?: RunOptions): Promise<Finished>;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** No keychain can be reached. */
const NO_KEYCHAIN = { DBUS_SESSION_BUS_ADDRESS: "disabled:" };

export async function startUserMachine(): Promise<UserMachine> {
  const program = await builtProgram();
  cpSync(resolve(import.meta.dirname, "../../bin"), join(program.folder, "bin"), { recursive: true });
  const data = join(program.folder, "data");
  const own = { PATH: process.env.PATH, HOME: program.folder, PATCHBAY_DATA: data, PATCHBAY_PROGRAM: "service" };
  return {
    folder: program.folder,
    data,
    run: (args, { env = {}, input } = {}) =>
      runHere(args, { env: { ...own, ...env }, ...(input === undefined ? {} : { input }) }),
    async runProcess(args, { env = {}, input = "" } = {}) {
      const child = spawn(process.execPath, [program.main, ...args], { env: { ...own, ...NO_KEYCHAIN, ...env } });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
      // A program that does not read its input may have ended before.
      child.stdin.on("error", () => undefined).end(input);
      const [code] = (await once(child, "close")) as [number | null];
      return { code, out, err };
    },
    start: (args, env = {}) => program.start(args, { ...NO_KEYCHAIN, ...env }),
    [Symbol.dispose]: () => program[Symbol.dispose](),
  };
}

/** Another machine: a relay with a data folder of its own, and a key for it. */
export interface OtherMachine extends AsyncDisposable {
  readonly lab: ServeLab;
  readonly relay: ServeProcess;
  readonly key: string;
}

export async function startOtherMachine(args: readonly string[] = ["--client"]): Promise<OtherMachine> {
  const lab = await startServeLab();
  const relay = await lab.serve(args);
  return { lab, relay, key: await lab.makeKey(), [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}
