import { z } from "zod";
import type { HookQuestion, HookReply } from "../../../core/protocol/agent-hooks.ts";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import { type QuestionOption, type QuestionRisk, questionLimits } from "../../../core/protocol/questions.ts";
import { nameOfEvent, otherEntries, showContent } from "../hooks/question-content.ts";
import {
  answerForm,
  answersOf,
  canOffer,
  commandLine,
  describeChoice,
  fitsGrant,
  line,
} from "../hooks/question-text.ts";
import { assessRisk, joinRisks, UNKNOWN_ACTION } from "../hooks/risk.ts";

/** Files that a tool call of Codex changes, as its item tells before it asks. */
export const CodexChanges = z.array(
  z.object({
    path: z.string(),
    kind: z.object({ type: z.string(), move_path: z.string().nullish().catch(undefined) }),
    diff: z.string().catch(""),
  }),
);
export type CodexChanges = z.infer<typeof CodexChanges>;

/** A request of Codex's app server to its clients (`codex app-server generate-ts`). */
interface CodexRequest {
  readonly method: string;
  readonly params: unknown;
}

/** Where a request comes from. */
interface CodexOrigin {
  /** The thread that the user talks to; the request may come from a sub-agent's thread. */
  readonly root: string;
  readonly cwd: string;
  /** The files of the tool call that asks; undefined where they are not known. */
  readonly changes: CodexChanges | undefined;
}

const Ids = z.object({ threadId: z.string(), itemId: z.string(), approvalId: z.string().nullish() });

const CommandParams = Ids.extend({
  kind: z.string().nullish().catch("unknown"),
  reason: z.string().nullish().catch(undefined),
  command: z.string().nullish().catch(undefined),
  cwd: z.string().nullish().catch(undefined),
  networkApprovalContext: z.object({ host: z.string() }).nullish().catch(undefined),
  availableDecisions: z.array(z.unknown()).optional().catch(undefined),
});
const FileParams = Ids.extend({
  reason: z.string().nullish().catch(undefined),
  grantRoot: z.string().nullish().catch(undefined),
});
const PermissionsParams = Ids.extend({ reason: z.string().nullish(), permissions: JsonValue });
const InputParams = Ids.extend({
  questions: z
    .array(
      z.object({
        id: z.string(),
        question: z.string(),
        isOther: z.boolean().catch(false),
        isSecret: z.boolean().catch(false),
        options: z
          .array(z.object({ label: z.string(), description: z.string().catch("") }))
          .nullish()
          .catch(undefined),
      }),
    )
    .min(1),
});

/** A decision that Codex offers, as it expects it back. */
const Decision = z.union([
  z.enum(["accept", "acceptForSession", "decline", "cancel"]),
  z.object({ acceptWithExecpolicyAmendment: z.object({ execpolicy_amendment: z.array(z.string()) }) }),
  z.object({
    applyNetworkPolicyAmendment: z.object({
      network_policy_amendment: z.object({ host: z.string(), action: z.string() }),
    }),
  }),
]);
type Decision = z.infer<typeof Decision>;

type Body = Omit<HookQuestion, "agentSessionId" | "thread" | "call" | "event">;

/** Names the tool call of a request, and the thread; undefined for a request that is no question to the user. */
export function readCodexRequest(request: CodexRequest, origin: CodexOrigin): HookQuestion | undefined {
  try {
    return questionOf(request, origin);
  } catch (error) {
    // Nested deeper than a program can follow: such a request is left to the terminal.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function questionOf({ method, params }: CodexRequest, origin: CodexOrigin): HookQuestion | undefined {
  const ids = Ids.safeParse(params).data;
  const body = ids === undefined ? undefined : bodyOf(method, params, origin);
  if (ids === undefined || body === undefined) return undefined;
  const event = nameOfEvent({ method, params, changes: origin.changes });
  const call = callId(ids.threadId, ids.approvalId ?? ids.itemId);
  return { ...body, agentSessionId: origin.root, thread: ids.threadId, call, event };
}

/** Identifies a tool call of a thread, or one of several approvals that a call asks for. */
export function callId(thread: string, item: string): string {
  return `${thread}/${item}`.slice(0, 200);
}

function bodyOf(method: string, params: unknown, origin: CodexOrigin): Body | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval":
      return read(CommandParams, params, (known, all) => commandBody(known, all, origin.cwd));
    case "item/fileChange/requestApproval":
      return read(FileParams, params, (known, all) => filesBody(known, all, origin));
    case "item/permissions/requestApproval":
      return read(PermissionsParams, params, permissionsBody);
    case "item/tool/requestUserInput":
      return read(InputParams, params, ({ questions }) => inputBody(questions));
    default:
      return undefined;
  }
}

