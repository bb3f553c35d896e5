import { usePanel } from "./use-panel.ts";
import { moment } from "./words.ts";

/** Programs that ask to be let in: with the code that they show, to compare, and what they say of themselves. */
export function PendingLogins() {
  const { content, run, say } = usePanel();
  if (content.logins.length === 0) return null;
  const answer = async (code: string, allow: boolean) => {
    if ((await run("panel.answerLogin", { code, allow })) === false) say("This login no longer waits.", "bad");
  };
  return (
    <section className="panel-section" aria-label="Logins">
      <h2>Asks to be let in</h2>
      <ul className="panel-list">
        {content.logins.map(({ code, name, address, expiresAt }) => (
          <li key={code} className="panel-card" data-waits="true">
            <div className="panel-row">
              <h3 className="ellipsis" title={name}>
                {name}
              </h3>
              <code className="panel-code">{code}</code>
            </div>
            <p className="panel-faint">
              From {address}, until {moment(expiresAt)}. Allow it only if you started it and it shows this code: it gets
              a key that may do all that you may.
            </p>
            <div className="panel-actions">
              <button
                type="button"
                className="button primary"
                aria-label={`Allow the login ${code}`}
                onClick={() => void answer(code, true)}
              >
                Allow
              </button>
              <button
                type="button"
                className="button outlined"
                aria-label={`Deny the login ${code}`}
                onClick={() => void answer(code, false)}
              >
                Deny
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
