import { type ReactNode, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { CommandLineFacts, WelcomeFacts } from "../../../preload/channels.ts";
import { CodeText } from "../../ui/code-text.ts";
import { Keys } from "../../ui/keys.tsx";
import { chordLabel } from "../keys/chord.ts";
import type { AppFrame } from "../view/session-host.ts";
import { useKeys } from "../view/view.ts";
import { words } from "../words/index.ts";

interface Props {
  readonly app: AppFrame;
  readonly facts: WelcomeFacts;
}

/** Returns the shortcuts to begin with, as the keymap names them, and what they are called here. */
function firstKeys(): ReadonlyMap<string, string> {
  return new Map([
    [words.keys.newShell, words.keys.newShell],
    [words.keys.splitRight, words.keys.splitRight],
    [words.keys.commands, words.welcome.keys.commands],
    [words.keys.leave, words.welcome.keys.leave],
  ]);
}

/** What Patchbay is, with the user's own shell beside it. */
export function ShellStep({ facts: { iconPlace, trayProblem } }: Props) {
  const shortcuts = useKeys();
  const names = firstKeys();
  const bindings = shortcuts.bindings.filter(({ title }) => names.has(title));
  return (
    <>
      <p>{words.welcome.intro}</p>
      <dl>
        {bindings.map(({ title, chord }) => (
          <div key={title}>
            <dt>{names.get(title)}</dt>
            <dd>{chord !== undefined && <Keys label={chordLabel(chord, shortcuts.mac)} />}</dd>
          </div>
        ))}
      </dl>
      {trayProblem === null ? (
        <p>{words.welcome.goesOn(words.welcome.iconPlaces[iconPlace])}</p>
      ) : (
        <>
          <p>{words.welcome.goesOnWithout}</p>
          <p className="welcome-note">
            <CodeText text={trayProblem} />
          </p>
        </>
      )}
    </>
  );
}

/** Makes terminals outside Patchbay find `service`, and says whether they have its key. */
export function CommandLineStep({ app, facts: { commandLine, keychainProblem } }: Props) {
  const { state, line, file } = commandLine;
  const [outcome, setOutcome] = useState("");
  const [added, setAdded] = useState(false);
  // Stays while the step is on show: a button that went away would take the keys with it.
  const [isOffered] = useState(state !== "ready");
  const connect = async () => {
    try {
      if (!added) await app.connectCommandLine();
      setAdded(true);
      setOutcome(words.welcome.commandLine.added);
    } catch (error) {
      setOutcome(errorText(error));
    }
  };
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome(words.welcome.commandLine.copied),
      () => setOutcome(words.welcome.commandLine.notCopied),
    );
  return (
    <>
      <p>
        {words.welcome.commandLine.about({
          service: <code>service</code>,
          example: <code>service func create-shell</code>,
        })}
      </p>
      <p>{describeState(commandLine)}</p>
      {isOffered && line !== null && (
        <>
          <pre className="welcome-line">{line}</pre>
          <p className="welcome-row">
            {file !== null && (
              <button type="button" className="button outlined" aria-disabled={added} onClick={() => void connect()}>
                {words.welcome.commandLine.addTo(file)}
              </button>
            )}
            <button type="button" className="button outlined" onClick={() => void copy(line)}>
              {words.welcome.commandLine.copy}
            </button>
          </p>
        </>
      )}
      <p role="status">{outcome}</p>
      <p className="welcome-note">
        {keychainProblem === null ? (
          words.welcome.commandLine.key
        ) : (
          <CodeText text={words.welcome.commandLine.keyLater(keychainProblem)} />
        )}
      </p>
    </>
  );
}

function describeState({ state, line, file }: CommandLineFacts): string {
  if (state === "ready") return words.welcome.commandLine.connected;
  if (line === null) return words.welcome.commandLine.fullPath;
  const said = words.welcome.commandLine;
  if (state === "partly") return file === null ? said.fileAdds : said.lineAdds;
  return file === null ? said.fileConnects : said.lineConnects;
}

/** Whether what shells print is recorded on disk. Nothing is until the user says so. */
export function HistoryStep({ app, facts: { history } }: Props) {
  const [chosen, setChosen] = useState(history);
  const [outcome, setOutcome] = useState("");
  const [isRefused, setRefused] = useState(false);
  const choose = async (on: boolean, unencrypted = false) => {
    try {
      await app.recordHistory({ on, unencrypted });
      setChosen(on ? "on" : "off");
      setOutcome(on ? words.welcome.history.recorded : words.welcome.history.notRecorded);
    } catch (error) {
      setRefused(on && !unencrypted);
      setOutcome(errorText(error));
    }
  };
  return (
    <>
      <p>{words.welcome.history.about}</p>
      <p>{words.welcome.history.kept}</p>
      <p className="welcome-row">
        <button
          type="button"
          className="button outlined"
          aria-pressed={chosen === "on"}
          onClick={() => void choose(true)}
        >
          {words.welcome.history.record}
        </button>
        <button
          type="button"
          className="button outlined"
          aria-pressed={chosen === "off"}
          onClick={() => void choose(false)}
        >
          {words.welcome.history.keepOff}
        </button>
        {isRefused && (
          <button type="button" className="button outlined" onClick={() => void choose(true, true)}>
            {words.welcome.history.unencrypted}
          </button>
        )}
      </p>
      <p role="status">{outcome}</p>
      <p className="welcome-note">
        <CodeText text={words.welcome.history.later} />
      </p>
    </>
  );
}

/** When Patchbay may speak up, and whether it starts by itself. */
export function NoticesStep({ app, facts: { notifications, notificationProblem, startAtLogin, iconPlace } }: Props) {
  const [outcome, setOutcome] = useState("");
  const failed = (error: Error) => setOutcome(error.message);
  const tell = () => app.tryNotification().then((by) => setOutcome(words.welcome.notifications[TRIED[by]]), failed);
  return (
    <>
      <Choice
        label={words.welcome.notifications.switch}
        checked={notifications}
        change={(on) => void app.choose({ notifications: on }).catch(failed)}
      >
        {words.welcome.notifications.hint}
      </Choice>
      {notificationProblem !== null && (
        <p className="welcome-note">
          <CodeText text={notificationProblem} />
        </p>
      )}
      <p className="welcome-row">
        <button type="button" className="button outlined" onClick={() => void tell()}>
          {words.welcome.notifications.show}
        </button>
      </p>
      <p role="status">{outcome}</p>
      <Choice
        label={words.welcome.notifications.start}
        checked={startAtLogin}
        change={(on) => void app.choose({ startAtLogin: on }).catch(failed)}
      >
        {words.welcome.notifications.startHint(words.welcome.iconPlaces[iconPlace])}
      </Choice>
      <p className="welcome-note">{words.welcome.notifications.later}</p>
    </>
  );
}

const TRIED = { native: "native", toast: "asMessage", log: "notShown" } as const;

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  change(on: boolean): void;
  readonly children: ReactNode;
}

function Choice({ label, checked, change, children }: ChoiceProps) {
  return (
    <label className="welcome-choice">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>
        {label}
        <small>{children}</small>
      </span>
    </label>
  );
}
