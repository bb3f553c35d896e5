import { RemoteError } from "../../core/protocol/errors.ts";
import { keyInput } from "../../core/protocol/key-input.ts";
import type { KeptShell, ShellCallResult, ShellEvent, ShellHost } from "../../core/protocol/shell-host.ts";
import type { TerminalSignal } from "../../core/protocol/terminal-signals.ts";
import { Queue } from "../system/in-turns.ts";
import { watchActivity } from "./activity-watch.ts";
import { checkedSize } from "./check-spawn.ts";
import { endSession } from "./end-session.ts";
import { typeFirstCommand } from "./first-command.ts";
import { followOutput } from "./follow-output.ts";
import { watchForeground } from "./foreground-watch.ts";
import { installIntegration } from "./integration/install.ts";
import { readLastCommand } from "./last-command.ts";
import { launchOf, type SpawnOptions } from "./launch.ts";
import { plainScreen } from "./plain-screen.ts";
import { exitedError, type RunOptions, runAndWait, waitUntilReady } from "./run.ts";
import { Shell } from "./shell.ts";
import { describeShell } from "./shell-info.ts";
import type { RecordShell } from "./shell-recorder.ts";
import { compilePattern } from "./text-pattern.ts";
import { refuseKeys } from "./type-line.ts";
import { waitFor } from "./wait-for.ts";

type RunResult = ShellCallResult<"run">;

interface ShellHostOptions {
  /** Folder for the start-up files of the integration; created with mode 0700. */
  readonly integrationFolder: string;
  readonly log?: (message: string) => void;
  /** Default: the environment of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Records what shells print. Without it nothing is recorded. */
  readonly record?: RecordShell;
}

const MAX_WAITS_PER_SHELL = 256;

/** Plain reads of more bytes than this run one at a time, so that their memory does not grow with the number of callers. */
const SMALL_READ_BYTES = 64 * 1024;

