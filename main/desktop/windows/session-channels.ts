import { homedir } from "node:os";
import { shell, type WebContents } from "electron";
import type { Client } from "../../../core/client/client.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { ParsedArgs } from "../../../preload/channels.ts";
import type { ChannelHandlers } from "../ipc/ipc.ts";
import type { MachineSession } from "../sessions/machine-session.ts";
import type { SessionWindows } from "./session-windows.ts";
import { findFiles, openFile, type PathBase } from "./terminal-files.ts";

type SessionHandlers = Pick<ChannelHandlers, Extract<keyof ChannelHandlers, `session.${string}` | `outside.${string}`>>;

/**
 * What the page of a session window may ask for; the window says which session is meant.
 *
 * @param enterKey shows where the user gives a key for the machine of a session
 */
export function sessionChannels(windows: SessionWindows, enterKey: (session: MachineSession) => void): SessionHandlers {
  const of = (caller: WebContents) => {
    const session = windows.sessionOf(caller);
    if (session === undefined) throw new RemoteError("scope_forbids", "This page shows no session.");
    return session;
  };
  const baseOf = (caller: WebContents, id: ShellId): PathBase => {
    // A path that a program of another machine prints names nothing here.
    if (windows.localSessionOf(caller) === undefined) {
      throw new RemoteError("scope_forbids", "The files of this session are on another machine.");
    }
    const known = of(caller).client.mirror?.shells.find((one) => one.id === id);
    if (known === undefined) throw new RemoteError("unknown_shell", `There is no shell ${id}.`);
    return { cwd: known.cwd, home: homedir(), platform: process.platform };
  };
  return {
    "session.start": (caller) => windows.startBridge(caller),
    "session.execute": (caller, { method, params, by }) => of(caller).client.execute(method, params, by),
    "session.listen": (caller, { stream, shell: id }) => windows.bridgeOf(caller)?.listen(stream, id),
    "session.unlisten": (caller, { stream }) => windows.bridgeOf(caller)?.unlisten(stream),
    "session.acknowledge": (caller, { stream }) => windows.bridgeOf(caller)?.acknowledge(stream),
    "session.write": (caller, { shell: id, data }) =>
      of(caller).client.ask("writeShell", { shell: id, data, raw: true }),
    "session.resize": (caller, { shell: id, cols, rows }) =>
      of(caller).client.ask("resizeShell", { shell: id, cols, rows }),
    "session.address": (caller) => of(caller).address(),
    "session.checkPage": (caller, { url }) => of(caller).client.ask("checkPage", { url }),
    "session.search": (caller, query) => of(caller).client.ask("searchSession", query),
    "session.readAround": (caller, place) => of(caller).client.ask("readAround", place),
    "session.readConversation": (caller, place) => of(caller).client.ask("readConversation", place),
    "session.resumeConversation": (caller, shown) => of(caller).client.ask("resumeConversation", shown),
    "session.answerQuestion": (caller, given) => of(caller).client.ask("answerQuestion", given),
    "session.restore": (caller, wish) => of(caller).client.ask("restoreShells", wish),
    "session.findFiles": (caller, { shell: id, paths }) => findFiles(paths, baseOf(caller, id)),
    "session.openFile": (caller, { shell: id, path }) => openFile(path, baseOf(caller, id), shell),
    "session.upload": (caller, step) => passOn(of(caller).client, step),
    "session.retry": (caller) => windows.machineSessionOf(caller)?.retry(),
    "session.enterKey": (caller) => {
      const session = windows.machineSessionOf(caller);
      if (session !== undefined) enterKey(session);
    },
    "session.viewport": (caller, size) => of(caller).setViewport(size),
    "outside.open": (_caller, { url }) => shell.openExternal(url),
  };
}

/** Passes a step of an upload on. Each case tells the compiler which parameters belong to the operation. */
function passOn(client: Client, { op, params }: ParsedArgs<"session.upload">): Promise<unknown> {
  switch (op) {
    case "startUpload":
      return client.ask(op, params);
    case "sendUpload":
      return client.ask(op, params);
    case "finishUpload":
      return client.ask(op, params);
    case "cancelUpload":
      return client.ask(op, params);
  }
}
