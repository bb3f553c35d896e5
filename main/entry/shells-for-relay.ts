import { basename } from "node:path";
import type { ShellId } from "../../core/protocol/ids.ts";
import type {
  KeptShell as RelayShell,
  ShellEvent as RelayShellEvent,
  ShellEnd,
  ShellsPort,
} from "../relay/session/ports.ts";
import type { KeptShell } from "../shells/held-shell.ts";
import type { TerminalSignal } from "../shells/marks/terminal-signal.ts";
import type { ShellExit } from "../shells/pty.ts";
import type { ShellEvent, ShellHost } from "../shells/shell-host.ts";
import { signalName, signalOfExitCode } from "../system/signal-names.ts";
import { followOutput } from "./follow-output.ts";

/** Lends the relay one session's shells. `onSignal` hears what programs say through their terminal (title, bell, …). */
export function shellsForRelay(
  host: ShellHost,
  onSignal: (shell: ShellId, signal: TerminalSignal) => void,
): ShellsPort {
  return {
    async spawn({ id, cols, rows, cwd, nearest, command, exec, like, env }, limit) {
      const given = {
        ...(cwd === undefined ? {} : { cwd }),
        ...(nearest === undefined ? {} : { nearest }),
        ...(command === undefined ? {} : { command }),
        ...(exec === undefined ? {} : { exec }),
        ...(like === undefined ? {} : { like }),
      };
      const spawned = await host.spawn({ id, cols, rows, env, ...given }, limit);
      return { ...spawned, title: basename(spawned.command) };
    },
    write: (id, data, limit) => host.write(id, data, limit),
    keys: (id, input, limit) => host.keys(id, input, limit),
    resize: (id, cols, rows, limit) => host.resize(id, cols, rows, limit),
    close: (id, limit) => host.close(id, limit),
    forget: (id, limit) => host.forget(id, limit),
    knows: (id) => host.has(id),
    kept: () => host.list().map(relayShellOf),
    async read({ shell: id, since, maxBytes, chunks, lines, lastCommand, join, format }, limit) {
      if (format === "screen") {
        const { text, offset } = await host.screen(id, limit, { join, ...(lines === undefined ? {} : { lines }) });
        return { id, output: text, chunks: 1, offset, end: offset, missed: 0 };
      }
      const range = {
        ...(since === undefined ? {} : { since }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
        ...(chunks === undefined ? {} : { chunks }),
        ...(lines === undefined ? {} : { lines }),
        ...(lastCommand ? { lastCommand } : {}),
      };
      return { id, ...(await host.read(id, { ...range, plain: format === "plain" }, limit)) };
    },
    listen(id, { from, window }, listener) {
      const listening = host.listen(id, {
        window,
        from: from ?? 0,
        deliver: (frame) => {
          if (frame.kind === "output") listener.bytes(frame.bytes, frame.offset);
          else if (frame.kind === "snapshot") {
            listener.missed(frame.missed, frame.snapshot, frame.offset);
            // A snapshot replaces what came before it, so it does not fill the window.
            listening.ack(Buffer.byteLength(frame.snapshot));
          }
        },
      });
      return { acknowledge: (bytes) => listening.ack(bytes), stop: () => listening.stop() };
    },
    follow: (id, options, follower) => followOutput(host, id, options, follower),
    async run({ shell: id, command, wait, clear, timeoutMs }, limit) {
      if (!wait) {
        const { offset, queued } = await host.type(id, command, limit);
        return { id, start: offset, queued };
      }
      const { cwd, ...result } = await host.run(id, command, { timeoutMs, clear });
      const signal = signalOfExitCode(result.exitCode) ?? null;
      return { id, ...result, signal, ...(cwd === null ? {} : { cwd }) };
    },
    async waitFor({ shell: id, text, fixed, ignoreCase, idle, exit, since, skipEcho, timeoutMs }) {
      const { matched, kind, exitCode, signal, end } = await host.waitFor(id, {
        timeoutMs,
        echo: skipEcho ? "skip" : "include",
        ...(text === undefined ? {} : { text, fixed, ignoreCase }),
        ...(idle === undefined ? {} : { idle }),
        ...(exit === true ? { exit } : {}),
        ...(since === undefined ? {} : { since }),
      });
      return { id, kind, match: matched, exitCode, signal: signal === null ? null : signalName(signal), end };
    },
    onEvent: (listener) =>
      host.onEvent((event) => {
        if (event.kind === "signal") {
          if (isStatusQuery(event.signal)) host.write(event.id, STATUS_ANSWER).catch(() => undefined);
          onSignal(event.id as ShellId, event.signal);
        } else listener(relayEventOf(event));
      }),
    dispose: () => host.dispose(),
  };
}

/** Programs ask with OSC 7501 whether anybody listens to their status; the relay does. */
const STATUS_ANSWER = "\x1b]7501;?1\x1b\\";

function isStatusQuery(signal: TerminalSignal): boolean {
  return signal.kind === "program-status" && signal.query;
}

function relayEventOf(event: Exclude<ShellEvent, { kind: "signal" }>): RelayShellEvent {
  const id = event.id as ShellId;
  if (event.kind === "lost") return { kind: "exited", id, exitCode: null, signal: null };
  return event.kind === "exited" ? { kind: "exited", id, ...endOf(event) } : { ...event, id };
}

function relayShellOf({ title, exit, id, ...shell }: KeptShell): RelayShell {
  const ended = exit === null ? null : endOf(exit);
  return { ...shell, id: id as ShellId, title: title === "" ? undefined : title, ended };
}

function endOf({ exitCode, signal }: ShellExit): ShellEnd {
  return { exitCode, signal: signal === null ? null : signalName(signal) };
}
