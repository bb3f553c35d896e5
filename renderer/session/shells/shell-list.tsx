import "./shell-list.css";
import type { Shell } from "../../../core/protocol/records.ts";
import { Popover } from "../../ui/popover.tsx";
import { describeExit, shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { type ShellAction, shellActions } from "./shell-actions.ts";

/** All shells of the session, including those in no tile, with actions to show, watch or take over each. */
export function ShellList() {
  const view = useView();
  const { mirror } = useSnapshot();
  const shells = mirror?.shells ?? [];
  const running = shells.filter((shell) => shell.running).length;
  const word = running === 1 ? "1 shell" : `${running} shells`;
  return (
    <Popover
      label={`${word}; show the list`}
      className="footer-button"
      side="above"
      control={view.ui.shellListOpen}
      button={word}
    >
      {(close) => (
        <>
          <h2 className="popover-title">
            {shells.length === 0 ? "No shell runs in this session" : "Shells of this session"}
          </h2>
          <ul>
            {shells.map((shell) => (
              <ShellRow key={shell.id} shell={shell} done={close} />
            ))}
          </ul>
        </>
      )}
    </Popover>
  );
}

function ShellRow({ shell, done }: { shell: Shell; done: () => void }) {
  const view = useView();
  const snapshot = useSnapshot();
  const { self } = snapshot;
  const owner = shell.ownerClientId === self?.id ? "yours" : (shell.owner ?? "no owner");
  const { name: title, detail } = shellInfo(shell.id, snapshot);
  const act = async (action: ShellAction) => {
    done();
    await view.run(action.method, action.params);
  };
  return (
    <li className="shell-row">
      <span className={`dot ${shell.running ? "good" : ""}`} />
      <span className="person-text">
        <span className="ellipsis" title={title}>
          {title}
        </span>
        <span className="ellipsis quiet" title={shell.cwd}>
          {[shell.running ? owner : describeExit(shell), detail].filter((part) => part !== "").join(" · ")}
        </span>
      </span>
      {shellActions(shell, snapshot).map((action) => (
        <button
          key={action.label}
          type="button"
          className="button quiet small"
          aria-label={`${action.label} ${title}`}
          onClick={() => void act(action)}
        >
          {action.label}
        </button>
      ))}
    </li>
  );
}
