import { errorText } from "../../../core/protocol/error-text.ts";
import "./restore-sheet.css";
import { useEffect, useId, useRef, useState } from "react";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { RestorableAgent, RestorableShell } from "../../../core/protocol/restore.ts";
import { shellLabel } from "../../../core/state/client-state.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** What the user wants of one offer; `agent` is the id of the conversation that is resumed. */
interface Choice {
  readonly wanted: boolean;
  readonly agent: string | undefined;
  readonly always: boolean;
}

type Results = Readonly<Record<number, RestorableShell | "busy">>;

/** The sheet with everything that can be started again. Nothing is started before the user says so. */
export function RestoreSheet({ offers: asked, close }: { offers: readonly RestorableShell[]; close: () => void }) {
  const view = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // They stay listed while they are started, after which they are offered no more.
  const [offers] = useState(asked);
  const [choices, setChoices] = useState(() => new Map(offers.map((offer) => [offer.shellId, initialChoice(offer)])));
  const [results, setResults] = useState<Results>({});
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const wanted = offers.filter(({ shellId }) => choices.get(shellId)?.wanted === true && isOpen(results[shellId]));
  const choose = (shellId: ShellId, change: Partial<Choice>) =>
    setChoices((now) => {
      const before = now.get(shellId);
      return before === undefined ? now : new Map(now).set(shellId, { ...before, ...change });
    });
  const carryOut = async (dismiss: boolean) => {
    setBusy(true);
    let isAllDone = true;
    for (const offer of wanted) {
      setResults((now) => ({ ...now, [offer.shellId]: "busy" }));
      const result = await one(offer, choices.get(offer.shellId), dismiss);
      setResults((now) => ({ ...now, [offer.shellId]: result }));
      if (result.state === "skipped" || result.why !== undefined) isAllDone = false;
    }
    setBusy(false);
    if (isAllDone) close();
  };
  const one = async (
    offer: RestorableShell,
    choice: Choice | undefined,
    dismiss: boolean,
  ): Promise<RestorableShell> => {
    try {
      const [result = offer] = await view.host.restore({
        shell: offer.shellId,
        resume: choice?.agent !== undefined,
        nearest: offer.folderGone === true,
        dismiss,
        ...(choice?.agent === undefined || dismiss ? {} : { conversation: choice.agent }),
        ...(choice === undefined || choice.always === offer.always || dismiss
          ? {}
          : { folder: choice.always ? "always" : "ask" }),
      });
      return result;
    } catch (error) {
      return { ...offer, state: "skipped", why: errorText(error) };
    }
  };
  const all = wanted.length === offers.filter(({ shellId }) => isOpen(results[shellId])).length;
  return (
    <dialog
      ref={dialog}
      className="dialog restore-sheet"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) close();
      }}
    >
      <h2 id={heading}>{words.restore.title}</h2>
      <p>{words.restore.hint}</p>
      {offers.length > 1 && (
        <label className="restore-all">
          <input
            type="checkbox"
            ref={(box) => {
              if (box !== null) box.indeterminate = !all && wanted.length > 0;
            }}
            checked={all && wanted.length > 0}
            disabled={isBusy}
            onChange={({ target }) => {
              for (const { shellId } of offers) choose(shellId, { wanted: target.checked });
            }}
          />
          {words.restore.all(offers.length)}
        </label>
      )}
      <ul className="restore-list">
        {offers.map((offer) => (
          <Offer
            key={offer.shellId}
            offer={offer}
            choice={choices.get(offer.shellId) ?? initialChoice(offer)}
            result={results[offer.shellId]}
            isBusy={isBusy}
            choose={(change) => choose(offer.shellId, change)}
          />
        ))}
      </ul>
      <div className="actions">
        <button
          type="button"
          className="button quiet"
          disabled={isBusy || wanted.length === 0}
          onClick={() => void carryOut(true)}
        >
          {words.restore.dismiss}
        </button>
        <button type="button" className="button outlined" disabled={isBusy} onClick={close}>
          {Object.keys(results).length === 0 ? words.restore.later : words.restore.close}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBusy || wanted.length === 0}
          onClick={() => void carryOut(false)}
        >
          {words.restore.start(wanted.length)}
        </button>
      </div>
    </dialog>
  );
}

interface OfferProps {
  readonly offer: RestorableShell;
  readonly choice: Choice;
  readonly result: Results[number] | undefined;
  readonly isBusy: boolean;
  choose(change: Partial<Choice>): void;
}

