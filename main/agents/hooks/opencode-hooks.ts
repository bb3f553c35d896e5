import { resolve } from "node:path";
import { z } from "zod";
import type { HookQuestion, HookReply, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { type QuestionOption, questionLimits } from "../../../core/protocol/questions.ts";
import { nameOfEvent, otherEntries, showContent } from "./question-content.ts";
import { answerForm, answersOf, describeChoice, fitsGrant, line } from "./question-text.ts";
import { assessRisk, joinRisks, UNKNOWN_ACTION } from "./risk.ts";

const Id = z.string().min(1).max(200);
const text = z.string().optional().catch(undefined);

/** An event of opencode's server (https://opencode.ai/docs/server), as the plugin in opencode-plugin.ts passes it on. */
const Event = z.object({
  type: z.string(),
  properties: z.unknown(),
  /** The session that the user talks to; `sessionID` may be a sub-agent's. */
  root: Id,
  cwd: z.string().catch(""),
  /** The plugin has left out a part, because the whole is too long to be passed on. */
  cut: z.boolean().catch(false),
});
type Event = z.infer<typeof Event>;

const Permission = z.object({
  id: Id,
  sessionID: Id,
  permission: z.string().max(200),
  patterns: z.array(z.string()).catch([]),
  always: z.array(z.string()).catch([]),
  metadata: z.record(z.string(), z.unknown()).catch({}),
});
type Permission = z.infer<typeof Permission>;

/** What opencode's own tools tell of a call. */
const Metadata = z.object({
  command: text,
  filepath: text,
  diff: text,
  url: text,
  query: text,
  description: text,
});

/** A permission as versions before 1.1 ask for it. */
const EarlierPermission = z.object({
  id: Id,
  sessionID: Id,
  type: z.string().max(200),
  title: z.string().catch(""),
  metadata: z.record(z.string(), z.unknown()).catch({}),
});

const Choices = z.object({
  id: Id,
  sessionID: Id,
  questions: z
    .array(
      z.object({
        question: z.string(),
        options: z.array(z.object({ label: z.string(), description: z.string().catch("") })).catch([]),
        multiple: z.boolean().catch(false),
        custom: z.boolean().catch(true),
      }),
    )
    .min(1),
});

const Settled = z.object({
  requestID: Id,
  reply: text,
  response: text,
  answers: z.array(z.array(z.string())).optional(),
});
const OfSession = z.object({ sessionID: Id });

type Body = Omit<HookQuestion, "agentSessionId" | "thread" | "call" | "event">;

/** Reads an event of opencode. */
export function readOpencodeHook(given: unknown): HookReport | undefined {
  const { data: event } = Event.safeParse(given);
  if (event === undefined) return undefined;
  const agentSessionId = event.root;
  switch (event.type) {
    case "permission.asked":
      return asks(event, Permission.safeParse(event.properties).data, permissionOf);
    case "permission.updated":
      return asks(event, EarlierPermission.safeParse(event.properties).data, earlierPermissionOf);
    case "question.asked":
      return asks(event, Choices.safeParse(event.properties).data, choiceOf);
    case "permission.replied":
    case "question.replied":
    case "question.rejected": {
      const { data: settled } = Settled.safeParse(event.properties);
      if (settled === undefined) return undefined;
      const decision =
        settled.reply ?? settled.response ?? (settled.answers === undefined ? REJECT : decisionOf(settled.answers));
      return { kind: "settled", agentSessionId, call: settled.requestID, decision };
    }
    case "session.idle": {
      const { data: idle } = OfSession.safeParse(event.properties);
      if (idle === undefined) return undefined;
      const turn = { kind: "turn", agentSessionId, thread: idle.sessionID } as const;
      return idle.sessionID === agentSessionId ? { ...turn, isIdle: true } : turn;
    }
    default:
      return undefined;
  }
}

function asks<Request extends { readonly id: string; readonly sessionID: string }>(
  event: Event,
  asked: Request | undefined,
  bodyOf: (asked: Request, event: Event) => Body,
): HookReport | undefined {
  if (asked === undefined) return undefined;
  const origin = { agentSessionId: event.root, thread: asked.sessionID, call: asked.id, event: nameOfEvent(event) };
  return { kind: "asks", question: { ...origin, ...bodyOf(asked, event) } };
}

const REJECT = "reject";

function permissionOf(asked: Permission, { cwd, cut }: Event): Body {
  const { permission, patterns, always, metadata } = asked;
  const { command, filepath, diff, url, query, description } = Metadata.parse(metadata);
  const isTold = !cut && tellsInput(asked);
  const files = filepath === undefined ? [] : [resolve(cwd || "/", filepath)];
  const subject = command ?? filepath ?? url ?? query ?? patterns[0];
  const told = [description, command === undefined ? patterns.join("\n") : "", cut ? CUT : isTold ? "" : NOT_TOLD];
  // `filediff` has the whole file before and after what `diff` changes.
  const input = otherEntries(metadata, { command, filepath, diff, description, filediff: diff });
  const shown = showContent({ text: told.filter(Boolean).join("\n"), command, files, diff, input });
  const grant = `Yes, and do not ask again for ${always.join(", ")}`;
  const options: QuestionOption[] = [
    { id: "yes", label: "Yes, this once", key: "y" },
    ...(always.length > 0 && fitsGrant(grant) ? [{ id: "always", label: grant, key: "" }] : []),
    { id: "no", label: "No", key: "n" },
  ];
  const simple = shown.isWhole && isTold;
  const risk = shown.risk(riskOf({ permission, command, files, cwd }));
  return {
    kind: "permission",
    title: line(subject === undefined ? permission : `${permission}: ${subject}`, questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    options: simple ? options : [],
    acceptsText: simple,
    action: actionOf(permission, command),
    risk: isTold ? risk : joinRisks(risk, UNKNOWN_ACTION),
    takesReply: simple,
    tellsAnswers: true,
    reply({ option, text: why }) {
      if (option === "yes") return permitted("once");
      if (option === "always") return permitted("always");
      return { output: { reply: REJECT, ...(why === null ? {} : { message: why }) }, allows: false, decision: REJECT };
    },
  };
}

/** Those versions take no answer that Patchbay could prove. */
function earlierPermissionOf({ type, title, ...asked }: z.infer<typeof EarlierPermission>, event: Event): Body {
  const body = permissionOf({ ...asked, permission: type, patterns: [title], always: [] }, event);
  return { ...body, options: [], acceptsText: false, takesReply: false };
}

const CUT = "Its input is too long to be passed on: read it in the terminal.";
const NOT_TOLD = "opencode does not tell its input: read it in the terminal.";

/** Permissions of opencode's own tools whose patterns are the input: a path, an address, a name or what is searched for. */
const TOLD_BY_PATTERNS: ReadonlySet<string> = new Set([
  ...["read", "glob", "grep", "list", "skill", "external_directory"],
  ...["webfetch", "websearch", "codesearch"],
]);

/**
 * Returns whether a request tells what its tool is given. The tools of MCP servers ask with the pattern `*` alone, the tool
 * that starts a sub-agent without the prompt, and some versions ask for parts of a command: nobody can judge these here.
 */
function tellsInput({ permission, patterns, metadata }: Permission): boolean {
  const { command, diff } = Metadata.parse(metadata);
  switch (permission) {
    case "bash":
      return command !== undefined;
    case "edit":
      return diff !== undefined;
    case "task":
      return metadata.prompt !== undefined;
    default:
      return (
        Object.keys(metadata).some((name) => name !== "description") ||
        (TOLD_BY_PATTERNS.has(permission) && patterns.some((pattern) => pattern !== "*"))
      );
  }
}

function permitted(reply: "once" | "always"): HookReply {
  return { output: { reply }, allows: true, decision: reply };
}

/** Questions with more options than can be offered are answered in the terminal only. */
function choiceOf({ questions }: z.infer<typeof Choices>): Body {
  const shown = showContent({ text: questions.map(describeChoice).join("\n\n") });
  const asked = questions.map(({ custom, ...choice }) => ({ ...choice, acceptsText: custom }));
  return {
    kind: "choice",
    title: line(questions[0]?.question ?? "opencode asks a question", questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    ...answerForm(shown.isWhole ? asked : []),
    risk: shown.risk({ level: "low", reasons: [] }),
    tellsAnswers: true,
    reply(answer) {
      const answers = answersOf(answer, questions);
      return { output: { answers }, allows: true, decision: decisionOf(answers) };
    },
  };
}

function decisionOf(answers: readonly (readonly string[])[]): string {
  return JSON.stringify(answers);
}

/** What is asked does not tell in which folder a command runs, nor what it would do in another folder. */
function actionOf(permission: string, command: string | undefined): HookQuestion["action"] {
  if (permission === "bash") return command === undefined ? undefined : { does: "run", command, cwd: "" };
  return permission === "webfetch" || permission === "websearch" ? { does: "fetch" } : undefined;
}

/** Permissions of opencode's own tools that read within the folder: it asks for other folders by `external_directory`. */
const READS: ReadonlySet<string> = new Set(["read", "glob", "grep", "list", "lsp", "todowrite", "todoread", "skill"]);

function riskOf({
  permission,
  command,
  files,
  cwd,
}: {
  readonly permission: string;
  readonly command: string | undefined;
  readonly files: readonly string[];
  readonly cwd: string;
}): Body["risk"] {
  switch (permission) {
    case "bash":
      return assessRisk({ command: command ?? "", cwd });
    case "edit":
      return assessRisk({ files, cwd });
    case "webfetch":
    case "websearch":
    case "codesearch":
      return assessRisk({ usesNetwork: true, cwd });
    case "external_directory":
      return { level: "medium", reasons: ["outside the folder"] };
    default:
      return READS.has(permission) ? assessRisk({ cwd }) : UNKNOWN_ACTION;
  }
}
