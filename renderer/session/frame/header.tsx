import type { ClientId } from "../../../core/protocol/ids.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { activeWorkspace, focusOf } from "../../../core/state/client-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useStore } from "../../ui/store.ts";
import { showInvites, useCanInvite } from "../actions/toggle-drawer.ts";
import { TileArrangements } from "../stage/layout-choices.tsx";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { DrawerButton } from "./drawer.tsx";
import { People } from "./people.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { WorkspaceTabs } from "./workspace-tabs.tsx";

/** The session's name, its workspaces and the main actions. */
export function Header() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const canInvite = useCanInvite();
  const chatOpen = useStore(view.ui.chatOpen);
  const unread = useStore(view.ui.lastRead);
  const messages = mirror?.chat ?? [];
  const fresh = chatOpen ? 0 : unreadSince(messages, unread, self?.id);
  return (
    <header className="header">
      <SessionMenu />
      {view.host.windows?.own === undefined ? <WorkspaceTabs /> : <MoveBack />}
      <span className="header-end">
        <People />
        {self?.role !== "reader" && (
          <button
            type="button"
            className="button quiet new-shell"
            aria-label={words.keys.newShell}
            title={words.keys.newShell}
            onClick={() => void view.run("createShell", {})}
          >
            <Icon name="terminal" />
            <span className="wide-only">{words.keys.newShell}</span>
          </button>
        )}
        <LayoutMenu />
        <button
          type="button"
          className="icon-button chat-button"
          aria-pressed={chatOpen}
          aria-label={fresh === 0 ? words.frame.header.chat : words.frame.header.chatNew(fresh)}
          title={words.frame.header.chat}
          onClick={() => view.ui.chatOpen.set(!chatOpen)}
        >
          <Icon name="chat" />
          {fresh > 0 && <span className="count-mark">{fresh > 99 ? "99+" : fresh}</span>}
        </button>
        <DrawerButton />
        {canInvite && (
          <button
            type="button"
            className="button quiet wide-only"
            title={words.frame.header.inviteHint}
            onClick={() => showInvites(view)}
          >
            {words.frame.header.invite}
          </button>
        )}
        <button
          type="button"
          className="icon-button narrow-only"
          aria-label={words.frame.header.commands}
          title={words.frame.header.commandsHint}
          onClick={() => view.ui.palette.set({ kind: "commands" })}
        >
          <Icon name="commands" />
        </button>
      </span>
    </header>
  );
}

/** In the place of the workspaces, in a window of its own. */
function MoveBack() {
  const view = useView();
  const { state } = useSnapshot();
  return (
    <button
      type="button"
      className="button outlined small"
      title={words.frame.tabs.moveBackHint}
      onClick={() => void view.run("moveBack", { tile: focusOf(state) ?? undefined })}
    >
      <Icon name="move-back" size={14} />
      {words.frame.tabs.moveBack}
    </button>
  );
}

/** Arrangements of the tiles, by picture, where several are on show. */
function LayoutMenu() {
  const { state, self } = useSnapshot();
  if (self?.role === "reader" || activeWorkspace(state).root?.kind !== "split") return null;
  return (
    <Popover label={words.layouts.title} className="icon-button layout-button" button={<Icon name="layout" />}>
      {(close) => <TileArrangements chosen={close} />}
    </Popover>
  );
}

/** Counts the messages of others after the last one read. */
function unreadSince(messages: readonly ChatMessage[], lastRead: number, self: ClientId | undefined): number {
  return messages.filter(({ id, from }) => id > lastRead && from.clientId !== self).length;
}