function Offer({ offer, choice, result, isBusy, choose }: OfferProps) {
  const { state } = useSnapshot();
  const { shellId, title, cwd, program, process, commands, agents, env, values, withheld, folderGone } = offer;
  const name = useId();
  const label = shellLabel(state, shellId);
  const isDone = !isOpen(result);
  const disabled = isBusy || isDone;
  return (
    <li className="restore-offer">
      <label className="restore-head">
        <input
          type="checkbox"
          checked={choice.wanted}
          disabled={disabled}
          onChange={({ target }) => choose({ wanted: target.checked })}
        />
        <span className="restore-name">{label ?? title}</span>
        <span className="restore-folder" title={cwd}>
          {cwd}
        </span>
      </label>
      <div className="restore-body">
        {agents.map((agent) => (
          <Agent
            key={agent.sessionId}
            agent={agent}
            name={name}
            isChosen={choice.agent === agent.sessionId}
            disabled={disabled}
            choose={() => choose({ agent: agent.sessionId, wanted: true })}
          />
        ))}
        {agents.length > 0 ? (
          <label className="restore-way">
            <input
              type="radio"
              name={name}
              checked={choice.agent === undefined}
              disabled={disabled}
              onChange={() => choose({ agent: undefined })}
            />
            {words.restore.shellOnly(program)}
          </label>
        ) : (
          <p>{words.restore.starts(program)}</p>
        )}
        {folderGone === true && <p className="restore-trouble">{words.restore.folderGone}</p>}
        {process !== null && agents.length === 0 && <p>{words.restore.ran(process)}</p>}
        {commands.length > 0 && (
          <p>
            {words.restore.commands} <code>{commands.toReversed().join(" · ")}</code>
          </p>
        )}
        {env.length > 0 && <p>{words.restore.env(env.map((one) => `${one}=${values[one] ?? ""}`).join(", "))}</p>}
        {withheld.length > 0 && <p>{words.restore.withheld(withheld.join(", "))}</p>}
        <label className="restore-way">
          <input
            type="checkbox"
            checked={choice.always}
            disabled={disabled}
            onChange={({ target }) => choose({ always: target.checked })}
          />
          {words.restore.always}
        </label>
        <p className="restore-result" role="status">
          {outcome(result)}
        </p>
      </div>
    </li>
  );
}

interface AgentProps {
  readonly agent: RestorableAgent;
  /** Of the choices of the shell. */
  readonly name: string;
  readonly isChosen: boolean;
  readonly disabled: boolean;
  choose(): void;
}

function Agent({ agent, name, isChosen, disabled, choose }: AgentProps) {
  const { agentType, state, assumed, why, lastPrompt, lastAnswer, leftOut, command } = agent;
  const canResume = state === "ready" || state === "empty";
  const title = state === "empty" ? words.restore.startAgent(agentType) : words.restore.resume(agentType);
  return (
    <div className="restore-agent">
      <label className="restore-way">
        <input type="radio" name={name} checked={isChosen} disabled={disabled || !canResume} onChange={choose} />
        {assumed === true ? words.restore.assumed(title) : title}
      </label>
      {lastPrompt !== undefined && (
        <blockquote>
          <span className="restore-who">{words.restore.lastPrompt}</span> {lastPrompt}
        </blockquote>
      )}
      {lastAnswer !== undefined && (
        <blockquote>
          <span className="restore-who">{words.restore.lastAnswer}</span> {lastAnswer}
        </blockquote>
      )}
      {why !== undefined && <p className="restore-trouble">{why}</p>}
      {canResume && (
        <p>
          <code>{command}</code>
        </p>
      )}
      {leftOut.length > 0 && <p>{words.restore.leftOut(leftOut.join(", "))}</p>}
    </div>
  );
}

/** Everything that is certain is chosen. */
function initialChoice({ agents, folderGone, always, conversation, state }: RestorableShell): Choice {
  const first = agents[0];
  const isEmpty = first?.state === "empty" && first.assumed !== true;
  return {
    wanted: folderGone !== true && state !== "skipped",
    agent: conversation ?? (isEmpty ? first.sessionId : undefined),
    always,
  };
}

/** Whether an offer can still be carried out. */
function isOpen(result: Results[number] | undefined): boolean {
  return result === undefined || (result !== "busy" && result.state === "skipped");
}

function outcome(result: Results[number] | undefined): string {
  if (result === undefined) return "";
  if (result === "busy") return words.restore.busy;
  const { state, why } = result;
  const done = {
    offered: "",
    started: words.restore.started,
    resumed: words.restore.resumed,
    skipped: words.restore.skipped,
    dismissed: words.restore.dismissed,
  }[state];
  return why === undefined ? done : `${done} ${why}`;
}
