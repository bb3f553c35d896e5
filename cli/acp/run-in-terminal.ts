import { createInterface, emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { AcpAgentType } from "../../core/protocol/acp-agents.ts";
import { AcpRecord } from "../../main/system/acp-record.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { AcpSession } from "./acp-session.ts";
import { AgentProcess, type CreatedSession } from "./agent-process.ts";
import type { PressedKey } from "./line-input.ts";
import { RelayReports } from "./relay-reports.ts";
import { Screen } from "./screen.ts";
import { TerminalView } from "./terminal-view.ts";
import { agentErrorText } from "./turn-end.ts";
import { cleanText } from "./wrap-text.ts";

export { findAgent } from "./agent-process.ts";

type Modes = NonNullable<CreatedSession["modes"]>;

const REPORT_END_MS = 1000;
/** How long an Escape may be the start of another key's sequence. It stops the turn, so it does not wait Node's half second. */
const ESCAPE_MS = 100;
const MOST_ERROR_LINES = 20;

/**
 * Runs an agent in this process's terminal until the user or the agent ends it.
 *
 * @throws CliError where the agent cannot be started, or ends by itself
 */
export async function runInTerminal(
  command: readonly [string, ...string[]],
  agentType: AcpAgentType,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const record = new AcpRecord();
  const cwd = process.cwd();
  const hasColour = (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  const view = new TerminalView(new Screen(process.stdout, hasColour), agentType);
  const reports = new RelayReports(env, agentType, record.sessionId);
  const leaving = new AbortController();
  const modes = new SessionModes(view);
  const agent = new AgentProcess(command, cwd, {
    update: (update) => {
      modes.update(update);
      session.update(update);
    },
    permission: (request, signal) => session.permission(request, signal),
    login: (names) =>
      view.choose({ title: "The agent needs a login. How?", labels: names.map(cleanText) }, leaving.signal),
  });
  const session = new AcpSession({ view, link: agent, reports, record, sessionId: record.sessionId, cwd });
  const terminal = takeTerminal(view, {
    entered: (text) => session.prompt(text),
    stop() {
      const { isWorking } = session;
      session.cancel();
      return isWorking;
    },
    nextMode: () => modes.next(agent),
    leave: () => leaving.abort(),
  });
  const left = new Promise<"left">((resolve) => leaving.signal.addEventListener("abort", () => resolve("left")));
  const opened = openSession(agent, cwd, { view, session, modes });
  try {
    const first = await Promise.race([opened, left, agent.ended.then(() => "ended" as const)]);
    const end = first === "opened" ? await Promise.race([left, agent.ended.then(() => "ended" as const)]) : first;
    if (end === "left") return exitCodes.ok;
    throw new CliError(exitCodes.refused, `acp: the agent has ended.${lastErrors(agent)}`);
  } finally {
    opened.catch(() => undefined);
    session.end();
    await Promise.all([reports.end(REPORT_END_MS), agent.end()]);
    record[Symbol.dispose]();
    terminal[Symbol.dispose]();
  }
}

/** @throws CliError for an agent that does not begin a session */
async function openSession(
  agent: AgentProcess,
  cwd: string,
  { view, session, modes }: { readonly view: TerminalView; readonly session: AcpSession; readonly modes: SessionModes },
): Promise<"opened"> {
  view.print("Starting the agent…", "faint");
  try {
    const created = await agent.open(cwd);
    const { modes: known } = created;
    session.modelChanged(created);
    if (known != null) modes.set(known);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const why = `acp: the agent could not begin a session: ${agentErrorText(error)}.${lastErrors(agent)}`;
    throw new CliError(exitCodes.refused, why, { cause: error });
  }
  view.print("Ready. Escape stops a turn, Ctrl-D ends the agent.", "faint");
  view.ready();
  return "opened";
}

/** The end of the agent's own error output, on lines of its own. */
function lastErrors({ errors }: AgentProcess): string {
  const lines = cleanText(errors).split("\n").slice(-MOST_ERROR_LINES);
  return errors === "" ? "" : `\n${lines.join("\n")}`;
}

/** The modes of a session, such as one in which the agent asks for nothing: the user changes them in their order. */
class SessionModes {
  readonly #view: TerminalView;
  #modes: Modes | undefined;

  constructor(view: TerminalView) {
    this.#view = view;
  }

  set(modes: Modes): void {
    this.#modes = modes;
    this.#show(modes.currentModeId);
  }

  update(update: unknown): void {
    if (typeof update !== "object" || update === null || !("currentModeId" in update)) return;
    const { currentModeId } = update;
    if (this.#modes === undefined || typeof currentModeId !== "string" || currentModeId === this.#modes.currentModeId)
      return;
    this.#modes = { ...this.#modes, currentModeId };
    this.#show(currentModeId);
  }

  next(agent: AgentProcess): void {
    const modes = this.#modes;
    const place = modes?.availableModes.findIndex(({ id }) => id === modes.currentModeId) ?? -1;
    const mode = modes?.availableModes[(place + 1) % modes.availableModes.length];
    if (mode === undefined || mode.id === modes?.currentModeId) return;
    agent.setMode(mode.id).then(
      () => this.update({ currentModeId: mode.id }),
      (error: unknown) => this.#view.print(`The mode was not changed: ${agentErrorText(error)}`, "bold"),
    );
  }

  #show(id: string): void {
    const name = this.#modes?.availableModes.find((mode) => mode.id === id)?.name ?? id;
    this.#view.print(`Mode: ${cleanText(name)} (Shift+Tab changes it)`, "faint");
  }
}

/** Takes the keys of this process's terminal until it is disposed. */
function takeTerminal(view: TerminalView, actions: Parameters<TerminalView["open"]>[0]): Disposable {
  const { stdin, stdout } = process;
  const pressed = (character: string | undefined, key: PressedKey) => view.press(character, key);
  const redraw = () => view.draw();
  const hangUp = () => actions.leave();
  const report = console.error;
  let hasDropped = false;
  // The library of the protocol says there what it drops, which would be drawn over: it is said once.
  console.error = () => {
    if (!hasDropped) view.print("Some messages of the agent were not understood, and left out.", "faint");
    hasDropped = true;
  };
  // The interface reads nothing: it is the one way to say how long.
  emitKeypressEvents(stdin, createInterface({ input: new PassThrough(), escapeCodeTimeout: ESCAPE_MS }));
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on("keypress", pressed).on("end", hangUp);
  stdout.on("resize", redraw);
  process.on("SIGHUP", hangUp).on("SIGTERM", hangUp);
  view.open(actions);
  return {
    [Symbol.dispose]() {
      console.error = report;
      view.close();
      stdin.off("keypress", pressed).off("end", hangUp).setRawMode(false).pause();
      stdout.off("resize", redraw);
      process.off("SIGHUP", hangUp).off("SIGTERM", hangUp);
    },
  };
}
