import { useDeferredValue, useState } from "react";
import type { AuditEntry } from "../../core/protocol/audit.ts";
import { formatMilliseconds, formatTimeWithSeconds } from "./format.ts";
import { useAudit } from "./use-audit.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const outcomes = [
  { value: "", label: words.activity.outcomes.all },
  { value: "failed", label: words.activity.outcomes.failed },
  { value: "ok", label: words.activity.outcomes.succeeded },
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
          aria-label={words.activity.search}
          placeholder={words.activity.searchHint}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <select
          className="field"
          aria-label={words.activity.session}
          value={session}
          onChange={(event) => setSession(event.target.value)}
        >
          <option value="">{words.activity.allSessions}</option>
          {sessions.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label={words.activity.outcome}
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
        <p className="panel-empty">{filtered ? words.activity.noMatch : words.activity.noEntries}</p>
      )}
      <ul className="panel-log" aria-label={words.activity.title}>
        {entries?.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {hasOlder && (
        <div className="panel-actions">
          <button type="button" className="button outlined" onClick={older}>
            {words.activity.older}
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
    count === 1 ? undefined : words.activity.times(count),
    who ?? words.activity.unknownCaller,
    from,
    name,
    client === null ? undefined : words.activity.client(client),
    durationMs === null ? undefined : formatMilliseconds(durationMs),
  ].filter((part) => part !== undefined && part !== null && part !== "");
  return (
    <li data-failed={outcome !== "ok"}>
      <div className="panel-row">
        <h2 className="ellipsis" title={action}>
          {kind === "authentication" ? words.activity.credentials[entry.credential] : action}
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
