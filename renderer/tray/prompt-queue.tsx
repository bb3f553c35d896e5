import { type FormEvent, useEffect, useRef, useState } from "react";
import { type Receipt, sendLimits } from "../../core/protocol/receipts.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { formatTime } from "../ui/format-time.ts";
import { useBusy } from "../ui/use-busy.ts";
import { type QueueGroup, queueGroups } from "./queue-groups.ts";
import { usePanel } from "./use-panel.ts";
import { usePolledLists } from "./use-polled-lists.ts";
import { words } from "./words/index.ts";

const POLL_INTERVAL_MS = 2_000;

/** The prompts that wait for the agents, in the order of their queues, and those that did not arrive. */
export function PromptQueue() {
  const { content, call } = usePanel();
  const [receipts, refresh] = usePolledLists<Receipt>(
    (session) => call("getReceipts", { session, all: true }),
    POLL_INTERVAL_MS,
    ["prompts", "agents"],
  );
  const groups = queueGroups(receipts);
  if (groups.length === 0) return null;
  return (
    <section className="panel-section" aria-label={words.prompts.title}>
      <h2>{words.prompts.title}</h2>
      <ul className="panel-list">
        {groups.map((group) => (
          <Queue
            key={`${group.session}-${group.shellId}`}
            group={group}
            session={content.sessions.find(({ id }) => id === group.session)}
            refresh={refresh}
          />
        ))}
      </ul>
    </section>
  );
}

interface QueueProps {
  readonly group: QueueGroup;
  readonly session: PanelSession | undefined;
  readonly refresh: () => Promise<void>;
}

