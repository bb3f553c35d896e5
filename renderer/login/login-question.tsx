import { useEffect, useId, useState } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import { Mark } from "../ui/mark.tsx";
import { words } from "./words.ts";

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
        <h1 id={title}>{words.question}</h1>
      </div>
      <p>{words.asks({ program: <strong>{login.name}</strong>, address: login.address })}</p>
      <output className="login-code" aria-label={words.code}>
        {login.code}
      </output>
      <p className="login-hint">{words.check}</p>
      <div className="login-buttons">
        <button
          type="button"
          className="button primary"
          disabled={!ready}
          onClick={() => answer(true)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        >
          {words.allow}
        </button>
        <button type="button" className="button outlined" onClick={() => answer(false)}>
          {words.deny}
        </button>
      </div>
    </section>
  );
}
