import { PanelIcon } from "../icons.tsx";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** Stands in the place of what waits while nothing does. */
export function Nothing() {
  const { canRun } = usePanel();
  return (
    <div className="now-calm" role="status">
      <PanelIcon name="check" />
      <div>
        <p className="now-calm-title">{words.inbox.calm}</p>
        {canRun("answerQuestion") && <p className="panel-faint">{words.inbox.calmHint}</p>}
      </div>
    </div>
  );
}