/** `body` is given the whole request too, as far as it says anything. */
function read<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
  body: (known: z.infer<Schema>, all: Request) => Body,
): Body | undefined {
  const known = schema.safeParse(params).data;
  const all = z.record(z.string(), z.unknown()).safeParse(params).data;
  if (known === undefined || all === undefined) return undefined;
  return body(known, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)));
}

type Request = Readonly<Record<string, unknown>>;

/** Names and times of requests, and what tells their commands or decisions again in other words. */
const REPEATED = {
  threadId: true,
  turnId: true,
  itemId: true,
  approvalId: true,
  startedAtMs: true,
  commandActions: true,
  availableDecisions: true,
  proposedExecpolicyAmendment: true,
  proposedNetworkPolicyAmendments: true,
};

function commandBody(params: z.infer<typeof CommandParams>, all: Request, folder: string): Body {
  const { networkApprovalContext: network, availableDecisions } = params;
  const [command, reason, kind] = [params.command ?? undefined, params.reason ?? undefined, params.kind ?? "command"];
  const cwd = params.cwd ?? folder;
  const run = command === undefined ? undefined : unwrapped(command);
  const runs = kind === "command" || kind === "humanCommand";
  const title = network ? `Network access to ${network.host}` : `${runs ? "Run" : kind}: ${run ?? "a command"}`;
  const input = otherEntries(all, {
    ...REPEATED,
    reason,
    command,
    cwd: cwd === folder ? true : undefined,
    kind: runs ? true : undefined,
  });
  const shown = showContent({ text: reason, command, input });
  const risk = assessRisk({ command: run, usesNetwork: Boolean(network), cwd });
  const isKnown = runs && (command !== undefined || network) && Object.keys(input).every((name) => KNOWN.has(name));
  return {
    kind: "permission",
    title: line(title, questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    action: network ? { does: "fetch" } : runs ? actionOf(command, params.cwd ?? "") : undefined,
    risk: shown.risk(isKnown ? risk : joinRisks(risk, UNKNOWN_ACTION)),
    ...(shown.isWhole ? choosing(decisionsIn(availableDecisions)) : IN_TERMINAL),
  };
}

/** What a request for a command may tell beside it. */
const KNOWN: ReadonlySet<string> = new Set(["cwd", "environmentId", "networkApprovalContext"]);

function filesBody({ reason, grantRoot }: z.infer<typeof FileParams>, all: Request, origin: CodexOrigin): Body {
  const { changes = [], cwd } = origin;
  const files = changes.flatMap(({ path, kind }) => (kind.move_path ? [path, kind.move_path] : [path]));
  const diff = changes.map(({ path, kind, diff: text }) => {
    return `${path}${kind.move_path ? ` -> ${kind.move_path}` : ""}\n${text}`;
  });
  const deletes = changes.some(({ kind }) => kind.type === "delete");
  const risk = assessRisk({ files, command: deletes ? "rm" : undefined, cwd });
  const root = grantRoot ? `It asks to write below ${grantRoot} from now on.` : "";
  const input = otherEntries(all, { ...REPEATED, reason, grantRoot });
  const shown = showContent({
    text: [reason ?? "", root].filter(Boolean).join("\n"),
    files,
    diff: origin.changes && diff.join("\n"),
    input,
  });
  const isKnown = files.length > 0 && !grantRoot && Object.keys(input).length === 0;
  return {
    kind: "permission",
    title: line(files.length === 0 ? "Change files" : `Change ${files.join(", ")}`, questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    risk: shown.risk(isKnown ? risk : joinRisks(risk, UNKNOWN_ACTION)),
    // Of changes that it has not told, nothing is shown.
    ...(shown.isWhole && files.length > 0 ? choosing(["accept", "acceptForSession", "cancel"]) : IN_TERMINAL),
  };
}

/** A profile of permissions is not shown by one option: it is granted in the terminal. */
function permissionsBody({ reason, permissions }: z.infer<typeof PermissionsParams>): Body {
  const shown = showContent({ text: reason ?? "", input: { permissions } });
  return {
    ...IN_TERMINAL,
    kind: "permission",
    detail: shown.detail,
    title: "Grant more permissions",
    text: shown.text,
    risk: shown.risk({ level: "high", reasons: ["asks for more permissions"] }),
  };
}

function inputBody(questions: z.infer<typeof InputParams>["questions"]): Body {
  const asked = questions.map(({ options, isOther, ...one }) => {
    const own = options ?? [];
    return { ...one, options: own, multiple: false, acceptsText: isOther || own.length === 0 };
  });
  const title = line(asked[0]?.question ?? "The agent asks a question", questionLimits.title);
  const shown = showContent({ text: asked.map(describeChoice).join("\n\n") });
  const common = { kind: "choice", title, text: shown.text, detail: {}, risk: shown.risk(NO_RISK) } as const;
  // A secret must not stand in a record: it is answered in the terminal.
  const isOffered = questions.every(({ isSecret }) => !isSecret) && shown.isWhole;
  return {
    ...common,
    ...answerForm(isOffered ? asked : []),
    reply(answer) {
      const given = answersOf(answer, asked).map((each, place) => [questions[place]?.id ?? "", { answers: each }]);
      return { output: { answers: Object.fromEntries(given) }, allows: true };
    },
  };
}

const NO_RISK: QuestionRisk = { level: "low", reasons: [] };
const IN_TERMINAL = {
  options: [] as QuestionOption[],
  acceptsText: false,
  takesReply: false,
  reply: (): HookReply => ({ output: {}, allows: false }),
};

/** The options for decisions, and the reply for each. */
function choosing(decisions: readonly Decision[]): Pick<Body, "options" | "acceptsText" | "takesReply" | "reply"> {
  const persistent = decisions.filter(isPersistent);
  const once = decisions.filter((decision): decision is Once => !isPersistent(decision));
  const offered = [
    ...once.filter((decision) => decision === "accept").map((decision) => ({ decision, option: YES })),
    ...persistent.map((decision, index) => ({ decision, option: persistentOption(decision, index) })),
    ...once
      .filter((decision) => decision !== "accept")
      .map((decision, index) => ({ decision, option: refusal(decision, index === 0) })),
  ];
  if (!canOffer(offered.map(({ option }) => option.label))) return IN_TERMINAL;
  return {
    options: offered.map(({ option }) => option),
    acceptsText: false,
    takesReply: true,
    reply({ option }) {
      const decision = offered.find((one) => one.option.id === option)?.decision ?? "decline";
      return { output: { decision }, allows: allows(decision) };
    },
  };
}

type Once = "accept" | "decline" | "cancel";
const YES: QuestionOption = { id: "yes", label: "Yes, this once", key: "y" };

/** The first refusal that is offered is the plain "no". */
function refusal(decision: Exclude<Once, "accept">, isFirst: boolean): QuestionOption {
  const label = decision === "cancel" ? "No, and stop the turn" : "No, and go on without it";
  return isFirst ? { id: "no", label, key: "n" } : { id: decision, label, key: decision.charAt(0) };
}

function persistentOption(decision: Persistent, place: number): QuestionOption {
  return { id: `always-${place + 1}`, label: persistentLabel(decision), key: "" };
}

function isPersistent(decision: Decision): decision is Persistent {
  return decision !== "accept" && decision !== "decline" && decision !== "cancel";
}

type Persistent = Exclude<Decision, Once>;

function persistentLabel(decision: Persistent): string {
  if (decision === "acceptForSession") return "Yes, and do not ask again in this agent session";
  if ("acceptWithExecpolicyAmendment" in decision) {
    const words = commandLine(decision.acceptWithExecpolicyAmendment.execpolicy_amendment);
    return `Yes, and always allow commands that begin with ${words}`;
  }
  const { host, action } = decision.applyNetworkPolicyAmendment.network_policy_amendment;
  return action === "allow" ? `Yes, and always allow the host ${host}` : `No, and always refuse the host ${host}`;
}

function allows(decision: Decision): boolean {
  if (decision === "decline" || decision === "cancel") return false;
  if (typeof decision === "string" || "acceptWithExecpolicyAmendment" in decision) return true;
  return decision.applyNetworkPolicyAmendment.network_policy_amendment.action === "allow";
}

/** Decisions that are offered, known, and said in full by a label; a refusal is always possible. */
function decisionsIn(offered: readonly unknown[] | undefined): Decision[] {
  const known = (offered ?? ["accept", "cancel"])
    .flatMap((one) => Decision.safeParse(one).data ?? [])
    .filter((decision) => !isPersistent(decision) || fitsGrant(persistentLabel(decision)));
  return known.includes("decline") || known.includes("cancel") ? known : [...known, "decline"];
}

/** The model may name the shell that runs a command: only the system's own is known to do what the script says. */
function actionOf(command: string | undefined, cwd: string): HookQuestion["action"] {
  if (command === undefined) return undefined;
  return { does: "run", command: SYSTEM_SHELL.exec(command)?.[1] ?? command, cwd };
}

const SYSTEM_SHELL = /^(?:(?:\/usr)?\/bin\/)?(?:ba|z|da)?sh -l?c '([^']*)'$/;

/** The command that Codex's shell runs: the quoted text of `bash -lc '…'` is what the user reads, if nothing in it is quoted again. */
function unwrapped(command: string): string {
  return /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c '([^']*)'$/.exec(command)?.[1] ?? command;
}
