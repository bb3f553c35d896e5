import { type FormEvent, useState } from "react";
import { DoorFrame } from "../../ui/door-frame.tsx";
import { words } from "../words/index.ts";

/** Asks for an API key of the relay's owner. */
export function KeyDoor(props: {
  /** Why the key that was used is not accepted. */
  readonly why: string | undefined;
  /** Rejects with an Error whose message is meant for the user. */
  readonly enter: (apiKey: string) => Promise<void>;
}) {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState(props.why);
  const [isSent, setSent] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    try {
      await props.enter(key.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSent(false);
    }
  };
  return (
    <DoorFrame>
      <h1>{words.browser.title}</h1>
      <p className="door-text" role={problem === undefined ? undefined : "alert"}>
        {problem ?? words.browser.about}
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="key">{words.browser.key}</label>
        <input
          id="key"
          className="field"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          // A header carries no others.
          pattern="[\w\-]+"
          value={key}
          aria-describedby="key-hint"
          onChange={(event) => setKey(event.target.value)}
        />
        <p id="key-hint" className="door-hint">
          {words.browser.hint}
        </p>
        <button type="submit" className="button primary" disabled={isSent}>
          {words.browser.open}
        </button>
      </form>
    </DoorFrame>
  );
}
