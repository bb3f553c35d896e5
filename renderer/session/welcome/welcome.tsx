import "./welcome.css";
import { useEffect, useId, useRef, useState } from "react";
import type { WelcomeFacts } from "../../../preload/channels.ts";
import { Mark } from "../../ui/mark.tsx";
import { useStore } from "../../ui/store.ts";
import type { AppFrame } from "../view/session-host.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { CommandLineStep, HistoryStep, NoticesStep, ShellStep } from "./steps.tsx";

const steps = [
  { name: "first", Body: ShellStep },
  { name: "commandLine", Body: CommandLineStep },
  { name: "history", Body: HistoryStep },
  { name: "notifications", Body: NoticesStep },
] as const;

/** The welcome of the first run, beside the tiles of the window that the app has chosen for it. */
export function Welcome() {
  const { app } = useView().host;
  return app === undefined ? null : <InApp app={app} />;
}

function InApp({ app }: { app: AppFrame }) {
  const { welcome } = useStore(app.facts);
  const { mirror } = useSnapshot();
  if (welcome === null || welcome.session !== mirror?.session.id) return null;
  return <Steps app={app} facts={welcome} />;
}

/** A dialog that leaves the tiles usable: it has the keys until the user goes to a tile. */
function Steps({ app, facts }: { app: AppFrame; facts: WelcomeFacts }) {
  const view = useView();
  const [at, setAt] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const title = useId();
  const count = useId();
  const step = steps[at] ?? steps[0];
  const isLast = at === steps.length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step is read from its heading on
  useEffect(() => heading.current?.focus(), [at]);
  const finish = () => app.showWelcome(false);
  return (
    <dialog
      open
      className="welcome"
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key === "Escape") view.keyboard.focusTile();
      }}
    >
      <div className="welcome-body">
        <p className="welcome-count" id={count}>
          <Mark />
          {words.welcome.stepOf(at + 1, steps.length)}
        </p>
        <h2 ref={heading} id={title} aria-describedby={count} tabIndex={-1}>
          {words.welcome.steps[step.name]}
        </h2>
        <step.Body app={app} facts={facts} />
      </div>
      <div className="welcome-actions">
        {!isLast && (
          <button type="button" className="button quiet" onClick={finish}>
            {words.welcome.skip}
          </button>
        )}
        <span className="welcome-move">
          {at > 0 && (
            <button type="button" className="button outlined" onClick={() => setAt(at - 1)}>
              {words.welcome.back}
            </button>
          )}
          <button type="button" className="button primary" onClick={isLast ? finish : () => setAt(at + 1)}>
            {isLast ? words.welcome.done : words.welcome.next}
          </button>
        </span>
      </div>
    </dialog>
  );
}
