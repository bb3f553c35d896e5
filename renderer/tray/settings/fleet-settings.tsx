import { useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { FleetMember, FleetStatus } from "../../../core/protocol/fleet.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { asSentence } from "../format.ts";
import { AwayFor } from "../remote-machines.tsx";
import { type PanelView, usePanel } from "../use-panel.ts";
import { usePolling } from "../use-polling.ts";
import { words } from "../words/index.ts";

const ASK_EVERY_MS = 2_000;

const DOTS = { off: "bad", connecting: "wait", joined: "good", disconnected: "wait" } as const;

/** The relay's membership of a fleet: joins, shows the other machines, and leaves. */
export function FleetSettings() {
  const panel = usePanel();
  const [status, setStatus] = useFleet(panel.ask);
  if (status === undefined) return null;
  return (
    <section className="panel-section" aria-label={words.fleet.title}>
      <div className="panel-row">
        <h2>{words.fleet.title}</h2>
        {isWanted(status) && (
          <span className="panel-chip" role="status">
            <span className={`dot ${DOTS[status.state]}`} />
            {words.fleet.states[status.state]}
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
  usePolling(() => ask("getFleet", {}), setStatus, ASK_EVERY_MS);
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
      setRefusal(asSentence(errorText(error)));
    } finally {
      setJoining(false);
    }
  };
  return (
    <>
      <p className="panel-faint">{words.fleet.about}</p>
      <form
        className="panel-card"
        aria-label={words.fleet.join}
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) void join(file);
        }}
      >
        <div className="panel-grid">
          <label>
            {words.fleet.broker}
            <input
              className="field"
              placeholder={words.fleet.brokerHint}
              value={broker}
              spellCheck={false}
              required
              onChange={(event) => setBroker(event.target.value)}
            />
          </label>
        </div>
        <div className="panel-row">
          <span className="ellipsis panel-faint" title={file}>
            {file === undefined ? words.fleet.noCredentials : (file.split(/[\\/]/).at(-1) ?? file)}
          </span>
          <button
            type="button"
            className="button outlined"
            onClick={() =>
              void run("panel.chooseCredentials", undefined).then((chosen) => chosen && setFile(chosen.file))
            }
          >
            {words.fleet.chooseCredentials}
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
            {isJoining ? words.fleet.joining : words.fleet.joinIt}
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
        {name === null ? words.fleet.at(broker ?? "") : words.fleet.as(name, owner ?? "", broker ?? "")}
      </p>
      {problem !== null && (
        <p className="panel-error" role="alert">
          {asSentence(problem)}
        </p>
      )}
      {conflicts.length > 0 && (
        <p className="panel-error" role="alert">
          {words.fleet.conflicts(conflicts.length)}
        </p>
      )}
      {members.length > 0 && (
        <ul className="panel-list" aria-label={words.fleet.machines}>
          {members.map((member) => (
            <Member key={member.member} member={member} />
          ))}
        </ul>
      )}
      <div className="panel-actions">
        <button type="button" className="button outlined" onClick={() => setAsking(true)}>
          {words.fleet.leave}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={words.fleet.leaveQuestion}
          body={words.fleet.leaveBody}
          action={words.fleet.leaveIt}
          confirm={leave}
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
          {isSelf && <span className="panel-faint"> {words.fleet.thisMachine}</span>}
        </h3>
        <span className="panel-chip" title={words.sessions.sessions(sessions)}>
          <span className={`dot ${state === "present" ? "good" : "bad"}`} />
          {awaySince === null ? words.fleet.present : <AwayFor since={awaySince} />}
        </span>
      </div>
    </li>
  );
}
