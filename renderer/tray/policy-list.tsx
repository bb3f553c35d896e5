import type { ReactNode } from "react";
import type { SessionId } from "../../core/protocol/ids.ts";
import { describePolicy, type Policy } from "../../core/protocol/policies.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { formatTime } from "../ui/format-time.ts";
import { outcomeOf } from "../ui/question-text.ts";
import { useBusy } from "../ui/use-busy.ts";
import { usePanel } from "./use-panel.ts";
import { usePolledLists } from "./use-polled-lists.ts";
import { words } from "./words/index.ts";

const POLL_INTERVAL_MS = 5_000;
/** Answers that are listed, newest first. */
const MOST_ANSWERS = 20;

interface OfSession {
  readonly session: SessionId;
}

/**
 * The policies of all sessions.
 *
 * @param none shown where there are none, which is the usual case
 */
export function PolicyList({ none }: { readonly none?: ReactNode }) {
  const [policies, refresh] = usePolicies();
  if (policies.length === 0) return none;
  return (
    <section className="panel-section" aria-label={words.policies.title}>
      <h2>{words.policies.title}</h2>
      <ul className="panel-list">
        {policies.map((policy) => (
          <PolicyRow key={`${policy.session} ${policy.id}`} policy={policy} refresh={refresh} />
        ))}
      </ul>
      <p className="panel-faint">{words.policies.hint}</p>
    </section>
  );
}

interface PolicyRowProps {
  readonly policy: Policy & OfSession;
  readonly refresh: () => Promise<void>;
}

function PolicyRow({ policy, refresh }: PolicyRowProps) {
  const { content, call, showStatus } = usePanel();
  const [isRemoving, runOnce] = useBusy();
  const { id, session, addedBy, addedAt } = policy;
  const name = content.sessions.find((known) => known.id === session)?.name ?? session;
  const about = words.policies.about(id, name, addedBy, formatTime(addedAt));
  const remove = async () => {
    if ((await call("removePolicy", { session, id })) !== undefined) showStatus(words.policies.removed(id));
    await refresh();
  };
  return (
    <li className="panel-card">
      <p className="inbox-title">{describePolicy(policy)}</p>
      <div className="panel-row">
        <span className="panel-faint ellipsis" title={about}>
          {about}
        </span>
        <button
          type="button"
          className="button quiet small"
          aria-label={words.policies.remove(id)}
          aria-disabled={isRemoving}
          onClick={() => runOnce(remove)}
        >
          {words.policies.removeIt}
        </button>
      </div>
    </li>
  );
}

/** The questions that policies have answered lately, and by which one; nothing where there are none. */
export function PolicyAnswers() {
  const { content, ask } = usePanel();
  const [questions] = usePolledLists<Question>(
    // The next attempt tells more than a message about one that failed.
    (session) => ask("getQuestions", { session, closed: true }).catch(() => undefined),
    POLL_INTERVAL_MS,
    ["waits"],
  );
  const [policies] = usePolicies();
  const answers = questions
    .filter(({ answeredBy }) => answeredBy?.kind === "policy")
    .sort((one, other) => Date.parse(other.askedAt) - Date.parse(one.askedAt))
    .slice(0, MOST_ANSWERS);
  if (answers.length === 0) return null;
  return (
    <details className="inbox-answers">
      <summary>{words.policies.answeredCount(answers.length)}</summary>
      <ul className="panel-list" aria-label={words.policies.answered}>
        {answers.map((question) => {
          const { id, session, answeredBy, agentType, title, askedAt } = question;
          const rule = policies.find((known) => known.session === session && known.id === answeredBy?.policy);
          const outcome = outcomeOf(question);
          return (
            <li key={`${session} ${id}`} className="panel-card">
              <p className="inbox-title">{title}</p>
              <p className="panel-faint">
                {agentType} · {content.sessions.find((known) => known.id === session)?.name} · {formatTime(askedAt)}
              </p>
              <p className="question-outcome">
                <span className={`dot ${outcome?.kind ?? "info"}`} />
                {outcome?.sentence}
              </p>
              <p className="panel-faint inbox-title">{describeRule(answeredBy?.policy, rule)}</p>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function describeRule(id: number | undefined, rule: Policy | undefined): string {
  const number = String(id ?? "");
  return rule === undefined
    ? words.policies.answeredByRemoved(number)
    : words.policies.answeredBy(number, describePolicy(rule));
}

function usePolicies(): readonly [readonly (Policy & OfSession)[], () => Promise<void>] {
  const { ask } = usePanel();
  return usePolledLists<Policy & OfSession>(
    (session) =>
      ask("getPolicies", { session }).then(
        (list) => list.map((policy) => ({ ...policy, session })),
        () => undefined,
      ),
    POLL_INTERVAL_MS,
    ["waits"],
  );
}
