import "./chat-panel.css";
import { useEffect, useState } from "react";
import type { ChatMessage } from "../../../core/protocol/records.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatDay, formatTimeOfDay, isSameDay } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import { useStaysAtEnd } from "../view/use-stays-at-end.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { splitLinks } from "./split-links.ts";

/** The session's chat, beside the tiles. */
export function ChatPanel() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const messages = mirror?.chat ?? [];
  const newest = messages.at(-1);
  const last = newest?.id ?? 0;
  const end = useStaysAtEnd(last, { goesToEnd: newest !== undefined && newest.from.clientId === self?.id });
  const wanted = useStore(view.ui.chatMessage);
  useEffect(() => view.ui.lastRead.set(last), [view, last]);
  useEffect(() => {
    if (wanted !== undefined)
      end.ref.current?.querySelector(`[data-message="${wanted}"]`)?.scrollIntoView({ block: "center" });
  }, [wanted, end.ref]);
  useEffect(() => () => view.ui.chatMessage.set(undefined), [view]);
  return (
    <aside className="chat" aria-label={words.chat.title}>
      <div className="chat-head">
        <h2>{words.chat.title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={words.chat.close}
          onClick={() => view.ui.chatOpen.set(false)}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      <ol {...end} aria-live="polite" aria-label={words.chat.messages}>
        {messages.length === 0 && <li className="chat-empty">{words.chat.empty}</li>}
        {messages.map((message, index) => (
          <Message key={message.id} message={message} before={messages[index - 1]} isFound={message.id === wanted} />
        ))}
      </ol>
      {self?.role === "reader" ? <p className="chat-reason">{words.chat.readOnly}</p> : <Composer />}
    </aside>
  );
}

function Message({
  message: { id, from, text, at },
  before,
  isFound,
}: {
  message: ChatMessage;
  before: ChatMessage | undefined;
  /** The user went to it from a search. */
  isFound: boolean;
}) {
  const sameDay = before !== undefined && isSameDay(before.at, at);
  const colour = useSnapshot().mirror?.clients.find(({ id }) => id === from.clientId)?.colour;
  const goesOn = sameDay && before.from.clientId === from.clientId;
  return (
    <li className="message" data-message={id} data-found={isFound || undefined}>
      {!sameDay && <p className="chat-day">{formatDay(at)}</p>}
      {!goesOn && (
        <div className="message-head">
          <Avatar id={from.clientId} name={from.name} colour={colour} />
          <strong className="ellipsis" title={from.name}>
            {from.name}
          </strong>
          {from.guest && <span className="guest-mark">{words.chat.guest}</span>}
          <time dateTime={at}>{formatTimeOfDay(at)}</time>
        </div>
      )}
      <p>
        <LinkedText text={text} />
      </p>
    </li>
  );
}

/** Text whose web addresses are links; they open outside. */
function LinkedText({ text }: { text: string }) {
  const { host } = useView();
  return splitLinks(text).map(({ text: part, url, at }) =>
    url === undefined ? (
      part
    ) : (
      <a
        key={at}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          host.openInBrowser(url);
        }}
      >
        {part}
      </a>
    ),
  );
}

/** Enter sends, Shift+Enter starts a new line. Unsent text stays in the field. */
function Composer() {
  const view = useView();
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    const sent = await view.run("sendChat", { message: text.trim() });
    setSending(false);
    // What was typed meanwhile stays.
    if (sent !== undefined) setText((now) => (now === text ? "" : now));
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
        aria-label={words.chat.message}
        placeholder={words.chat.hint}
        rows={2}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the chat
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") view.ui.chatOpen.set(false);
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          void send();
        }}
      />
    </form>
  );
}
