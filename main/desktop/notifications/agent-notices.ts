import { formatLocale } from "../../../core/phrases.ts";
import type { AgentEvent } from "../../../core/protocol/agent-records.ts";
import type { BudgetAlert } from "../../../core/protocol/budgets.ts";
import type { NotificationKind } from "../../../core/protocol/desktop-settings.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import {
  ASKING_PROGRAM,
  isAnsweredOnScreen,
  partsOf,
  type Question,
  shownDigest,
  textRepeatsTitle,
} from "../../../core/protocol/questions.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { describeShell, type ShellContext } from "../../../core/protocol/shell-name.ts";
import { dollars } from "../sessions/dollars.ts";
import type { Notice, NoticeQuestion } from "../sessions/notices.ts";
import { words } from "../words.ts";
import type { AgentTurn } from "./agent-turns.ts";

const LONGEST_ERROR = 160;
const LONGEST_ASKED = 300;
const MOST_LINES = 6;
const SCREEN_LINES = 3;
const MOST_BUTTONS = 3;

export interface AgentNotice extends Notice {
  readonly kind: NotificationKind;
  readonly shell: ShellId;
  readonly question?: NoticeQuestion;
}

/** Returns the user's label of a shell. */
type LabelOf = (shell: ShellId) => string | undefined;

const noLabel: LabelOf = () => undefined;

/** The notice for an event; undefined when it is not worth a notification. */
export function noticeOfEvent(
  event: RelayEvent,
  shells: readonly Shell[],
  labelOf: LabelOf = noLabel,
): AgentNotice | undefined {
  if (event.type !== "agent.waiting" && event.type !== "agent.ended") return undefined;
  const { agentType, shellId, reason } = event.data;
  const where = whereOf(shellId, {
    label: labelOf(shellId),
    agent: event.type === "agent.ended" ? undefined : event.data,
    shells,
  });
  return event.type === "agent.waiting"
    ? {
        kind: "waiting",
        shell: shellId,
        title: words.agents.waits(agentType),
        body: [reason?.detail, where].filter(Boolean).join("\n"),
      }
    : { kind: "ended", shell: shellId, title: words.agents.ended(agentType), body: where };
}

/** The notice for a question: what is asked, its risk, and its options where the notification shows all that they allow. */
export function noticeOfQuestion(
  question: Question,
  shells: readonly Shell[],
  labelOf: LabelOf = noLabel,
): AgentNotice {
  const { id, agentType, shellId, source, risk } = question;
  const asked = source === "screen" ? screenText(question) : detailText(question);
  const isWhole = asked.length <= LONGEST_ASKED && asked.split("\n").length <= MOST_LINES;
  const where = whereOf(shellId, { label: labelOf(shellId), agent: { agentType }, shells });
  const shown = isWhole ? asked : `${asked.slice(0, LONGEST_ASKED).split("\n").slice(0, MOST_LINES).join("\n")}…`;
  const danger =
    source !== "screen" && risk.level === "high" ? words.agents.highRisk(risk.reasons.join(", ")) : undefined;
  return {
    kind: "waiting",
    shell: shellId,
    title: titleOf(question),
    body: [shown, danger, where].filter(Boolean).join("\n"),
    question: {
      id,
      ...shownDigest(question),
      options: isWhole && !isAnsweredOnScreen(question) ? offered(question) : [],
    },
  };
}

/** Returns who asks, and what, unless the body begins with it. */
function titleOf(question: Question): string {
  const { source, title, text, agentType } = question;
  if (source === "screen" || source === "governor") return title;
  const asker = agentType === ASKING_PROGRAM ? words.agents.program : agentType;
  const isSaidBelow = text !== title && textRepeatsTitle(question);
  return isSaidBelow ? words.agents.asksYou(asker) : words.agents.asks(asker, title);
}

/** All that the options are about. */
function detailText(question: Question): string {
  return partsOf(question)
    .flatMap(({ part, text }) => (part === "screen" ? [] : [text]))
    .join("\n");
}

/** The last lines of the screen before its options; the drawn frame of a dialog is left out. */
function screenText({ text, detail: { screen = "" } }: Question): string {
  const lines = screen
    .split("\n")
    .map((line) => line.replace(/[\u2500-\u259f]/g, "").trim())
    .filter((line) => line !== "");
  const options = lines.findLastIndex((line) => /^\W*1[.)]\s/.test(line));
  const asked = options > 0 ? lines.slice(Math.max(0, options - SCREEN_LINES), options) : lines.slice(-SCREEN_LINES);
  return asked.length === 0 ? text : asked.join("\n");
}

/** Desktops show about three buttons. What a permission or a plan would allow for more than once is left to the inbox. */
function offered({ kind, answerable, options }: Question): NoticeQuestion["options"] {
  if (!answerable) return [];
  if (kind === "permission" || kind === "plan") return options.filter(({ id }) => id === "yes" || id === "no");
  return options.length <= MOST_BUTTONS ? options : [];
}

/**
 * The notice for the end of a turn. An agent that reports an error describes it itself; for others the last message or
 * error (`last`) is used.
 */
export function noticeOfTurn(
  { agent, since }: AgentTurn,
  last: Pick<AgentEvent, "type" | "at" | "text"> | undefined,
  shells: readonly Shell[],
  labelOf: LabelOf = noLabel,
): AgentNotice {
  const { agentType, shellId, state, message } = agent;
  const error = last?.type === "error" && Date.parse(last.at) >= since ? last.text : undefined;
  const failed = state === "error" || error !== undefined;
  const why = message ?? error;
  const where = whereOf(shellId, { label: labelOf(shellId), agent, shells });
  return {
    kind: failed ? "failed" : "finished",
    shell: shellId,
    title: failed ? words.agents.failed(agentType) : words.agents.finished(agentType),
    body: [why && shortened(why), where].filter(Boolean).join("\n"),
  };
}

/** `sessionName` for a session's budget; `locale` for how its dollars are written. */
export function noticeOfBudget(
  { scope, of, unit, spent, limit, percent, approximate, unpriced }: BudgetAlert,
  sessionName: string,
  locale = formatLocale(),
): Notice {
  const said = words.budgets;
  const whose = {
    day: said.names.day,
    model: said.names.model(of.slice(of.indexOf(" ") + 1)),
    session: said.names.session(sessionName),
    shell: said.names.shell(of.slice(of.lastIndexOf("/") + 1), sessionName),
    agent: said.names.agent(of),
    window: said.names.window(of.split(" ").slice(0, 2).join(" ")),
  }[scope];
  if (scope === "window") {
    const title = percent >= 100 ? said.limitReached(whose) : said.limitNear(whose);
    return { title, body: said.limit(Math.round(spent), limit) };
  }
  const amount = (value: number) => (unit === "dollars" ? dollars(value, locale) : value.toLocaleString(locale));
  const sentences = [
    (unit === "dollars" ? said.cost : said.tokens)(amount(spent), amount(limit)),
    ...(approximate === undefined ? [] : [said.approximate(amount(approximate))]),
    ...(unpriced ? [said.unpriced] : []),
  ];
  return {
    title: percent >= 100 ? said.spent(whose) : said.partlySpent(whose, percent),
    body: sentences.join(" "),
  };
}

function whereOf(
  id: ShellId,
  context: Omit<ShellContext, "shells"> & { shells: readonly Shell[] },
): string | undefined {
  const shell = context.shells.find((one) => one.id === id);
  return shell === undefined ? undefined : words.agents.where(describeShell(shell, context).name);
}

/** Truncates the error itself, so that the desktop does not cut the shell's name. */
function shortened(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR - 1)}…` : line;
}
