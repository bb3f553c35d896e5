import { useEffect, useId, useState } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import { Mark } from "../ui/mark.tsx";

/** Delay before Allow is enabled: protects against a click that was meant for something else. */
const READY_AFTER_MS = 700;

interface Props {
  readonly login: PendingLogin;
  readonly answer: (allow: boolean) => void;
}

/** One program's login. Prevents accidental approval: Enter does nothing, and Allow is enabled with a delay. */
export function LoginQuestion({ login, answer }: Props) {
  const [ready, setReady] = useState(false);
  const title = useId();
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), READY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section className="login" aria-labelledby={title}>
      <div className="login-head">
        <Mark />
        <h1 id={title}>Let this program in?</h1>
      </div>
      <p>
        <strong>{login.name}</strong>, from {login.address}, asks for an API key. With the key it can do everything in
        your sessions that you can.
      </p>
      <output className="login-code" aria-label="Code">
        {login.code}
      </output>
      <p className="login-hint">Allow it only if you started it and it shows the same code.</p>
      <div className="login-buttons">
        <button type="button" className="button outlined" onClick={() => answer(false)}>
          Deny
        </button>
        <button
          type="button"
          className="button primary"
          disabled={!ready}
          onClick={() => answer(true)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        >
          Allow
        </button>
      </div>
    </section>
  );
}
