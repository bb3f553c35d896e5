import "./activity.css";
import * as Switch from "@radix-ui/react-switch";
import { type ReactNode, useDeferredValue, useEffect, useId, useState } from "react";
import type { AuditEntry } from "../../../core/protocol/audit.ts";
import { csvText } from "../../../core/protocol/csv.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import { localDate } from "../../../core/protocol/usage.ts";
import type { PanelSession } from "../../../preload/channels.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatDuration, formatMilliseconds } from "../../ui/format-duration.ts";
import { formatDay, formatTimeOfDay } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { plainText } from "../../ui/sentence.ts";
import { PanelIcon } from "../icons.tsx";
import { peopleOf } from "../now/people.ts";
import { shellNameIn } from "../panel-summary.ts";
import { keysLabel, type RowActions, useRowActions } from "../row-actions.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { type EntryGroup, groupEntries } from "./group-entries.ts";
import { NotificationHistory } from "./notification-history.tsx";
import { type ActivityKind, activityKinds, actorOf, isNoise, kindsOf, type Names, tell } from "./tell.ts";
import { useAudit } from "./use-audit.ts";

/** So many rows are looked for, in so many entries at most, where filters leave few of those that were loaded. */
const ENOUGH_ROWS = 25;
const MOST_SEARCHED = 2_000;

const MINUTE_MS = 60_000;

/** What has happened, in sentences: by kind, session and person, with the entry of the audit log on demand. */
export function ActivityPlace() {
  const { content, run, showStatus } = usePanel();
  const { sessions } = content;
  const [text, setText] = useState("");
  const [kind, setKind] = useState<ActivityKind>("all");
  const [session, setSession] = useState("");
  const [person, setPerson] = useState("");
  const [noise, setNoise] = useState(false);
  const id = useId();
  const names = namesIn(sessions);
  const searched = useDeferredValue(text.trim());
  const { entries, hasOlder, loadOlder } = useAudit({
    text: searched === "" ? undefined : searched,
    session: session === "" ? undefined : session,
    outcome: kind === "failures" ? "failed" : undefined,
    kind: undefined,
  });
  const all = entries ?? [];
  const shown = all.filter(
    (entry) =>
      (kind === "all" || kindsOf(entry).includes(kind)) &&
      (person === "" || actorOf(entry, names) === person) &&
      (noise || !isNoise(entry, names)),
  );
  const groups = groupEntries(shown);
  const seeksMore = hasOlder && groups.length < ENOUGH_ROWS && all.length < MOST_SEARCHED && kind !== "notifications";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that has come
  useEffect(() => {
    if (seeksMore) loadOlder();
  }, [seeksMore, all.length]);
  const people = [...new Set([person, ...all.map((entry) => actorOf(entry, names))])].filter((one) => one !== "");
  const save = async () => {
    const name = `patchbay-activity-${localDate(new Date())}.csv`;
    const saved = await run("panel.save", { name, text: tableOf(groups, names) });
    if (saved !== undefined) showStatus(words.activity.exported(saved.file));
  };
  const filtered = searched !== "" || session !== "" || person !== "" || kind !== "all";
  return (
    <>
      <search className="activity-filter">
        <input
          className="field"
          type="search"
          aria-label={words.activity.search}
          placeholder={words.activity.searchHint}
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Choice
          label={words.activity.kind}
          value={kind}
          choose={(value) => setKind(activityKinds.find((one) => one === value) ?? "all")}
          options={activityKinds.map((one) => [one, words.activity.kinds[one]])}
        />
        <Choice
          label={words.activity.session}
          value={session}
          choose={setSession}
          options={[
            ["", words.activity.allSessions],
            ...sessionOptions(sessions, [session, ...all.map((entry) => entry.session)]),
          ]}
        />
        <Choice
          label={words.activity.person}
          value={person}
          choose={setPerson}
          options={[["", words.activity.everybody], ...people.map((one): [string, string] => [one, one])]}
        />
        <span className="activity-noise">
          <Switch.Root id={id} className="toggle" checked={noise} onCheckedChange={setNoise}>
            <Switch.Thumb className="toggle-thumb" />
          </Switch.Root>
          <label htmlFor={id}>{words.activity.noise}</label>
        </span>
        <button
          type="button"
          className="button quiet"
          disabled={groups.length === 0 || kind === "notifications"}
          onClick={() => void save()}
        >
          {words.activity.export}
        </button>
      </search>
      {kind === "notifications" ? (
        <NotificationHistory />
      ) : (
        <>
          {entries !== undefined && groups.length === 0 && !seeksMore && (
            <p className="panel-empty">{filtered ? words.activity.noMatch : words.activity.noEntries}</p>
          )}
          {days(groups).map(({ day, list }) => (
            <section key={day} className="activity-day" aria-label={day}>
              <h2>{day}</h2>
              <ul>
                {list.map((group) => (
                  <Row key={group.oldest.id} group={group} names={names} sessions={sessions} />
                ))}
              </ul>
            </section>
          ))}
          {hasOlder && (
            <div className="panel-actions">
              <button type="button" className="button outlined" onClick={loadOlder}>
                {words.activity.older}
              </button>
            </div>
          )}
        </>
      )}
    </>
  );
}

