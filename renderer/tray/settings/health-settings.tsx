import { CodeText } from "../../ui/code-text.ts";
import { healthNotices } from "../health.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** What does not work, with the remedies. */
export function HealthSettings() {
  const notices = healthNotices(usePanel().content);
  return (
    <>
      {notices.length === 0 && <p className="panel-faint">{words.health.well}</p>}
      {notices.map(({ id, text }) => (
        <p key={id} className="panel-note" role={id === "relay" ? "status" : undefined}>
          <CodeText text={text} />
        </p>
      ))}
      <p className="panel-faint">{words.health.doctor({ command: <code>service doctor</code> })}</p>
    </>
  );
}
