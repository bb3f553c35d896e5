import { type ReactNode, useState } from "react";
import { unreachable } from "../../../core/protocol/errors.ts";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { AgentAnswer, agentAnswers } from "../../../core/protocol/shell-restrictions.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatTime } from "../../ui/format-time.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { words as sharedWords } from "../../ui/words.ts";
import { formatDollars } from "../format.ts";
import { shellNameIn } from "../panel-summary.ts";
import { keysLabel, type RowActions } from "../row-actions.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { AgentMark, Card, CardButton, type CardPlace, IconMark, TimeLeft } from "./card.tsx";
import { PersistentRow, SecondStep } from "./persistent.tsx";
import { answerText, RequestReceipt } from "./receipt.tsx";
import type { AnsweredRequest } from "./use-answered-requests.ts";
import type { RequestItem } from "./wait-items.ts";

interface Labelled {
  readonly label: string;
  /** The accessible name, where the label alone does not say what it is for. */
  readonly name?: string;
}

interface Answering extends Labelled {
  /** Answers the request. Resolves with undefined where that is refused. */
  answer(): Promise<unknown>;
}

/** An answer, or a way to where the request is answered. */
type Choice = Answering | (Labelled & { go(): void });

/** What a card of a request shows, by its kind. */
interface Shown {
  readonly mark: ReactNode;
  readonly sentence: ReactNode;
  readonly name: string;
  readonly where: string;
  readonly since?: string | undefined;
  readonly expiresAt?: string;
  readonly body: ReactNode;
  readonly enter: { readonly label: string; run(): void };
  /** The one that goes on first. */
  readonly choices: readonly Choice[];
  /** Outlasts the request, as `about` says. */
  readonly persistent?: Answering & { readonly about: string };
}

interface Props {
  readonly item: RequestItem;
  readonly place: CardPlace;
  /** The answer that the user has just given, or how it closed; undefined: it waits. */
  readonly answered: AnsweredRequest | undefined;
  /** @param result undefined where the answer is refused */
  answer(label: string, result: Promise<unknown>): void;
  dismiss(): void;
}

/** One request besides the questions of agents: a login, a shell, the right to type, control, a plugin, a budget. */
export function RequestCard({ item, place, answered, answer, dismiss }: Props) {
  const { mark, sentence, name, where, since, expiresAt, body, enter, choices, persistent } = useShown(item);
  const { isAway } = usePanel();
  const [isSecond, setIsSecond] = useState(false);
  const waits = answered === undefined;
  const go: MenuItem = { ...enter, keys: keysLabel("Enter") };
  const choose = (choice: Choice) => {
    setIsSecond(false);
    if ("go" in choice) choice.go();
    else answer(choice.label, choice.answer());
  };
  const answers: readonly MenuItem[] = [
    ...choices.map((choice) => ({ label: choice.label, run: () => choose(choice) })),
    ...(persistent === undefined ? [] : [{ label: persistent.label, run: () => setIsSecond(true) }]),
  ].map((one, index) => ({ ...one, keys: String(index + 1) }));
  const dismissal: MenuItem = { label: sharedWords.question.dismiss, run: dismiss };
  const actions: RowActions = {
    label: words.actions.of(name),
    sections: waits && (isSecond || isAway) ? [[go]] : [[go], waits ? answers : [dismissal]],
  };
  return (
    <Card
      place={place}
      mark={mark}
      sentence={sentence}
      name={name}
      where={where}
      since={since}
      line={answered === undefined ? where : answerText(answered)}
      aside={waits && expiresAt !== undefined ? <TimeLeft until={expiresAt} /> : undefined}
      waits={waits}
      enter={enter}
      actions={answered?.state === "sending" ? undefined : actions}
      onDigit={(digit) => {
        if (isSecond || !waits) return;
        answers[Number(digit) - 1]?.run();
      }}
      second={waits && isSecond && persistent !== undefined ? `${persistent.label}. ${persistent.about}` : undefined}
      onEscape={() => {
        setIsSecond(false);
        return isSecond;
      }}
    >
      {(state) =>
        answered !== undefined ? (
          <RequestReceipt answered={answered} dismiss={dismiss} />
        ) : isSecond && persistent !== undefined ? (
          <SecondStep
            label={persistent.label}
            about={persistent.about}
            state={state}
            back={() => {
              setIsSecond(false);
              state.keepFocus();
            }}
            confirm={() => {
              state.keepFocus();
              choose(persistent);
            }}
          />
        ) : (
          <>
            {body}
            <div className="now-card-actions">
              {choices.map((choice, index) => (
                <CardButton
                  key={choice.label}
                  look={index === 0 ? "primary" : "outlined"}
                  digit={String(index + 1)}
                  isReady={state.isReady}
                  {...(choice.name === undefined ? {} : { label: choice.name })}
                  press={() => {
                    // The buttons go with the answer; the focus must not go with them.
                    if ("answer" in choice) state.keepFocus();
                    choose(choice);
                  }}
                >
                  {choice.label}
                </CardButton>
              ))}
            </div>
            {persistent !== undefined && (
              <PersistentRow
                digit={String(choices.length + 1)}
                isReady={state.isReady}
                press={() => {
                  state.keepFocus();
                  setIsSecond(true);
                }}
              >
                {persistent.label}
              </PersistentRow>
            )}
          </>
        )
      }
    </Card>
  );
}