/** The open sessions by name, then the closed ones that entries name, by id: their names are not known. */
function sessionOptions(sessions: readonly PanelSession[], listed: readonly (string | null)[]): [string, string][] {
  const labels = new Map<string, string>(sessions.map(({ id, name }) => [id, name]));
  for (const id of listed) if (id !== null && id !== "" && !labels.has(id)) labels.set(id, id);
  return [...labels];
}

function namesIn(sessions: readonly PanelSession[]): Names {
  const self = peopleOf(sessions).find(({ isSelf }) => isSelf);
  return {
    user: self?.client.name,
    shell: (session, id) => {
      const found = sessions.find((one) => one.id === session);
      return found && shellNameIn(found, id);
    },
    person: (session, id) => {
      const found = sessions.find((one) => one.id === session);
      return [...(found?.clients ?? []), ...(found?.awayGuests ?? [])].find((one) => String(one.id) === id)?.name;
    },
  };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  choose(value: string): void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <select
      className="field"
      aria-label={label}
      title={options.find(([one]) => one === value)?.[1]}
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

function days(
  groups: readonly EntryGroup[],
): readonly { readonly day: string; readonly list: readonly EntryGroup[] }[] {
  const found = new Map<string, EntryGroup[]>();
  for (const group of groups) {
    const day = formatDay(group.newest.at);
    found.set(day, [...(found.get(day) ?? []), group]);
  }
  return [...found].map(([day, list]) => ({ day, list }));
}

interface RowProps {
  readonly group: EntryGroup;
  readonly names: Names;
  readonly sessions: readonly PanelSession[];
}

function Row({ group, names, sessions }: RowProps) {
  const { run } = usePanel();
  const [open, setOpen] = useState(false);
  const { newest, entries } = group;
  const actor = actorOf(newest, names);
  const id = useId();
  const action = open ? words.activity.hideDetails : words.activity.details;
  const toggle = () => setOpen(!open);
  const session = sessions.find((one) => one.id === newest.session);
  const actions = (): RowActions | undefined => {
    if (session === undefined) return undefined;
    const openIt = () => run("panel.open", { id: SessionId.parse(session.id) });
    return {
      label: words.actions.of(plainText(sentenceOf(group, names, actor))),
      sections: [
        [{ label: words.bar.open(session.name), run: openIt }],
        [{ label: action, keys: keysLabel("Enter"), run: toggle }],
      ],
    };
  };
  const row = useRowActions(actions());
  return (
    <li className="activity-row" data-row data-open={open}>
      <time className="panel-number" dateTime={newest.at}>
        {formatTimeOfDay(newest.at)}
      </time>
      <Mark group={group} actor={actor} sessions={sessions} />
      <div className="activity-text">
        <p>{sentenceOf(group, names, <strong>{actor}</strong>)}</p>
        <p className="panel-faint">{aboutOf(group, sessions)}</p>
      </div>
      <button
        ref={row}
        type="button"
        className="button quiet small"
        data-item
        data-enter={words.activity.details}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={toggle}
      >
        {action}
      </button>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section id={id} className="activity-raw" tabIndex={0} aria-label={words.activity.rawEntry}>
          {entries.map(rawText).join("\n\n")}
        </section>
      )}
    </li>
  );
}

