import { useEffect, useRef } from "react";
import type { MachineLink } from "../../preload/channels.ts";
import { DoorFrame } from "../ui/door-frame.tsx";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { useLanguage } from "../ui/language.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "./words.ts";

const SECOND_MS = 1_000;

interface Props {
  readonly link: MachineLink;
  retry(): void;
  enterKey(): void;
}

/** What the window of another machine's session shows while it does not have the session. */
export function MachineDoor({ link, retry, enterKey }: Props) {
  useLanguage();
  const { machine, session, state, why } = link;
  if (state === "refused") return <Refused link={link} retry={retry} enterKey={enterKey} />;
  return (
    <DoorFrame>
      <div role="status">
        <h1>{state === "away" ? words.door.waiting(machine) : words.door.opening(session, machine)}</h1>
        {state === "away" && (
          <>
            {why !== undefined && <p className="door-text">{why}</p>}
            <p className="door-text">{words.door.opensThen(session, machine)}</p>
          </>
        )}
      </div>
      {state === "away" && (
        <>
          <AwaySince link={link} />
          <p className="door-actions">
            <button type="button" className="button outlined" onClick={retry}>
              {words.door.tryNow}
            </button>
          </p>
        </>
      )}
    </DoorFrame>
  );
}

function Refused({ link: { machine, session, why, needsKey }, retry, enterKey }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <DoorFrame>
      <h1>{words.door.noAccess(session, machine)}</h1>
      <p className="door-text" role="alert">
        {why}
      </p>
      <p className="door-actions">
        {needsKey === true && (
          <button type="button" ref={first} className="button primary" onClick={enterKey}>
            {words.door.enterKey}
          </button>
        )}
        <button type="button" ref={needsKey === true ? null : first} className="button outlined" onClick={retry}>
          {words.door.tryAgain}
        </button>
      </p>
    </DoorFrame>
  );
}

/** The time is not announced each second: the reason beside it is. */
function AwaySince({ link: { since } }: Pick<Props, "link">) {
  const now = useNow(SECOND_MS);
  if (since === undefined) return null;
  const away = formatDuration(now - Date.parse(since));
  return (
    <p className="door-text">
      {away === "" ? words.door.lastHeard(formatTime(since)) : words.door.lastHeardAgo(formatTime(since), away)}
    </p>
  );
}
