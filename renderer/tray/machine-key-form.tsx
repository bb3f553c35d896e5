import { useEffect, useId, useRef, useState } from "react";
import { errorText } from "../../core/protocol/error-text.ts";
import type { MachineOverview } from "../../core/protocol/machines.ts";
import { CodeText } from "../ui/code-text.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Asks for the key of a machine where one is needed; nothing otherwise. */
export function MachineKey({ remote }: { readonly remote: MachineOverview }) {
  const { content, can } = usePanel();
  const { via, machine, key, keepsKey } = remote;
  const wanted = content.desktop?.keysWanted.find((one) => one.via === via && one.machine === machine);
  // A relay of the fleet is asked for its sessions without a key. The app asks for one when a session is opened.
  const asksLater = via === "fleet" && can("panel.openMachine");
  const isUnusable = key === "rejected" || (key === "missing" && !asksLater);
  if (wanted === undefined && !isUnusable) return null;
  const why = wanted?.why ?? (keepsKey ? words.remotes.giveKey.notValid : words.remotes.giveKey.noKey);
  return (
    <MachineKeyForm
      key={String(wanted === undefined)}
      remote={remote}
      why={why}
      session={wanted?.session}
      isAsked={wanted !== undefined}
    />
  );
}

interface FormProps {
  readonly remote: MachineOverview;
  readonly why: string;
  /** Opened with the key. */
  readonly session: { readonly id: string; readonly name: string } | undefined;
  /** The user has come here for it: the field takes the keys. */
  readonly isAsked: boolean;
}

function MachineKeyForm({ remote: { via, machine }, why, session, isAsked }: FormProps) {
  const { giveKey } = usePanel();
  const [key, setKey] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const [isTrying, setTrying] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  const submit = async () => {
    setTrying(true);
    setRefusal(undefined);
    try {
      await giveKey({ via, machine }, key.trim(), session);
      setKey("");
    } catch (error) {
      setRefusal(errorText(error));
    } finally {
      setTrying(false);
    }
  };
  return (
    <form
      className="panel-card"
      aria-label={words.remotes.giveKey.form(machine)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p>{why}</p>
      <div className="panel-grid">
        <label>
          {words.remotes.giveKey.label(machine)}
          <input
            ref={field}
            className="field"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            aria-describedby={id}
            aria-invalid={refusal !== undefined}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
      </div>
      <p id={id} className="panel-faint">
        <CodeText
          text={
            session === undefined
              ? words.remotes.giveKey.hint(machine)
              : words.remotes.giveKey.hintOpens(machine, session.name)
          }
        />
      </p>
      {refusal !== undefined && (
        <p className="panel-error" role="alert">
          {refusal}
        </p>
      )}
      <div className="panel-actions">
        <button type="submit" className="button primary" disabled={isTrying || key.trim() === ""}>
          {isTrying ? words.remotes.giveKey.trying : words.remotes.giveKey.use}
        </button>
      </div>
    </form>
  );
}
