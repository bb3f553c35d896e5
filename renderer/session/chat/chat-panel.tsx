import "./chat-panel.css";
import { useEffect, useRef, useState } from "react";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useSnapshot, useView } from "../view/view.ts";

/** The session's chat, beside the tiles. */
export function ChatPanel() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const messages = mirror?.chat ?? [];
  const last = messages.at(-1)?.id ?? 0;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    view.ui.lastRead.set(last);
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [view, last]);
  return (
    <aside className="chat" aria-label="Chat">
      <div className="chat-head">
        <h2>Chat</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the chat"
          onClick={() => view.ui.chatOpen.set(false)}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      <ol ref={list} aria-live="polite" aria-label="Messages">
        {messages.length === 0 && (
          <li className="chat-empty">No messages yet. Everyone in the session sees what you write.</li>
        )}
        {messages.map((message, index) => (
          <Message
            key={message.id}
            message={message}
            goesOn={messages[index - 1]?.from.clientId === message.from.clientId}
          />
        ))}
      </ol>
      {self?.role !== "reader" && <Composer />}
    </aside>
  );
}

function Message({ message: { from, text, at }, goesOn }: { message: ChatMessage; goesOn: boolean }) {
  return (
    <li className="message">
      {!goesOn && (
        <div className="message-head">
          <Avatar id={from.clientId} name={from.name} />
          <strong className="ellipsis" title={from.name}>
            {from.name}
          </strong>
          <time dateTime={at}>
            {new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}
          </time>
        </div>
      )}
      <p>{text}</p>
    </li>
  );
}

/** Enter sends, Shift+Enter starts a new line. Unsent text stays in the field. */
function Composer() {
  const view = useView();
  const [text, setText] = useState("");
  const send = async () => {
    if (text.trim() === "") return;
    const sent = await view.run("sendChat", { message: text.trim() });
    if (sent !== undefined) setText("");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        className="field"
        aria-label="Message"
        placeholder="Write to everyone here"
        rows={2}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the chat
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") view.ui.chatOpen.set(false);
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
    </form>
  );
}
