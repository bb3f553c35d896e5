import { type ReactNode, useState } from "react";
import type { CommandLineFacts, WelcomeFacts } from "../../../preload/channels.ts";
import { CodeText } from "../../ui/code-text.ts";
import { Keys } from "../../ui/keys.tsx";
import { chordLabel } from "../keys/chord.ts";
import type { AppFrame } from "../view/session-host.ts";
import { useView } from "../view/view.ts";

interface Props {
  readonly app: AppFrame;
  readonly facts: WelcomeFacts;
}

/** Shortcuts to begin with, as the keymap names them, and what they are called here. */
const FIRST_KEYS: Readonly<Record<string, string>> = {
  "New shell": "New shell",
  "Split right": "Split right",
  "Show all commands": "All commands",
  "Leave the terminal: go to the next region of the window": "From the shell to this panel",
};

/** What Patchbay is, with the user's own shell beside it. */
export function ShellStep({ facts: { iconPlace, trayProblem } }: Props) {
  const { shortcuts } = useView();
  const bindings = shortcuts.bindings.filter(({ title }) => title in FIRST_KEYS);
  return (
    <>
      <p>
        This is your own shell, in a tile. You, your scripts, AI agents and people whom you invite can see and use the
        same live shells. Nothing leaves this computer unless you say so.
      </p>
      <dl>
        {bindings.map(({ title, chord }) => (
          <div key={title}>
            <dt>{FIRST_KEYS[title]}</dt>
            <dd>{chord !== undefined && <Keys label={chordLabel(chord, shortcuts.mac)} />}</dd>
          </div>
        ))}
      </dl>
      {trayProblem === null ? (
        <p>Closing this window ends nothing: Patchbay goes on, and its icon in the {iconPlace} opens the panel.</p>
      ) : (
        <>
          <p>Closing this window ends nothing; start Patchbay again to see it.</p>
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
      setOutcome("Added. New terminals find the command line.");
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : String(error));
    }
  };
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("The line is on the clipboard."),
      () => setOutcome("The line could not be copied; select it instead."),
    );
  return (
    <>
      <p>
        Scripts and agents control a session with <code>service</code>. In Patchbay's own shells it works already; try{" "}
        <code>service func create-shell</code>.
      </p>
      <p>{describeState(commandLine)}</p>
      {isOffered && line !== null && (
        <>
          <pre className="welcome-line">{line}</pre>
          <p className="welcome-row">
            {file !== null && (
              <button type="button" className="button outlined" aria-disabled={added} onClick={() => void connect()}>
                Add to {file}
              </button>
            )}
            <button type="button" className="button outlined" onClick={() => void copy(line)}>
              Copy
            </button>
          </p>
        </>
      )}
      <p role="status">{outcome}</p>
      <p className="welcome-note">
        {keychainProblem === null ? (
          "Its key is in your keychain."
        ) : (
          <CodeText text={`${keychainProblem} Until then, a terminal gets a key by \`patchbay login\`.`} />
        )}
      </p>
    </>
  );
}

function describeState({ state, line, file }: CommandLineFacts): string {
  if (state === "ready") return "It is connected: new terminals find it.";
  if (line === null) return "On this system, terminals outside Patchbay start it by its full path.";
  const where = file === null ? "In the start file of your shell, this line" : "This line";
  return state === "partly"
    ? `Other terminals have it as “patchbay func”. ${where} adds “service”.`
    : `${where} makes it work in every other terminal.`;
}

/** When Patchbay may speak up, and whether it starts by itself. */
export function NoticesStep({ app, facts: { notifications, notificationProblem, startAtLogin, iconPlace } }: Props) {
  const [outcome, setOutcome] = useState("");
  const failed = (error: Error) => setOutcome(error.message);
  const tell = () => app.tryNotification().then((by) => setOutcome(TRIED[by]), failed);
  return (
    <>
      <Choice
        label="Notify me of agents"
        checked={notifications}
        change={(on) => void app.choose({ notifications: on }).catch(failed)}
      >
        When one waits for you, has finished, or has failed.
      </Choice>
      {notificationProblem !== null && (
        <p className="welcome-note">
          <CodeText text={notificationProblem} />
        </p>
      )}
      <p className="welcome-row">
        <button type="button" className="button outlined" onClick={() => void tell()}>
          Show one now
        </button>
      </p>
      <p role="status">{outcome}</p>
      <Choice
        label="Start Patchbay when I log in"
        checked={startAtLogin}
        change={(on) => void app.choose({ startAtLogin: on }).catch(failed)}
      >
        It starts in the {iconPlace}, without a window.
      </Choice>
      <p className="welcome-note">
        The settings in the panel change both. The session's menu shows this welcome again.
      </p>
    </>
  );
}

const TRIED = {
  native: "Your desktop has shown it.",
  toast: "Your desktop shows no notifications, so Patchbay has shown it as a message.",
  log: "It was not shown: messages are off or paused, or this one was just shown.",
} as const;

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
