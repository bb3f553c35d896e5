import type { ClientId } from "../../../core/protocol/ids.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { Icon } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { People } from "./people.tsx";
import { invite, SessionMenu } from "./session-menu.tsx";
import { WorkspaceTabs } from "./workspace-tabs.tsx";

/** The session's name, its workspaces and the main actions. */
export function Header() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const { app } = view.host;
  const chatOpen = useStore(view.ui.chatOpen);
  const unread = useStore(view.ui.lastRead);
  const messages = mirror?.chat ?? [];
  const fresh = chatOpen ? 0 : unreadSince(messages, unread, self?.id);
  return (
    <header className="header">
      <SessionMenu />
      <WorkspaceTabs />
      <span className="header-end">
        <People />
        {self?.role !== "reader" && (
          <button
            type="button"
            className="button quiet new-shell"
            aria-label="New shell"
            title="New shell"
            onClick={() => void view.run("createShell", {})}
          >
            <Icon name="terminal" />
            <span className="wide-only">New shell</span>
          </button>
        )}
        <button
          type="button"
          className="icon-button chat-button"
          aria-pressed={chatOpen}
          aria-label={fresh === 0 ? "Chat" : `Chat, ${fresh} new`}
          title="Chat"
          onClick={() => view.ui.chatOpen.set(!chatOpen)}
        >
          <Icon name="chat" />
          {fresh > 0 && <span className="count-mark">{fresh > 99 ? "99+" : fresh}</span>}
        </button>
        {app !== undefined && (
          <button
            type="button"
            className="button quiet wide-only"
            title="Copy an invite link for a guest who can type; the session's menu has one for a guest who can watch"
            onClick={() => void invite(view, app, "writer")}
          >
            Invite
          </button>
        )}
        <button
          type="button"
          className="icon-button narrow-only"
          aria-label="Commands"
          title="Show all commands"
          onClick={() => view.ui.palette.set({ kind: "commands" })}
        >
          <Icon name="commands" />
        </button>
      </span>
    </header>
  );
}

/** Counts the messages of others after the last one read. */
function unreadSince(messages: readonly ChatMessage[], lastRead: number, self: ClientId | undefined): number {
  return messages.filter(({ id, from }) => id > lastRead && from.clientId !== self).length;
}
