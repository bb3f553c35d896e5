import type { Machine, Machines } from "../../../client/machines.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { MachineOverview, MachineRef } from "../../../core/protocol/machines.ts";
import type { OtherMachine, OtherMachines } from "../../../core/protocol/other-machines.ts";
import type { KeyWanted, MachineSessionRef } from "../../../preload/panel-content.ts";
import { MachineSession } from "../sessions/machine-session.ts";
import type { MachineWatch } from "../sessions/machine-watch.ts";
import { words } from "../words.ts";
import { machineWindowKey, type SessionWindows, windowKey } from "./session-windows.ts";

interface Options {
  readonly machines: Machines;
  /** Asks the machines for the relay, and counts what waits there. */
  readonly watch: Pick<MachineWatch, "list">;
  readonly windows: SessionWindows;
  /** Called when a key is wanted, or no longer. */
  readonly changed: () => void;
  /** Shows where the panel takes keys. */
  readonly showPanel: () => void;
}

/** What became of a request to open a window. `key-wanted`: the panel asks for the machine's key first. */
type MachineWindowState = "opened" | "key-wanted";

/**
 * The windows of sessions that other machines serve, and the keys that they need. The relay uses the other machines through
 * it, so that a key that is given or deleted anywhere, such as in a browser, counts for the windows at once.
 */
export class MachineWindows implements OtherMachines, Disposable {
  readonly #options: Options;
  /** By the key of the window. */
  readonly #open = new Map<string, MachineSession>();
  /** By the id of the machine. */
  readonly #wanted = new Map<string, KeyWanted>();
  /** The session to open with a key that is wanted, as its caller has named it, by the id of the machine. */
  readonly #named = new Map<string, string>();
  /** What a closed window needs to come back with its layout, by the key of the window. */
  readonly #resume = new Map<string, string>();

  constructor(options: Options) {
    this.#options = options;
  }

  find(ref: MachineRef): OtherMachine | undefined {
    const machine = this.#options.machines.find(ref);
    return (
      machine && {
        answerQuestion: (answer) => machine.answerQuestion(answer),
        questionsOf: (shell) => machine.questionsOf(shell),
        takeKey: (key, session) => this.#takeKey(machine, key, session),
        forgetKey: () => this.#forgetKey(machine),
      }
    );
  }

  list(): Promise<readonly MachineOverview[]> {
    return this.#options.watch.list();
  }

  /** The keys that are needed to go on. */
  wanted(): readonly KeyWanted[] {
    return [...this.#wanted.values()];
  }

  /** Opens a session's window, or brings it to the front. A machine without a key is asked for one first. */
  async open({ session, ...ref }: MachineSessionRef): Promise<MachineWindowState> {
    const machine = this.#machine(ref);
    const known = this.#open.get(machineWindowKey(machine.id, session.id));
    if (known !== undefined) this.#options.windows.open(known);
    else if (await machine.hasKey()) this.#show(machine, session);
    else {
      this.#named.delete(machine.id);
      this.#want(machine, words.windows.noKey(machine.ref.machine), session);
      this.#options.showPanel();
      return "key-wanted";
    }
    return "opened";
  }

  /** Opens a session by the name of its machine, and its own name or id there. A machine without a key is asked for one. */
  async openNamed(name: string, wanted: string): Promise<{ session: string; state: MachineWindowState }> {
    const machine = this.#options.machines.named(name);
    if (machine === undefined) {
      const advice = `a session of this machine whose name has a slash is local/${name}/${wanted}`;
      throw new RemoteError("invalid_params", `target: there is no machine ${name}; ${advice}.`);
    }
    // A remote does not list its sessions without a key.
    if (machine.ref.via === "remote" && !(await machine.hasKey())) {
      this.#want(machine, words.windows.noKey(machine.ref.machine), undefined);
      this.#named.set(machine.id, wanted);
      this.#options.showPanel();
      return { session: wanted, state: "key-wanted" };
    }
    const session = await machine.findSession(wanted);
    return { session: session.id, state: await this.open({ ...machine.ref, session }) };
  }

  /** Shows where the user gives another key for the machine of a window. */
  enterKey({ ref }: MachineSession): void {
    const machine = this.#options.machines.find(ref);
    if (machine !== undefined && !this.#wanted.has(machine.id)) this.#want(machine, words.windows.otherKey, undefined);
    this.#options.showPanel();
  }

  [Symbol.dispose](): void {
    for (const session of this.#open.values()) session[Symbol.dispose]();
  }

  /** Keeps a key that the machine has accepted, and goes on with what waits for it. */
  async #takeKey(machine: Machine, key: string, session: SessionId | undefined): Promise<void> {
    const [open] = this.#sessionsOf(machine);
    await machine.takeKey(key, session ?? open?.id);
    this.#wanted.delete(machine.id);
    for (const waiting of this.#sessionsOf(machine)) waiting.retry();
    const named = this.#named.get(machine.id);
    this.#named.delete(machine.id);
    if (named !== undefined) await this.openNamed(machine.ref.machine, named);
    this.#options.changed();
  }

  /** Deletes the key of a machine. What is open with it ends. */
  async #forgetKey(machine: Machine): Promise<void> {
    await machine.forgetKey();
    for (const session of this.#sessionsOf(machine)) session.refuse(words.windows.keyDeleted(machine.ref.machine));
    this.#options.changed();
  }

  #machine(ref: MachineRef): Machine {
    const machine = this.#options.machines.find(ref);
    if (machine !== undefined) return machine;
    throw new RemoteError("invalid_params", `There is no machine ${ref.machine} now.`);
  }

  #sessionsOf({ id }: Machine): readonly MachineSession[] {
    return [...this.#open.values()].filter(({ machineId }) => machineId === id);
  }

  #show(machine: Machine, session: { readonly id: SessionId; readonly name: string }): void {
    const { machines, windows } = this.#options;
    const key = machineWindowKey(machine.id, session.id);
    const opened = new MachineSession({
      machine,
      find: (ref) => machines.find(ref),
      session,
      resume: this.#resume.get(key),
      toast: (toast) => windows.toast(key, toast),
      refused: (why, needsKey) => needsKey && this.#want(machine, why, undefined),
    });
    this.#open.set(key, opened);
    windows.open(opened, () => this.#closed(opened));
  }

  #closed(session: MachineSession): void {
    const key = windowKey(session);
    const { resumeToken } = session.client;
    if (resumeToken !== undefined) this.#resume.set(key, resumeToken);
    session[Symbol.dispose]();
    this.#open.delete(key);
    // A key that only this window needed is not asked for any more.
    const wanted = this.#wanted.get(session.machineId);
    const others = [...this.#open.values()].some(({ machineId }) => machineId === session.machineId);
    if (wanted === undefined || wanted.session !== undefined || others) return;
    this.#wanted.delete(session.machineId);
    this.#options.changed();
  }

  #want({ id, ref }: Machine, why: string, session: MachineSessionRef["session"] | undefined): void {
    this.#wanted.set(id, { ...ref, why, session });
    this.#options.changed();
  }
}