function Queue({ group, session, refresh }: QueueProps) {
  const { waiting, undelivered, agentType, shellId } = group;
  const name = session?.shells.find(({ id }) => id === shellId)?.name ?? words.shell(shellId);
  const about = [name === agentType ? "" : name, session?.name].filter(Boolean).join(" · ");
  const queued = waiting.filter(({ state }) => state === "queued");
  return (
    <li className="panel-card">
      <div className="panel-row">
        <h3 className="ellipsis" title={agentType || name}>
          {agentType || name}
        </h3>
        <span className="panel-faint ellipsis" title={about}>
          {about}
        </span>
      </div>
      <ol className="queue-list">
        {waiting.map((receipt) => (
          <WaitingPrompt
            key={receipt.id}
            receipt={receipt}
            position={queued.indexOf(receipt) + 1}
            last={queued.length}
            refresh={refresh}
          />
        ))}
      </ol>
      {undelivered.length > 0 && (
        <details className="queue-undelivered">
          <summary>{words.prompts.undelivered(undelivered.length)}</summary>
          <ul className="queue-list">
            {undelivered.map((receipt) => (
              <UndeliveredPrompt
                key={receipt.id}
                receipt={receipt}
                canSend={session?.shells.find(({ id }) => id === shellId)?.running === true}
                refresh={refresh}
              />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

interface UndeliveredProps {
  readonly receipt: Receipt;
  /** Its shell still runs. */
  readonly canSend: boolean;
  readonly refresh: () => Promise<void>;
}

/** A prompt that did not arrive. Sent again it waits in the queue under the conditions that it had. */
function UndeliveredPrompt({ receipt, canSend, refresh }: UndeliveredProps) {
  const { call, showStatus } = usePanel();
  const [isSending, runOnce] = useBusy();
  const { id, session, shellId, guard, expect } = receipt;
  const sendAgain = async () => {
    const known = await call("getReceipt", { session, id });
    if (known === undefined) return;
    const conditions = { guard, ...(expect !== null && { expect }) };
    const sent = await call("sendPrompt", { session, shellId, text: known.prompt, ...conditions });
    if (sent !== undefined) showStatus(words.prompts.sentAgain(id, sent.id));
    await refresh();
  };
  return (
    <li className="queue-prompt">
      <p className="queue-text">{shownText(receipt)}</p>
      <p className="panel-faint">{describeEnd(receipt)}</p>
      {canSend && (
        <div className="panel-buttons">
          <button
            type="button"
            className="button quiet"
            aria-label={words.prompts.sendAgain(id)}
            aria-disabled={isSending}
            onClick={() => runOnce(sendAgain)}
          >
            {words.prompts.sendItAgain}
          </button>
        </div>
      )}
    </li>
  );
}

interface WaitingProps {
  readonly receipt: Receipt;
  /** Place among those that can still be changed, from 1; 0 for one that is being delivered. */
  readonly position: number;
  readonly last: number;
  readonly refresh: () => Promise<void>;
}

function WaitingPrompt({ receipt, position, last, refresh }: WaitingProps) {
  const { call, showStatus } = usePanel();
  const [edited, setEdited] = useState<string>();
  const [isBusy, runOnce] = useBusy();
  const { id, session } = receipt;
  const move = async (to: number, button: HTMLButtonElement) => {
    if (to < 1 || to > last) return;
    if ((await call("editPrompt", { session, id, position: to })) !== undefined)
      showStatus(words.prompts.moved(id, to, last));
    await refresh();
    // The list's new order takes the focus from the button.
    requestAnimationFrame(() => button.focus());
  };
  const edit = async () => {
    const known = await call("getReceipt", { session, id });
    if (known !== undefined) setEdited(known.prompt);
  };
  const cancel = async () => {
    if ((await call("cancelPrompt", { session, id })) !== undefined) showStatus(words.prompts.cancelled(id));
    await refresh();
  };
  const save = async (text: string) => {
    if ((await call("editPrompt", { session, id, text })) === undefined) return;
    setEdited(undefined);
    showStatus(words.prompts.changed(id));
    await refresh();
  };
  return (
    <li className="queue-prompt" aria-label={words.prompts.prompt(id)}>
      {edited === undefined ? (
        <p className="queue-text">{shownText(receipt)}</p>
      ) : (
        <EditForm
          id={id}
          start={edited}
          isSaving={isBusy}
          save={(text) => runOnce(() => save(text))}
          close={() => setEdited(undefined)}
        />
      )}
      <p className="panel-faint">{describeWait(receipt, position)}</p>
      {position > 0 && edited === undefined && (
        <div className="panel-buttons">
          <MoveButton
            label={words.prompts.moveUp(id)}
            text={words.prompts.up}
            off={isBusy || position === 1}
            press={(at) => runOnce(() => move(position - 1, at))}
          />
          <MoveButton
            label={words.prompts.moveDown(id)}
            text={words.prompts.down}
            off={isBusy || position === last}
            press={(at) => runOnce(() => move(position + 1, at))}
          />
          <button
            type="button"
            className="button quiet"
            aria-label={words.prompts.edit(id)}
            aria-disabled={isBusy}
            onClick={() => runOnce(edit)}
          >
            {words.prompts.editIt}
          </button>
          <button
            type="button"
            className="button quiet"
            aria-label={words.prompts.cancel(id)}
            aria-disabled={isBusy}
            onClick={() => runOnce(cancel)}
          >
            {words.prompts.cancelIt}
          </button>
        </div>
      )}
    </li>
  );
}

interface MoveProps {
  readonly label: string;
  readonly text: string;
  /** It stays in the order of the keyboard, so that the focus is not lost at the ends of the queue. */
  readonly off: boolean;
  press(button: HTMLButtonElement): void;
}

function MoveButton({ label, text, off, press }: MoveProps) {
  return (
    <button
      type="button"
      className="button quiet"
      aria-label={label}
      aria-disabled={off}
      onClick={({ currentTarget }) => {
        if (!off) press(currentTarget);
      }}
    >
      {text}
    </button>
  );
}

interface EditProps {
  readonly id: number;
  readonly start: string;
  readonly isSaving: boolean;
  save(text: string): void;
  close(): void;
}

/** Ctrl+Enter saves, Escape leaves the prompt as it is. */
function EditForm({ id, start, isSaving, save, close }: EditProps) {
  const [text, setText] = useState(start);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== "") save(text);
  };
  return (
    <form
      className="queue-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" && event.ctrlKey) submit(event);
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <textarea
        ref={field}
        className="field"
        aria-label={words.prompts.text(id)}
        rows={Math.min(8, text.split("\n").length + 1)}
        maxLength={sendLimits.text}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="panel-buttons">
        <button type="submit" className="button primary" disabled={text.trim() === ""} aria-disabled={isSaving}>
          {words.prompts.save}
        </button>
        <button type="button" className="button quiet" onClick={close}>
          {words.prompts.leave}
        </button>
      </div>
    </form>
  );
}

function shownText({ text, length }: Receipt): string {
  return length > text.length ? `${text}…` : text;
}

function describeWait({ state, waitsFor, by, expiresAt }: Receipt, position: number): string {
  if (state !== "queued") return words.prompts.about(words.prompts.states[state], by);
  const why = position > 1 ? words.prompts.afterOthers : (waitsFor ?? words.prompts.next);
  return words.prompts.aboutWaiting(why, by, formatTime(expiresAt));
}

function describeEnd({ state, history, by }: Receipt): string {
  const last = history.at(-1);
  const why = last === undefined ? "" : last.evidence;
  const when = last === undefined ? "" : formatTime(last.at);
  return [words.prompts.states[state === "queued" ? "written" : state], why, words.prompts.from(by), when]
    .filter(Boolean)
    .join(" · ");
}
