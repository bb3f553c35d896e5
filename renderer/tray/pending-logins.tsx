import { useEffect, useState } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import { formatTime } from "../ui/format-time.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Delay before Allow is enabled: protects against a click that was meant for something else. */
const READY_AFTER_MS = 700;

/** Pending logins, each with its name for itself and its code for comparison. */
export function PendingLogins() {
  const { logins } = usePanel().content;
  if (logins.length === 0) return null;
  return (
    <section className="panel-section" aria-label={words.people.logins.title}>
      <h2>{words.people.logins.heading}</h2>
      <ul className="panel-list">
        {logins.map((login) => (
          <LoginCard key={login.code} login={login} />
        ))}
      </ul>
    </section>
  );
}

function LoginCard({ login: { code, name, address, expiresAt } }: { readonly login: PendingLogin }) {
  const { call } = usePanel();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), READY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const answer = (allow: boolean) => call("answerLogin", { code, allow });
  return (
    <li className="panel-card" data-waits="true">
      <div className="panel-row">
        <h3 className="ellipsis" title={name}>
          {name}
        </h3>
        <code className="panel-code">{code}</code>
      </div>
      <p className="panel-faint">{words.people.logins.about(address, formatTime(expiresAt))}</p>
      <div className="panel-actions">
        <button
          type="button"
          className="button primary"
          aria-label={words.people.logins.allow(code)}
          disabled={!ready}
          onClick={() => void answer(true)}
        >
          {words.people.logins.allowIt}
        </button>
        <button
          type="button"
          className="button outlined"
          aria-label={words.people.logins.deny(code)}
          onClick={() => void answer(false)}
        >
          {words.people.logins.denyIt}
        </button>
      </div>
    </li>
  );
}
