import { useEffect, useState } from "react";
import type { FleetMember, FleetStatus } from "../../core/protocol/fleet.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { formatCount } from "./format.ts";
import { AwayFor } from "./remote-machines.tsx";
import { type PanelView, usePanel } from "./use-panel.ts";

const ASK_EVERY_MS = 2_000;

const STATES = {
  off: { label: "not joined", dot: "bad" },
  connecting: { label: "connecting", dot: "wait" },
  joined: { label: "joined", dot: "good" },
  disconnected: { label: "disconnected", dot: "wait" },
} as const;

/** The relay's membership of a fleet: joins, shows the other machines, and leaves. */
export function FleetSettings() {
  const panel = usePanel();
  const [status, setStatus] = useFleet(panel.ask);
  if (status === undefined) return null;
  return (
    <section className="panel-section" aria-label="Fleet">
      <div className="panel-row">
        <h2>Fleet</h2>
        {isWanted(status) && (
          <span className="panel-chip" role="status">
            <span className={`dot ${STATES[status.state].dot}`} />
            {STATES[status.state].label}
          </span>
        )}
      </div>
      {isWanted(status) ? <Membership status={status} changed={setStatus} /> : <JoinForm joined={setStatus} />}
    </section>
  );
}

/** Whether the relay is in a fleet, or is to be. */
function isWanted({ state, broker }: FleetStatus): boolean {
  return state !== "off" || broker !== null;
}

/** The membership, asked for while the panel is visible; undefined until the first answer. */
function useFleet(ask: PanelView["ask"]): [FleetStatus | undefined, (status: FleetStatus) => void] {
  const [status, setStatus] = useState<FleetStatus>();
  // The panel has another function at each change of its content.
  const [first] = useState(() => ask);
  useEffect(() => {
    let isStopped = false;
    const look = () => {
      if (document.hidden) return;
      first("getFleet", {}).then(
        (found) => isStopped || setStatus(found),
        // The last answer stays; the next one comes soon.
        () => undefined,
      );
    };
    const timer = setInterval(look, ASK_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    look();
    return () => {
      isStopped = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [first]);
  return [status, setStatus];
}

function JoinForm({ joined }: { joined(status: FleetStatus): void }) {
  const { run, ask } = usePanel();
  const [broker, setBroker] = useState("");
  const [file, setFile] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [isJoining, setJoining] = useState(false);
  const join = async (credentials: string) => {
    setJoining(true);
    setRefusal(undefined);
    try {
      joined(await ask("joinFleet", { broker: broker.trim(), credentials }));
    } catch (error) {
      setRefusal(sentence(error instanceof Error ? error.message : String(error)));
    } finally {
      setJoining(false);
    }
  };
  return (
    <>
      <p className="panel-faint">
        Connects this machine with others through a broker, so that each shows and controls the sessions of all.
      </p>
      <form
        className="panel-card"
        aria-label="Join a fleet"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) void join(file);
        }}
      >
        <div className="panel-grid">
          <label>
            Address of the broker
            <input
              className="field"
              placeholder="nats://broker.example.org:4222"
              value={broker}
              spellCheck={false}
              required
              onChange={(event) => setBroker(event.target.value)}
            />
          </label>
        </div>
        <div className="panel-row">
          <span className="ellipsis panel-faint" title={file}>
            {file === undefined ? "No credentials chosen" : (file.split(/[\\/]/).at(-1) ?? file)}
          </span>
          <button
            type="button"
            className="button outlined"
            onClick={() =>
              void run("panel.chooseCredentials", undefined).then((chosen) => chosen && setFile(chosen.file))
            }
          >
            Choose credentials
          </button>
        </div>
        {refusal !== undefined && (
          <p className="panel-error" role="alert">
            {refusal}
          </p>
        )}
        <div className="panel-actions">
          <button
            type="submit"
            className="button primary"
            disabled={isJoining || file === undefined || broker.trim() === ""}
          >
            {isJoining ? "Joining…" : "Join"}
          </button>
        </div>
      </form>
    </>
  );
}

function Membership({ status, changed }: { readonly status: FleetStatus; changed(status: FleetStatus): void }) {
  const { call } = usePanel();
  const [isAsking, setAsking] = useState(false);
  const { name, owner, broker, problem, members, conflicts } = status;
  const leave = async () => {
    const left = await call("leaveFleet", {});
    if (left !== undefined) changed(left);
  };
  return (
    <>
      <p className="panel-faint">
        {name === null ? "At" : `As ${name} in the fleet of ${owner}, at`} {broker}
      </p>
      {problem !== null && (
        <p className="panel-error" role="alert">
          {sentence(problem)}
        </p>
      )}
      {conflicts.length > 0 && (
        <p className="panel-error" role="alert">
          {formatCount(conflicts.length, "session")} of this machine is served by another one too.
        </p>
      )}
      {members.length > 0 && (
        <ul className="panel-list" aria-label="Machines of the fleet">
          {members.map((member) => (
            <Member key={member.member} member={member} />
          ))}
        </ul>
      )}
      <div className="panel-actions">
        <button type="button" className="button outlined" onClick={() => setAsking(true)}>
          Leave the fleet
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Leave the fleet?"
          body="Other machines no longer reach the sessions of this one, nor this one theirs. What is open through the fleet ends."
          action="Leave"
          confirm={() => void leave()}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Member({ member: { name, isSelf, state, awaySince, sessions } }: { readonly member: FleetMember }) {
  return (
    <li className="panel-card">
      <div className="panel-row">
        <h3 className="ellipsis" title={name}>
          {name}
          {isSelf && <span className="panel-faint"> (this machine)</span>}
        </h3>
        <span className="panel-chip" title={formatCount(sessions, "session")}>
          <span className={`dot ${state === "present" ? "good" : "bad"}`} />
          {awaySince === null ? "present" : <AwayFor since={awaySince} />}
        </span>
      </div>
    </li>
  );
}

/** The relay's reasons begin in the middle of a sentence. */
function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith(".") ? "" : "."}`;
}