export function createShellHost(options: ShellHostOptions): ShellHost {
  const { integrationFolder, log = () => undefined, environment = process.env, record } = options;
  const startWith = installIntegration(integrationFolder);
  const shells = new Map<number, Shell>();
  const wishes = new Map<number, SpawnOptions>();
  const runs = new Set<Shell>();
  const closing = new Map<Shell, Promise<void>>();
  const receivers = new Set<(event: ShellEvent) => void>();
  const largeReads = new Queue();
  let disposed = false;

  const host: ShellHost = {
    async spawn(asked) {
      const wish = asked.like === undefined ? asked : again(asked, asked.like);
      if (disposed) throw new RemoteError("spawn_failed", "Patchbay is stopping and starts no more shells.");
      if (shells.has(wish.id)) throw new RemoteError("internal", `Shell ${wish.id} exists already.`);
      const shell = start(wish);
      shells.set(wish.id, shell);
      wishes.set(wish.id, wish);
      if (wish.command !== undefined) typeFirst(shell, wish.command);
      return { pid: shell.pid, command: shell.program, cwd: shell.cwd ?? "" };
    },
    async write(id, data) {
      const shell = running(id);
      shell.write(typeof data === "string" ? Buffer.from(data) : asBuffer(data));
      return { queued: shell.queued };
    },
    async keys({ shell: id, words, literal }) {
      const shell = running(id);
      shell.write(Buffer.from(keyInput(words, literal, shell)));
      return { queued: shell.queued };
    },
    async resize({ shell: id, cols, rows }) {
      find(id).resize(checkedSize(cols, "cols"), checkedSize(rows, "rows"));
    },
    close: async ({ shell: id }) => close(find(id)),
    async forget({ shell: id }) {
      const shell = find(id);
      await close(shell);
      shell.dispose();
      shells.delete(id);
      wishes.delete(id);
    },
    async read({ shell: id, plain = false, lastCommand = false, ...range }) {
      const read = () => (lastCommand ? readLastCommand(find(id), range) : find(id).log.read(range));
      const readPlain = async () => {
        const { bytes, ...rest } = read();
        return { output: await plainScreen(bytes, find(id).screen.size), ...rest };
      };
      if (!plain) {
        const { bytes, ...rest } = read();
        return { output: bytes.toString("utf8"), ...rest };
      }
      // A large read copies the output in its turn, and not while it waits.
      const { offset, end } = lastCommand ? read() : find(id).log.span(range);
      return end - offset <= SMALL_READ_BYTES ? readPlain() : largeReads.run(readPlain);
    },
    screen: async ({ shell: id, ...options }) => find(id).screen.text(options),
    snapshot: async ({ shell: id, scrollbackRows }) => find(id).screen.snapshot(scrollbackRows),
    subscribe: (id, options) => find(id).subscribe(options),
    follow: (id, options, follower) => followOutput(host, id, options, follower),
    async type({ shell: id, line }) {
      const shell = running(id);
      refuseKeys(line);
      await shell.takesPaste(line);
      const offset = shell.log.safeEnd;
      shell.typeLine(line);
      return { offset, queued: shell.queued };
    },
    run: async ({ shell: id, line, ...options }, { lifetime } = {}) => run(running(id), line, { ...options, lifetime }),
    async waitFor({ shell: id, ...wish }, { lifetime } = {}) {
      const shell = find(id);
      if (shell.waits >= MAX_WAITS_PER_SHELL) {
        throw new RemoteError("limit_reached", `Shell ${id} has ${MAX_WAITS_PER_SHELL} waits already, the limit.`);
      }
      return waitFor(
        shell,
        { ...wish, lifetime },
        wish.text === undefined ? undefined : compilePattern(wish.text, wish),
      );
    },
    async info({ shell: id, pattern, caller }) {
      const wanted = pattern === undefined ? undefined : compilePattern(pattern, { caller, param: "params.expect" });
      const info = await describeShell(find(id));
      if (wanted === undefined) return info;
      return { ...info, matches: info.foreground !== null && (await wanted.find(info.foreground)) !== null };
    },
    list: () => [...shells.values()].map(keptShell),
    has: (id) => shells.has(id),
    onEvent(receive) {
      receivers.add(receive);
      return () => void receivers.delete(receive);
    },
    async dispose() {
      disposed = true;
      await Promise.all([...shells.values()].map((shell) => close(shell)));
      for (const shell of shells.values()) shell.dispose();
      shells.clear();
      wishes.clear();
      receivers.clear();
    },
  };
  return host;

  function find(id: number): Shell {
    const shell = shells.get(id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${id}.`);
    return shell;
  }

  function running(id: number): Shell {
    const shell = find(id);
    if (shell.exit !== null) throw exitedError(shell);
    return shell;
  }

  function start(wish: SpawnOptions): Shell {
    const launch = launchOf(wish, { inherited: wish.inherit ?? environment, startWith });
    const shell = new Shell({
      ...launch,
      id: wish.id,
      cols: checkedSize(wish.cols, "cols"),
      rows: checkedSize(wish.rows, "rows"),
      prelude: wish.prelude,
      record,
      onSignal: (signal) => tell(shell, signal),
      onExit: (exit) => {
        launch.forgetSecret();
        emit({ kind: "exited", id: wish.id, ...exit });
      },
    });
    const stop = shell.tracker.watch(() => {
      stop();
      launch.forgetSecret();
    });
    shell.cwd ??= launch.cwd;
    watchActivity(shell, (at) => emit({ kind: "activity", id: wish.id, at }));
    watchForeground(shell, (process, commandLine) => {
      shell.process = process;
      shell.commandLine = commandLine;
      emit({ kind: "process", id: wish.id, process, commandLine });
    });
    return shell;
  }

  /** The options to repeat another shell's start. */
  function again({ id, cols, rows, env, inherit }: SpawnOptions, like: number): SpawnOptions {
    const before = wishes.get(like);
    if (before === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${like}.`);
    return { ...before, id, cols, rows, env: { ...before.env, ...env }, ...(inherit === undefined ? {} : { inherit }) };
  }

  function typeFirst(shell: Shell, command: string): void {
    runs.add(shell);
    typeFirstCommand(shell, command)
      .catch((error: unknown) => log(`the first command of shell ${shell.id} was not typed: ${String(error)}`))
      .finally(() => runs.delete(shell));
  }

  async function run(shell: Shell, line: string, wish: RunOptions): Promise<RunResult> {
    if (runs.has(shell)) {
      throw new RemoteError(
        "shell_busy",
        `Shell ${shell.id} is waited for already; wait for that, or use another shell.`,
      );
    }
    runs.add(shell);
    try {
      const startedAt = performance.now();
      await waitUntilReady(shell, wish.timeoutMs);
      return await runAndWait(shell, line, { ...wish, timeoutMs: wish.timeoutMs - (performance.now() - startedAt) });
    } finally {
      runs.delete(shell);
    }
  }

  function close(shell: Shell): Promise<void> {
    const before = closing.get(shell);
    if (before !== undefined) return before;
    // After the exit the process id may belong to another process.
    if (shell.exit !== null) return Promise.resolve();
    const ended = end(shell).finally(() => closing.delete(shell));
    closing.set(shell, ended);
    return ended;
  }

  async function end(shell: Shell): Promise<void> {
    if (process.platform === "win32") shell.kill();
    else await endSession(shell.pid);
    if (!(await shell.until(() => shell.exit !== null, 2000))) log(`shell ${shell.id} did not report its end`);
  }

  function tell(shell: Shell, signal: TerminalSignal): void {
    const { id } = shell;
    emit({ kind: "signal", id, signal });
    if (signal.kind === "title") emit({ kind: "title", id, title: signal.title });
    if (signal.kind === "cwd" || signal.kind === "command-end") noteCwd(shell);
  }

  function noteCwd(shell: Shell): void {
    if (shell.cwd === undefined || shell.cwd === shell.publishedCwd) return;
    shell.publishedCwd = shell.cwd;
    emit({ kind: "cwd", id: shell.id, cwd: shell.cwd });
  }

  function emit(event: ShellEvent): void {
    for (const receive of receivers) {
      try {
        receive(event);
      } catch (error) {
        log(`a subscriber of shell events failed: ${String(error)}`);
      }
    }
  }
}

function keptShell(shell: Shell): KeptShell {
  const { id, pid, program, title, cwd = "", process, commandLine, screen, exit, lastOutputAt } = shell;
  const activeAt = Math.round(Date.now() - (performance.now() - lastOutputAt));
  return { id, pid, command: program, title, cwd, process, commandLine, ...screen.size, activeAt, exit };
}

function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
