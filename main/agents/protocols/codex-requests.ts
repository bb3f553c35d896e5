import { z } from "zod";
import type { HookQuestion, HookReply } from "../../../core/protocol/agent-hooks.ts";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import { type QuestionOption, type QuestionRisk, questionLimits } from "../../../core/protocol/questions.ts";
import {
  block,
  canOffer,
  commandLine,
  describeChoice,
  line,
  numberedOptions,
  numberKey,
  withCutNote,
} from "../hooks/question-text.ts";
import { assessRisk } from "../hooks/risk.ts";

/** Files that a tool call of Codex changes, as its item tells before it asks. */
export const CodexChanges = z.array(
  z.object({ path: z.string(), kind: z.object({ type: z.string() }), diff: z.string().catch("") }),
);
export type CodexChanges = z.infer<typeof CodexChanges>;

/** A request of Codex's app server to its clients (`codex app-server generate-ts`). */
export interface CodexRequest {
  readonly method: string;
  readonly params: unknown;
}

/** Where a request comes from. */
export interface CodexOrigin {
  /** The thread that the user talks to; the request may come from a sub-agent's thread. */
  readonly root: string;
  readonly cwd: string;
  /** The files of the tool call that asks; undefined where they are not known. */
  readonly changes: CodexChanges | undefined;
}

const Ids = z.object({ threadId: z.string(), itemId: z.string(), approvalId: z.string().nullish() });

const CommandParams = Ids.extend({
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

type Body = Omit<HookQuestion, "agentSessionId" | "thread" | "call">;

/** Names the tool call of a request, and the thread; undefined for a request that is no question to the user. */
export function readCodexRequest({ method, params }: CodexRequest, origin: CodexOrigin): HookQuestion | undefined {
  const ids = Ids.safeParse(params).data;
  const body = ids === undefined ? undefined : bodyOf(method, params, origin);
  if (ids === undefined || body === undefined) return undefined;
  return { ...body, agentSessionId: origin.root, thread: ids.threadId, call: callId(ids.threadId, ids.itemId) };
}

/** Identifies a tool call of a thread. */
export function callId(thread: string, item: string): string {
  return `${thread}/${item}`.slice(0, 200);
}

function bodyOf(method: string, params: unknown, origin: CodexOrigin): Body | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval":
      return read(CommandParams, params, (known) => commandBody(known, origin.cwd));
    case "item/fileChange/requestApproval":
      return read(FileParams, params, (known) => filesBody(known, origin));
    case "item/permissions/requestApproval":
      return read(PermissionsParams, params, permissionsBody);
    case "item/tool/requestUserInput":
      return read(InputParams, params, ({ questions }) => inputBody(questions));
    default:
      return undefined;
  }
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
  body: (known: z.infer<Schema>) => Body,
): Body | undefined {
  const known = schema.safeParse(params);
  return known.success ? body(known.data) : undefined;
}

function commandBody(params: z.infer<typeof CommandParams>, folder: string): Body {
  const { reason, networkApprovalContext: network, availableDecisions } = params;
  const command = params.command ?? undefined;
  const shown = command === undefined ? undefined : unwrapped(command);
  const title = network ? `Network access to ${network.host}` : `Run: ${shown ?? "a command"}`;
  const risk = assessRisk({ command: shown, usesNetwork: Boolean(network), cwd: params.cwd ?? folder });
  return {
    kind: "permission",
    title: line(title, questionLimits.title),
    text: block(reason ?? "", "text"),
    detail: command === undefined ? {} : { command: block(command, "command") },
    action: network ? { does: "fetch" } : actionOf(command, params.cwd ?? ""),
    risk: withCutNote(command === undefined && !network ? UNKNOWN_ACTION : risk, command),
    ...choosing(decisionsIn(availableDecisions)),
  };
}

function filesBody({ reason, grantRoot }: z.infer<typeof FileParams>, { changes, cwd }: CodexOrigin): Body {
  const files = changes?.map(({ path }) => path) ?? [];
  const diff = changes?.map(({ path, diff: text }) => `${path}\n${text}`).join("\n");
  const deletes = changes?.some(({ kind }) => kind.type === "delete") === true;
  const risk = assessRisk({ files, command: deletes ? "rm" : undefined, cwd });
  const root = grantRoot ? `It asks to write below ${grantRoot} from now on.` : "";
  return {
    kind: "permission",
    title: line(files.length === 0 ? "Change files" : `Change ${files.join(", ")}`, questionLimits.title),
    text: block([reason ?? "", root].filter(Boolean).join("\n"), "text"),
    detail: {
      ...(files.length > 0 && {
        files: files.slice(0, questionLimits.files).map((path) => line(path, questionLimits.path)),
      }),
      ...(diff !== undefined && { diff: block(diff, "diff") }),
    },
    risk: files.length === 0 || grantRoot ? UNKNOWN_ACTION : risk,
    ...choosing(["accept", "acceptForSession", "cancel"]),
  };
}

/** A profile of permissions is not shown by one option: it is granted in the terminal. */
function permissionsBody({ reason, permissions }: z.infer<typeof PermissionsParams>): Body {
  return {
    ...IN_TERMINAL,
    kind: "permission",
    detail: {},
    title: "Grant more permissions",
    text: block([reason ?? "", JSON.stringify(permissions, undefined, 1)].filter(Boolean).join("\n"), "text"),
    risk: { level: "high", reasons: ["asks for more permissions"] },
  };
}

function inputBody(questions: z.infer<typeof InputParams>["questions"]): Body {
  const [first, ...others] = questions;
  const title = line(first?.question ?? "The agent asks a question", questionLimits.title);
  const labels = first?.options?.map(({ label }) => label) ?? [];
  const text = questions.map((one) => describeChoice({ ...one, options: one.options ?? [] })).join("\n\n");
  const common = { kind: "choice", title, text: block(text, "text"), detail: {}, risk: NO_RISK } as const;
  // A secret must not stand in a record; several questions, or more options than can be offered, are answered in the terminal.
  const simple = others.length === 0 && first?.isSecret === false && canOffer(labels);
  if (!simple) return { ...IN_TERMINAL, ...common };
  return {
    ...common,
    options: numberedOptions(labels),
    acceptsText: first.isOther || labels.length === 0,
    takesReply: true,
    reply: ({ option, text: words }) => ({
      output: { answers: { [first.id]: { answers: [words ?? labels[Number(option) - 1] ?? ""] } } },
      allows: true,
    }),
  };
}

const NO_RISK: QuestionRisk = { level: "low", reasons: [] };
const UNKNOWN_ACTION: QuestionRisk = { level: "high", reasons: ["what it does is not known"] };
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
  const label = line(persistentLabel(decision), questionLimits.label);
  return { id: `always-${place + 1}`, label, key: numberKey(place) };
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

/** Decisions that are offered and known; a refusal is always possible. */
function decisionsIn(offered: readonly unknown[] | undefined): Decision[] {
  const known = (offered ?? ["accept", "cancel"]).flatMap((one) => Decision.safeParse(one).data ?? []);
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
