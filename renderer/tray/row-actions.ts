import { type KeyboardEvent, type RefCallback, useCallback, useRef } from "react";
import type { Agent } from "../../core/protocol/agent-records.ts";
import { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { chordLabel } from "../session/keys/chord.ts";
import type { MenuItem, MenuSection, OpenMenu } from "../ui/menu.tsx";
import type { PanelView } from "./use-panel.ts";
import { targets } from "./use-target.ts";
import { words } from "./words/index.ts";

/** What can be done with a row or card, and its name. */
export type RowActions = Omit<OpenMenu, "at">;

const actionsOf = new WeakMap<Element, () => RowActions | undefined>();

/**
 * Offers actions for a row or card; undefined: none.
 * @returns what its element takes as `ref`; the element has `data-item`
 */
export function useRowActions(actions: RowActions | undefined): RefCallback<HTMLElement> {
  const latest = useRef(actions);
  latest.current = actions;
  return useCallback((element: HTMLElement | null) => {
    if (element !== null) actionsOf.set(element, () => latest.current);
  }, []);
}

/** Parts of a row that have keys and menus of their own, or text to copy. */
const OWN_KEYS = "form, dialog, [role=dialog], .activity-raw";

/**
 * Returns the row or card that an element is in. A row with several controls has `data-row`; the one that Enter goes
 * by has `data-item`.
 */
export function rowOf(element: Element): HTMLElement | null {
  const item = element.closest<HTMLElement>("[data-item]");
  if (item !== null || element.closest(OWN_KEYS) !== null) return item;
  return element.closest("[data-row]")?.querySelector<HTMLElement>("[data-item]") ?? null;
}

/** Returns what can be done with a row or card now; undefined: nothing but what Enter does. */
export function actionsOn(row: Element | null): RowActions | undefined {
  return row === null ? undefined : actionsOf.get(row)?.();
}

/** Returns the keys of a combination as they are printed on this machine's keyboard; `Command` is Ctrl, on a Mac ⌘. */
export function keysLabel(chord: string): string {
  const isMac = /mac/i.test(navigator.platform);
  return chordLabel(chord.replace("Command", isMac ? "Meta" : "Ctrl"), isMac);
}

type RunsCalls = Pick<PanelView, "run" | "command" | "can" | "canRun" | "copy" | "goTo" | "content">;

/**
 * Returns the line that opens an agent's conversation in its session; none where the agent's own session is not known, and
 * where conversations cannot be read.
 */
export function conversationItem(
  { run, canRun }: RunsCalls,
  session: string,
  { agentType, agentSessionId }: { readonly agentType: string; readonly agentSessionId: string },
): MenuItem[] {
  if (agentSessionId === "" || !canRun("getConversation")) return [];
  const open = () => {
    const conversation = { agentType, agentSessionId, title: "" };
    const nowhere = { line: "", from: 0, length: 0, later: 0, at: new Date().toISOString() };
    void run("panel.open", { id: SessionId.parse(session), place: { in: "conversations", conversation, ...nowhere } });
  };
  return [{ label: words.actions.readConversation, keys: keysLabel("Shift+Enter"), run: open }];
}

/** Returns the key handler of an agent's row: Shift and Enter open the conversation, where there is one. */
export function opensConversation(conversation: MenuItem | undefined): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" || !event.shiftKey || conversation === undefined) return;
    event.preventDefault();
    conversation.run();
  };
}

/** Returns the line that mutes an agent's shell, or ends that; none where this place cannot. */
export function muteItem(
  { run, can }: RunsCalls,
  session: PanelSession,
  shellId: number,
  agentType: string,
): MenuItem[] {
  if (!can("panel.mute")) return [];
  const shell = ShellId.parse(shellId);
  const muted = session.muted.includes(shell);
  return [
    {
      label: muted ? words.actions.unmute(agentType) : words.actions.mute(agentType),
      run: () => run("panel.mute", { id: SessionId.parse(session.id), shell, muted: !muted }),
    },
  ];
}

/** Returns what can be done with a running agent. */
export function agentActions(
  panel: RunsCalls,
  session: PanelSession,
  agent: Pick<Agent, "agentType" | "sessionId" | "shellId">,
  name: string,
): RowActions {
  const { agentType, sessionId, shellId } = agent;
  const open = () => panel.run("panel.open", { id: SessionId.parse(session.id), shell: ShellId.parse(shellId) });
  return {
    label: words.actions.of(name),
    sections: [
      [
        { label: words.bar.open(name), keys: keysLabel("Enter"), run: open },
        ...conversationItem(panel, session.id, { agentType, agentSessionId: sessionId }),
      ],
      [
        ...muteItem(panel, session, shellId, agentType),
        ...(panel.can("panel.usage") ? [{ label: words.bar.costs, run: () => panel.goTo("agents") }] : []),
      ],
    ].filter((items) => items.length > 0),
  };
}

/** Returns what can be done with a session, beside opening it. */
export function sessionItems(
  { content, command, can, canRun, copy, goTo }: RunsCalls,
  { id: session, restrictions }: PanelSession,
): readonly MenuSection[] {
  const id = SessionId.parse(session);
  const { restrictShells } = restrictions;
  const copyCurl = {
    label: words.sessions.copyCurl,
    run: () => copy("panel.copy", { id, what: "curl" }, words.sessions.curlCopied),
  };
  const copyId = {
    label: words.sessions.copyId,
    run: () => copy("panel.copy", { id, what: "id" }, words.sessions.idCopied),
  };
  const restrict = {
    label: restrictShells ? words.sessions.lift : words.sessions.restrict,
    run: () => command(id, "restrictShells", { state: restrictShells ? "off" : "on" }),
  };
  const rename = { label: words.sessions.rename, run: () => goTo("sessions", { item: targets.rename(session) }) };
  const close: MenuItem = {
    label: words.sessions.close,
    danger: true,
    run: () => goTo("sessions", { item: targets.close(session) }),
  };
  return [
    [
      ...(can("panel.copy") ? [copyId] : []),
      ...(content.desktop === undefined ? [] : [copyCurl]),
      ...(canRun("restrictShells") ? [restrict] : []),
    ],
    [...(canRun("renameSession") ? [rename] : []), ...(canRun("closeSession") ? [close] : [])],
  ].filter((items) => items.length > 0);
}

/** Returns what can be done with a session. */
export function sessionActions(panel: RunsCalls, session: PanelSession): RowActions {
  const { run, can, goTo } = panel;
  const invite = {
    label: words.invite.button,
    keys: keysLabel("Command+I"),
    run: () => goTo("sessions", { item: targets.invite(session.id) }),
  };
  return {
    label: words.actions.of(session.name),
    sections: [
      [
        {
          label: words.bar.open(session.name),
          keys: keysLabel("Enter"),
          run: () => run("panel.open", { id: SessionId.parse(session.id) }),
        },
        ...(can("panel.invite") ? [invite] : []),
      ],
      ...sessionItems(panel, session),
    ],
  };
}
