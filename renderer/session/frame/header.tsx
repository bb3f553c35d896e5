import type { ClientId } from "../../../core/protocol/ids.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { Icon } from "../../ui/icon.tsx";
import { Mark } from "../../ui/mark.tsx";
import { useStore } from "../../ui/store.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { People } from "./people.tsx";
import { WorkspaceTabs } from "./workspace-tabs.tsx";

/** The session's name, its workspaces and the main actions. */
export function Header() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const chatOpen = useStore(view.ui.chatOpen);
  const unread = useStore(view.ui.lastRead);
  const messages = mirror?.chat ?? [];
  const fresh = chatOpen ? 0 : unreadSince(messages, unread, self?.id);
  return (
    <header className="header">
      <span
        className="brand"
        title={mirror === undefined ? "Patchbay" : `Session ${mirror.session.name}, of ${mirror.session.owner}`}
      >
        <Mark />
        <h1 className="ellipsis">{mirror?.session.name ?? "Patchbay"}</h1>
      </span>
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
        <button
          type="button"
          className="button quiet"
          aria-label="Commands"
          title="Show all commands"
          onClick={() => view.ui.palette.set({ kind: "commands" })}
        >
          <span className="narrow-only">
            <Icon name="commands" />
          </span>
          <span className="wide-only">Commands</span>
        </button>
      </span>
    </header>
  );
}

/** Counts the messages of others after the last one read. */
function unreadSince(messages: readonly ChatMessage[], lastRead: number, self: ClientId | undefined): number {
  return messages.filter(({ id, from }) => id > lastRead && from.clientId !== self).length;
}
