import { type ReactNode, useState } from "react";
import { unreachable } from "../../../core/protocol/errors.ts";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatTime } from "../../ui/format-time.ts";
import { formatDollars } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { AgentMark, Card, CardButton, type CardPlace, IconMark, TimeLeft } from "./card.tsx";
import { PersistentRow, SecondStep } from "./persistent.tsx";
import { type RequestItem, shellNameIn } from "./wait-items.ts";

interface Choice {
  readonly label: string;
  /** The accessible name, where the label alone does not say what it is for. */
  readonly name?: string;
  run(): void;
}

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
  readonly persistent?: Choice & { readonly about: string };
}

/** One request besides the questions of agents: a login, a shell, the right to type, control, a plugin, a budget. */
export function RequestCard({ item, place }: { readonly item: RequestItem; readonly place: CardPlace }) {
  const { mark, sentence, name, where, since, expiresAt, body, enter, choices, persistent } = useShown(item);
  const [isSecond, setIsSecond] = useState(false);
  return (
    <Card
      place={place}
      mark={mark}
      sentence={sentence}
      name={name}
      where={where}
      since={since}
      line={where}
      aside={expiresAt === undefined ? undefined : <TimeLeft until={expiresAt} />}
      waits
      enter={enter}
      onDigit={(digit) => {
        if (isSecond) return;
        const nth = Number(digit);
        choices[nth - 1]?.run();
        if (nth === choices.length + 1 && persistent !== undefined) setIsSecond(true);
      }}
      onEscape={() => {
        setIsSecond(false);
        return isSecond;
      }}
    >
      {(state) =>
        isSecond && persistent !== undefined ? (
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
              persistent.run();
            }}
          />
        ) : (
          <>
            {body}
            <div className="now-card-actions">
              {choices.map(({ label, name: full, run }, index) => (
                <CardButton
                  key={label}
                  look={index === 0 ? "primary" : "outlined"}
                  digit={String(index + 1)}
                  isReady={state.isReady}
                  {...(full === undefined ? {} : { label: full })}
                  press={run}
                >
                  {label}
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
  const { content, run, call, goTo } = usePanel();
  const said = words.requests;
  switch (item.kind) {
    case "login": {
      const { code, name, address, since, expiresAt } = item.login;
      const answer = (allow: boolean) => void call("answerLogin", { code, allow });
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
        enter: { label: words.bar.keys, run: () => goTo("settings", { section: "machines" }) },
        choices: [
          { label: said.login.allowIt, name: said.login.allow(code), run: () => answer(true) },
          { label: said.login.denyIt, name: said.login.deny(code), run: () => answer(false) },
        ],
      };
    }
    case "adopt": {
      const { session, request } = item;
      const id = SessionId.parse(session.id);
      const shell = shellNameIn(session, request.shellId) ?? words.shell(request.shellId);
      const { name, clientId, guest } = request.from;
      const answer = (allow: boolean) => void run("panel.answerAdopt", { id, request: request.id, allow });
      return {
        mark: <Face session={session} client={clientId} name={name} />,
        sentence: said.adopt.sentence({ name: <strong>{name}</strong>, shell: <strong>{shell}</strong> }),
        name: said.adopt.name(name, shell),
        where: whereOf(session.name, guest),
        expiresAt: request.expiresAt,
        body: <p className="panel-faint">{said.adopt.about}</p>,
        enter: openShell(id, request.shellId, shell),
        choices: [
          { label: said.adopt.give(name), run: () => answer(true) },
          { label: said.notNow, run: () => answer(false) },
        ],
      };
    }
    case "role": {
      const { session, request } = item;
      const id = SessionId.parse(session.id);
      const { name, clientId, guest } = request.from;
      const answer = (allow: boolean) => void run("panel.answerRoleRequest", { id, request: request.id, allow });
      return {
        mark: <Face session={session} client={clientId} name={name} />,
        sentence: said.role.sentence({ name: <strong>{name}</strong> }),
        name: said.role.name(name),
        where: whereOf(session.name, guest),
        expiresAt: request.expiresAt,
        body: <p className="panel-faint">{said.role.about(session.name)}</p>,
        enter: openSession(id, session.name),
        choices: [
          { label: said.role.let(name), run: () => answer(true) },
          { label: said.notNow, run: () => answer(false) },
        ],
      };
    }
    case "control": {
      const { session, request } = item;
      const { agentType, shellId, folder, wants, at } = request;
      const id = SessionId.parse(session.id);
      const shell = shellNameIn(session, shellId) ?? words.shell(shellId);
      const answer = (choice: "once" | "always" | "no") =>
        void run("panel.answerAgent", { id, request: request.id, answer: choice });
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
        enter: openShell(id, shellId, shell),
        choices: [
          { label: said.control.once, run: () => answer("once") },
          { label: said.control.no, run: () => answer("no") },
        ],
        ...(folder === ""
          ? {}
          : {
              persistent: {
                label: said.control.always,
                about: said.control.lasts(agentType, folder),
                run: () => answer("always"),
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
            run: enter.run,
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
        choices: [{ label: said.plugin.look(session.name), run: enter.run }],
      };
    }
    case "budget": {
      const day = content.budgets.day ?? 0;
      const setDay = (amount: number | null) => void call("setBudgets", { ...content.budgets, day: amount });
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
          { label: said.budget.raise(formatDollars(raised)), run: () => setDay(raised) },
          { label: said.budget.look, run: () => goTo("agents") },
        ],
        persistent: { label: said.budget.none, about: said.budget.lasts, run: () => setDay(null) },
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