function useShown(item: RequestItem): Shown {
  const { content, run, call, command, goTo, canRun } = usePanel();
  const said = words.requests;
  switch (item.kind) {
    case "login": {
      const { code, name, address, since, expiresAt } = item.login;
      const answer = (allow: boolean) => call("answerLogin", { code, allow });
      return {
        mark: <IconMark name="key" />,
        sentence: said.login.sentence({ name: <strong>{name}</strong> }),
        name: said.login.name(name),
        where: said.login.from(address),
        since,
        body: (
          <>
            <p className="now-login-code">
              <code>{code}</code>
            </p>
            <p className="panel-faint">{said.login.about(formatTime(expiresAt))}</p>
          </>
        ),
        enter: { label: words.bar.keys, run: () => goTo("settings", { section: "keys" }) },
        choices: [
          { label: said.login.allowIt, name: said.login.allow(code), answer: () => answer(true) },
          { label: said.login.denyIt, name: said.login.deny(code), answer: () => answer(false) },
        ],
      };
    }
    case "adopt": {
      const { session, request } = item;
      const id = SessionId.parse(session.id);
      const shell = shellNameIn(session, request.shellId) ?? words.shell(request.shellId);
      const { name, clientId, guest } = request.from;
      const answer = (allow: boolean) => command(id, "answerAdopt", { request: request.id, allow });
      const enter = openShell(id, request.shellId, shell);
      return {
        mark: <Face session={session} client={clientId} name={name} />,
        sentence: said.adopt.sentence({ name: <strong>{name}</strong>, shell: <strong>{shell}</strong> }),
        name: said.adopt.name(name, shell),
        where: whereOf(session.name, guest),
        expiresAt: request.expiresAt,
        body: <p className="panel-faint">{said.adopt.about}</p>,
        enter,
        choices: canRun("answerAdopt")
          ? [
              { label: said.adopt.give(name), answer: () => answer(true) },
              { label: said.notNow, answer: () => answer(false) },
            ]
          : [{ label: words.inbox.showTerminal, go: enter.run }],
      };
    }
    case "role": {
      const { session, request } = item;
      const id = SessionId.parse(session.id);
      const { name, clientId, guest } = request.from;
      const answer = (allow: boolean) => command(id, "answerRoleRequest", { request: request.id, allow });
      return {
        mark: <Face session={session} client={clientId} name={name} />,
        sentence: said.role.sentence({ name: <strong>{name}</strong> }),
        name: said.role.name(name),
        where: whereOf(session.name, guest),
        expiresAt: request.expiresAt,
        body: <p className="panel-faint">{said.role.about(session.name)}</p>,
        enter: openSession(id, session.name),
        choices: [
          { label: said.role.let(name), answer: () => answer(true) },
          { label: said.notNow, answer: () => answer(false) },
        ],
      };
    }
    case "control": {
      const { session, request } = item;
      const { agentType, shellId, folder, wants, at } = request;
      const id = SessionId.parse(session.id);
      const shell = shellNameIn(session, shellId) ?? words.shell(shellId);
      const answer = (choice: "once" | "always" | "no") =>
        command(id, "answerAgent", { request: request.id, answer: choice });
      const enter = openShell(id, shellId, shell);
      const self = session.clients.find((client) => client.id === session.self);
      // The owner of a relay answers without a client in the session, too.
      const answers = self === undefined ? AgentAnswer.options : agentAnswers(request, session.shells, self);
      const canAnswer = canRun("answerAgent") && answers.length > 0;
      return {
        mark: <AgentMark agentType={agentType} />,
        sentence: said.control.sentence({ agent: <strong>{agentType}</strong> }),
        name: said.control.name(agentType),
        where: `${shell} · ${session.name}`,
        since: at,
        body: (
          <>
            <pre className="now-code">{wants}</pre>
            <p className="panel-faint">{folder === "" ? said.control.about : said.control.aboutIn(folder)}</p>
          </>
        ),
        enter,
        choices: canAnswer
          ? [
              { label: said.control.once, answer: () => answer("once") },
              { label: said.control.no, answer: () => answer("no") },
            ]
          : [{ label: words.inbox.showTerminal, go: enter.run }],
        ...(folder === "" || !canAnswer || !answers.includes("always")
          ? {}
          : {
              persistent: {
                label: said.control.always,
                about: said.control.lasts(agentType, folder),
                answer: () => answer("always"),
              },
            }),
      };
    }
    case "agent": {
      const { session, agent } = item;
      const id = SessionId.parse(session.id);
      const shell = shellNameIn(session, agent.shellId) ?? words.shell(agent.shellId);
      const enter = openShell(id, agent.shellId, shell);
      return {
        mark: <AgentMark agentType={agent.agentType} />,
        sentence: said.agent.sentence({ agent: <strong>{agent.agentType}</strong> }),
        name: said.agent.name(agent.agentType),
        where: shell === agent.agentType ? session.name : `${shell} · ${session.name}`,
        since: agent.since,
        body: <p className="panel-faint">{said.agent.about}</p>,
        enter,
        choices: [
          {
            label: words.inbox.showTerminal,
            name: words.inbox.showTerminalOf(agent.agentType, session.name),
            go: enter.run,
          },
        ],
      };
    }
    case "plugin": {
      const { session, plugin } = item;
      const enter = openSession(SessionId.parse(session.id), session.name);
      return {
        mark: <IconMark name="plugin" />,
        sentence: said.plugin.sentence({ name: <strong>{plugin.name}</strong> }),
        name: said.plugin.name(plugin.name),
        where: session.name,
        body: <p className="panel-faint">{said.plugin.about(plugin.from)}</p>,
        enter,
        choices: [{ label: said.plugin.look(session.name), go: enter.run }],
      };
    }
    case "budget": {
      const day = content.budgets.day ?? 0;
      const setDay = (amount: number | null) => call("setBudgets", { ...content.budgets, day: amount });
      const raised = Math.ceil(content.costToday / MORE_DOLLARS) * MORE_DOLLARS + MORE_DOLLARS;
      return {
        mark: <IconMark name="money" />,
        sentence: said.budget.sentence,
        name: said.budget.sentence,
        where: said.budget.scope,
        body: (
          <>
            <p>
              <strong className="now-spent">{formatDollars(content.costToday)}</strong>
              <span className="panel-faint">{said.budget.of(formatDollars(day))}</span>
            </p>
            <p className="panel-faint">{said.budget.about}</p>
          </>
        ),
        enter: { label: words.bar.costs, run: () => goTo("agents") },
        choices: [
          { label: said.budget.raise(formatDollars(raised)), answer: () => setDay(raised) },
          { label: said.budget.look, go: () => goTo("agents") },
        ],
        persistent: { label: said.budget.none, about: said.budget.lasts, answer: () => setDay(null) },
      };
    }
    default:
      return unreachable(item);
  }

  function openShell(id: SessionId, shell: number, name: string): Shown["enter"] {
    return { label: words.bar.open(name), run: () => void run("panel.open", { id, shell: ShellId.parse(shell) }) };
  }

  function openSession(id: SessionId, name: string): Shown["enter"] {
    return { label: words.bar.open(name), run: () => void run("panel.open", { id }) };
  }
}

/** By how much a day's budget is raised, in US dollars: to the next multiple that leaves as much. */
const MORE_DOLLARS = 5;

function whereOf(session: string, guest: true | undefined): string {
  return guest === true ? `${words.people.guest} · ${session}` : session;
}

function Face(props: {
  readonly session: Extract<RequestItem, { readonly kind: "role" }>["session"];
  readonly client: number;
  readonly name: string;
}) {
  const colour = props.session.clients.find(({ id }) => id === props.client)?.colour;
  return <Avatar name={props.name} id={props.client} colour={colour} />;
}
