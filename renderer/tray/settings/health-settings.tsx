import { useCallback, useEffect, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { Finding } from "../../../core/protocol/health.ts";
import { CodeText } from "../../ui/code-text.ts";
import { healthNotices } from "../health.ts";
import { PanelIcon, type PanelIconName } from "../icons.tsx";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

const marks: Readonly<Record<Finding["state"], PanelIconName>> = { ok: "check", note: "about", problem: "cross" };
const order: Readonly<Record<Finding["state"], number>> = { problem: 0, note: 1, ok: 2 };

/** What the relay's checks find, the same as those of `service doctor`: what does not work first, with its remedy. */
export function HealthSettings() {
  const { content, ask } = usePanel();
  const [findings, setFindings] = useState<readonly Finding[]>();
  const [problem, setProblem] = useState<string>();
  const [isChecking, setChecking] = useState(false);
  const check = useCallback(async () => {
    setChecking(true);
    try {
      setFindings(await ask("checkHealth", {}));
      setProblem(undefined);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setChecking(false);
    }
  }, [ask]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with every content
  useEffect(() => void check(), []);
  // What the checks find in their own words is not said twice.
  const notices = healthNotices(content).filter(({ id }) => findings === undefined || id === "relay");
  return (
    <>
      {notices.map(({ id, text }) => (
        <p key={id} className="panel-note" role={id === "relay" ? "status" : undefined}>
          <CodeText text={text} />
        </p>
      ))}
      {problem !== undefined && (
        <p className="panel-error" role="alert">
          {words.health.failed(problem)}
        </p>
      )}
      {findings !== undefined && (
        <ul className="setting-rows health-findings" aria-label={words.health.title} aria-busy={isChecking}>
          {findings
            .toSorted((one, other) => order[one.state] - order[other.state])
            .map(({ check: name, state, found, advice }) => (
              <li key={name} data-state={state}>
                <span className="health-mark" title={words.health.states[state]}>
                  <PanelIcon name={marks[state]} />
                  <span className="visually-hidden">{words.health.states[state]}</span>
                </span>
                <div>
                  <p>
                    <CodeText text={found} />
                  </p>
                  {advice !== undefined && (
                    <p className="panel-faint">
                      <CodeText text={advice} />
                    </p>
                  )}
                </div>
              </li>
            ))}
        </ul>
      )}
      <div className="panel-actions">
        <button type="button" className="button outlined" disabled={isChecking} onClick={() => void check()}>
          {isChecking ? words.health.checking : words.health.again}
        </button>
      </div>
      <p className="panel-faint">{words.health.doctor({ command: <code>service doctor</code> })}</p>
    </>
  );
}
