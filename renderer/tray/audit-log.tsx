import { useDeferredValue, useState } from "react";
import type { AuditEntry } from "../../core/protocol/audit.ts";
import { formatMilliseconds, formatTimeWithSeconds } from "./format.ts";
import { useAudit } from "./use-audit.ts";
import { usePanel } from "./use-panel.ts";

const outcomes = [
  { value: "", label: "All outcomes" },
  { value: "failed", label: "Failed" },
  { value: "ok", label: "Succeeded" },
] as const;

/** The audit log, with filters for text, session and outcome. */
export function AuditLog() {
  const { sessions } = usePanel().content;
  const [text, setText] = useState("");
  const [session, setSession] = useState("");
  const [outcome, setOutcome] = useState("");
  const searched = useDeferredValue(text.trim());
  const {
    entries,
    hasOlder,
    loadOlder: older,
  } = useAudit({
    text: searched === "" ? undefined : searched,
    session: session === "" ? undefined : session,
    outcome: outcome === "" ? undefined : outcome,
    kind: undefined,
  });
  const filtered = searched !== "" || session !== "" || outcome !== "";
  return (
    <>
      <search className="panel-filter">
        <input
          className="field"
          type="search"
          aria-label="Search in the audit log"
          placeholder="Who, command, parameter, address"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <select
          className="field"
          aria-label="Session"
          value={session}
          onChange={(event) => setSession(event.target.value)}
        >
          <option value="">All sessions</option>
          {sessions.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label="Outcome"
          value={outcome}
          onChange={(event) => setOutcome(event.target.value)}
        >
          {outcomes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </search>
      {entries?.length === 0 && (
        <p className="panel-empty">
          {filtered
            ? "No entries match. Use fewer filters."
            : "No entries yet. The log records every change and every authentication."}
        </p>
      )}
      <ul className="panel-log" aria-label="Audit log">
        {entries?.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {hasOlder && (
        <div className="panel-actions">
          <button type="button" className="button outlined" onClick={older}>
            Show older
          </button>
        </div>
      )}
    </>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { sessions } = usePanel().content;
  const { at, who, from, session, action, params, outcome, client, durationMs, count, kind } = entry;
  const name = sessions.find(({ id }) => id === session)?.name ?? session;
  const given = Object.entries(params)
    .map(([param, value]) => `${param} ${String(value)}`)
    .join(", ");
  const about = [
    count === 1 ? undefined : `${count.toLocaleString()} times`,
    who ?? "unknown caller",
    from,
    name,
    client === null ? undefined : `client ${client}`,
    durationMs === null ? undefined : formatMilliseconds(durationMs),
  ].filter((part) => part !== undefined && part !== null && part !== "");
  return (
    <li data-failed={outcome !== "ok"}>
      <div className="panel-row">
        <h2 className="ellipsis" title={action}>
          {kind === "authentication" ? credentialLabels[entry.credential] : action}
        </h2>
        {outcome !== "ok" && <span className="panel-outcome">{outcome.replaceAll("_", " ")}</span>}
        <time className="panel-faint" dateTime={at}>
          {formatTimeWithSeconds(at)}
        </time>
      </div>
      {given !== "" && (
        <p className="panel-given ellipsis" title={given}>
          {given}
        </p>
      )}
      <p className="panel-faint ellipsis" title={about.join(" · ")}>
        {about.join(" · ")}
      </p>
    </li>
  );
}

const credentialLabels = {
  key: "API key",
  token: "Token",
  shell: "Shell token",
  guest: "Invite",
  user: "This machine",
  none: "Access denied",
} as const satisfies Record<AuditEntry["credential"], string>;