function sentenceOf(group: EntryGroup, names: Names, who: ReactNode): ReactNode {
  const { newest, oldest } = group;
  const lasted = Date.parse(newest.at) - Date.parse(oldest.at);
  return tell(newest, names, who, lasted < MINUTE_MS ? undefined : formatDuration(lasted));
}

/** Where it was, how often, and why it failed. */
function aboutOf({ newest, oldest, count }: EntryGroup, sessions: readonly PanelSession[]): string {
  const { session } = newest;
  return [
    sessions.find(({ id }) => id === session)?.name ?? "",
    count > 1 ? words.activity.between(count, formatTimeOfDay(oldest.at), formatTimeOfDay(newest.at)) : "",
    failureText(newest),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

const REFUSALS: readonly string[] = ["role_forbids", "scope_forbids", "not_owner", "not_your_shell"];

/** Tells why it failed; nothing where it did not, or where the sentence says so itself. The details have the code. */
function failureText({ outcome, kind }: AuditEntry): string {
  if (outcome === "ok" || kind === "authentication") return "";
  return REFUSALS.includes(outcome) ? words.activity.refused : words.activity.failed(outcome.replaceAll("_", " "));
}

/** The person who did it; else what did it, or that it failed. */
function Mark({ group: { newest }, actor, sessions }: Omit<RowProps, "names"> & { readonly actor: string }) {
  if (newest.outcome !== "ok") return <Icon name="warning" />;
  const person = peopleOf(sessions).find(({ client, isSelf }) =>
    isSelf ? actor === words.activity.you : newest.credential === "guest" && client.name === newest.who,
  );
  if (person !== undefined) return <Avatar {...person.client} />;
  if (actor === words.activity.policy) return <PanelIcon name="check" />;
  if (newest.credential === "key" || newest.credential === "token") return <PanelIcon name="key" />;
  if (newest.credential === "shell") return <PanelIcon name="terminal" />;
  return newest.credential === "user" ? <PanelIcon name="machine" /> : <Icon name="people" />;
}

function rawText({
  id,
  action,
  params,
  who,
  credential,
  from,
  client,
  durationMs,
  outcome,
  count,
}: EntryGroup["newest"]) {
  const about = [
    who ?? "",
    credential,
    from,
    client === null ? "" : words.activity.client(client),
    durationMs === null ? "" : formatMilliseconds(durationMs),
    outcome,
    count === 1 ? "" : `×${count}`,
    words.activity.entry(id),
  ];
  return `${action} ${JSON.stringify(params)}\n${about.filter((part) => part !== "").join(" · ")}`;
}

function tableOf(groups: readonly EntryGroup[], names: Names): string {
  return csvText(
    ["from", "to", "who", "what", "session", "action", "outcome", "times", "params", "entry"],
    groups.map((group) => {
      const { newest, oldest, count } = group;
      const actor = actorOf(newest, names);
      return [
        oldest.at,
        newest.at,
        actor,
        plainText(sentenceOf(group, names, actor)),
        newest.session ?? "",
        newest.action,
        newest.outcome,
        count,
        JSON.stringify(newest.params),
        newest.id,
      ];
    }),
  );
}
