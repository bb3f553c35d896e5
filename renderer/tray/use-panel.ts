import { createContext, useContext } from "react";
import type { MethodName, Params, Result } from "../../core/commands/specs.ts";
import type { OperationInput, OperationName, OperationResult } from "../../core/operations/index.ts";
import type { ProcedureName } from "../../core/procedures/index.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { MachineOverview, MachineRef } from "../../core/protocol/machines.ts";
import type { MachineAnswer, MachineShell } from "../../core/protocol/other-machines.ts";
import type { Question } from "../../core/protocol/questions.ts";
import type { SettingName, SettingsSection } from "../../core/protocol/settings.ts";
import type { InvokeArgs, PanelContent, PanelResults, PanelTab } from "../../preload/channels.ts";
import type { OwnChords } from "../session/keys/own-chords.ts";
import type { Store } from "../ui/store.ts";
import type { SettingsStore } from "../ui/terminal-settings.ts";
import type { TerminalPalette } from "../ui/terminal-themes.ts";
import { hostRuns, type PanelCall, type PanelHost } from "./host.ts";

/** What this device keeps for the session view: one of each in a page. */
export interface PanelStores {
  readonly terminals: SettingsStore;
  readonly themes: Store<readonly TerminalPalette[]>;
  /** The user's own keyboard shortcuts. */
  readonly chords: Store<OwnChords>;
}

/** Target within a place of the panel. */
export interface PanelTarget {
  readonly section?: SettingsSection | undefined;
  /** A setting of the section, which takes the focus. */
  readonly setting?: SettingName | undefined;
  /** A person, who takes the focus, or something that opens: a name of `use-target.ts`. */
  readonly item?: string;
}

type PanelResult<N extends PanelCall> = N extends keyof PanelResults ? PanelResults[N] : unknown;

export interface PanelView {
  readonly content: PanelContent;
  /** The relays of other machines, as they last answered. */
  readonly remotes: readonly MachineOverview[];
  /** @see PanelHost.onTouched */
  readonly onTouched: PanelHost["onTouched"];
  /** Asks them now, in place of waiting for the next time. */
  askRemotes(): void;
  /** What this device keeps for the session view. */
  readonly stores: PanelStores;
  /** The relay does not answer: what is shown is as it was, and no card takes an answer. */
  readonly isAway: boolean;
  /** There is room for columns. */
  readonly isWide: boolean;
  /** Number of requests that wait for the user, on other machines too. */
  readonly waiting: number;
  /** Shows a place of the panel, and what is led to within it. */
  goTo(place: PanelTab, target?: PanelTarget): void;
  /** What the panel was led to and has not reached yet. */
  readonly target: PanelTarget | undefined;
  /** Says that the target is reached. */
  reach(): void;
  /** The section of the settings that is shown; undefined: their list. */
  readonly settingsSection: SettingsSection | undefined;
  showSettings(section: SettingsSection | undefined): void;
  /** Whether this place can do what a call is for; what cannot be done is not offered. */
  can(name: PanelCall): boolean;
  /** Reports whether a procedure of the relay is run here; what needs others is not offered. */
  canRun(name: ProcedureName): boolean;
  /** Calls the host. On failure, shows the error and resolves with undefined. */
  run<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<PanelResult<N> | undefined>;
  /** Copies something by a call of the host, and says that it was copied. On failure, shows the error instead. */
  copy<N extends "panel.copy" | "panel.copySecret">(name: N, args: InvokeArgs<N>, copied: string): Promise<void>;
  /** Calls an operation of the relay. On failure, shows the error and resolves with undefined. */
  call<N extends OperationName>(name: N, params: OperationInput<N>): Promise<OperationResult<N> | undefined>;
  /** Executes a command in a session, in the name of the user's client there. On failure, does as `call` does. */
  command<M extends MethodName>(session: SessionId, name: M, params: Params<M>): Promise<Result<M> | undefined>;
  /** Calls an operation of the relay. Rejects on failure with an Error whose message is meant for the user. */
  ask<N extends OperationName>(name: N, params: OperationInput<N>): Promise<OperationResult<N>>;
  /** Answers a question, on this machine or another one. Rejects on failure as `ask` does. */
  answerQuestion(machine: MachineRef | undefined, answer: MachineAnswer): Promise<Question>;
  /** Lists the questions of a shell, closed ones too. Rejects on failure as `ask` does. */
  questionsOf(machine: MachineRef | undefined, shell: MachineShell): Promise<readonly Question[]>;
  /**
   * Keeps a key for a machine once the machine has accepted it, and opens the session if one is given. Rejects as `ask` does
   * where the key is not kept.
   */
  giveKey(
    ref: MachineRef,
    key: string,
    session: { readonly id: string; readonly name: string } | undefined,
  ): Promise<void>;
  /** Shows the menu of what can be done with a row or card, which has some: see row-actions.ts. */
  showActions(row: Element): void;
  /** Shows a message in the panel's footer. */
  showStatus(sentence: string, kind?: "info" | "bad"): void;
}

export const PanelContext = createContext<PanelView | undefined>(undefined);

export function usePanel(): PanelView {
  const view = useContext(PanelContext);
  if (view === undefined) throw new Error("usePanel was called outside of the panel.");
  return view;
}

/** Creates the panel's view over its host. */
export function panelView(
  host: PanelHost,
  shown: Pick<
    PanelView,
    | "content"
    | "remotes"
    | "askRemotes"
    | "stores"
    | "waiting"
    | "isWide"
    | "isAway"
    | "goTo"
    | "target"
    | "reach"
    | "settingsSection"
    | "showSettings"
    | "showStatus"
    | "showActions"
  >,
): PanelView {
  const answered = async <T>(answer: Promise<unknown>): Promise<T | undefined> => {
    try {
      return (await answer) as T;
    } catch (error) {
      shown.showStatus(errorText(error), "bad");
      return undefined;
    }
  };
  const ask = async <N extends OperationName>(operation: N, params: OperationInput<N>) =>
    (await host.invoke("panel.run", { operation, params: { ...params } })) as OperationResult<N>;
  return {
    ...shown,
    onTouched: host.onTouched,
    can: (name) => host.can(name),
    canRun: (name) => hostRuns(host, name),
    ask,
    run: (name, args) => answered(host.invoke(name, args)),
    async copy(name, args, copied) {
      await answered(host.invoke(name, args).then(() => shown.showStatus(copied)));
    },
    async answerQuestion(machine, answer) {
      if (machine === undefined) return ask("answerQuestion", answer);
      try {
        const { session: remoteSession, ...given } = answer;
        return await ask("answerMachineQuestion", { ...machine, ...given, remoteSession });
      } finally {
        shown.askRemotes();
      }
    },
    async questionsOf(machine, shell) {
      if (machine === undefined) return ask("getQuestions", { ...shell, closed: true });
      return ask("getMachineQuestions", { ...machine, remoteSession: shell.session, shell: shell.shell });
    },
    async giveKey(ref, key, session) {
      await ask("giveMachineKey", { ...ref, key, remoteSession: session?.id });
      if (session !== undefined) {
        const opened = { ...session, id: SessionId.parse(session.id) };
        await answered(host.invoke("panel.openMachine", { ...ref, session: opened }));
      }
      shown.askRemotes();
    },
    call: (operation, params) => answered(ask(operation, params)),
    command: (session, operation, params) =>
      answered(host.invoke("panel.run", { operation, params: { ...params }, session })),
  };
}
