import { useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import { DoorFrame } from "../../ui/door-frame.tsx";
import { KeyForm } from "../../ui/key-form.tsx";
import { words } from "../words/index.ts";

/** Asks for an API key of the relay's owner. */
export function KeyDoor(props: {
  /** Why the key that was used is not accepted. */
  readonly why: string | undefined;
  /** Rejects with an Error whose message is meant for the user. */
  readonly enter: (apiKey: string) => Promise<void>;
}) {
  const [problem, setProblem] = useState(props.why);
  const [isSent, setSent] = useState(false);
  const submit = async (apiKey: string) => {
    setSent(true);
    try {
      await props.enter(apiKey);
    } catch (error) {
      setProblem(errorText(error));
      setSent(false);
    }
  };
  return (
    <DoorFrame>
      <h1>{words.browser.title}</h1>
      <p className="door-text" role={problem === undefined ? undefined : "alert"}>
        {problem ?? words.browser.about}
      </p>
      <KeyForm words={words.browser} isSent={isSent} enter={(apiKey) => void submit(apiKey)} />
    </DoorFrame>
  );
}
