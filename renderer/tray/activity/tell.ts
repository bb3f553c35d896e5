import type { ReactNode } from "react";
import { procedureOf } from "../../../core/procedures/index.ts";
import type { AuditEntry } from "../../../core/protocol/audit.ts";
import { Role } from "../../../core/protocol/records.ts";
import { settingsByPublicName } from "../../../core/protocol/settings.ts";
import { localizedSetting } from "../../settings/localized-setting.ts";
import { summaryOf } from "../../ui/declared-words.ts";
import { roleWords } from "../../ui/words.ts";
import { formatDollars } from "../format.ts";
import { words } from "../words/index.ts";

/** What the names in an entry stand for. */
export interface Names {
  /** The user of this panel. */
  readonly user: string | undefined;
  /** Returns the name of a shell; undefined once it is gone. */
  shell(session: string | null, id: number): string | undefined;
  /** Returns the name of a connected client or of a guest who is away; undefined for a person who is gone. */
  person(session: string | null, id: string): string | undefined;
}

/** What kind of activity an entry is; the order of the filters. */
export const activityKinds = ["all", "answers", "people", "changes", "failures", "notifications"] as const;
export type ActivityKind = (typeof activityKinds)[number];

interface Given {
  readonly who: ReactNode;
  readonly shell: ReactNode;
  /** The name of the person whose role changes, or who is removed; undefined where it is not known. */
  readonly person: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** How long it went on; undefined: for less than a minute. */
  readonly time: string | undefined;
  readonly from: string;
}

const said = words.activity.happened;

/** A parameter as text; "" where it is none. */
function text(params: Given["params"], name: string): string {
  const value = params[name];
  return value === undefined || value === null ? "" : String(value);
}

function role(params: Given["params"]): string {
  const parsed = Role.safeParse(params.role);
  return parsed.success ? roleWords[parsed.data] : text(params, "role");
}

function roleGiven({ who, person, params }: Given): ReactNode {
  const given = { who, role: role(params) };
  return person === undefined ? said.role(given) : said.roleOf({ ...given, person });
}

/** A limit of `setBudgets` as text. */
function limit(value: unknown): string {
  return typeof value === "number" ? formatDollars(value) : words.activity.noLimit;
}

function typed({ who, shell, time }: Given): ReactNode {
  return time === undefined ? said.typed({ who, shell }) : said.typedFor({ who, shell, time });
}

/** Sentences by the name of the procedure; any other has its summary. */
const tellers: Readonly<Record<string, (given: Given) => ReactNode>> = {
  writeShell: typed,
  writeToShell: typed,
  sendKeys: typed,
  broadcastInput: (given) => said.typedIntoAll(given),
  runCommand: (given) => said.ran(given),
  runInShell: (given) => said.ran(given),
  resizeShell: (given) => said.resized(given),
  createShell: (given) => said.opened(given),
  splitShell: (given) => said.opened(given),
  respawnShell: (given) => said.respawned(given),
  closeShell: (given) => said.closed(given),
  adoptShell: (given) => said.adopt(given),
  answerAdopt: (given) => (given.params.allow === true ? said.adoptAllowed(given) : said.adoptRefused(given)),
  askToType: (given) => said.askedToType(given),
  answerRoleRequest: (given) => (given.params.allow === true ? said.typeAllowed(given) : said.typeRefused(given)),
  answerQuestion: ({ who, params }) => {
    const [title, answer] = [text(params, "title"), text(params, "option")];
    if (title !== "") return said.policyAnswered({ who, agent: text(params, "agentType"), title });
    return answer === ""
      ? said.answeredInWords({ who })
      : said.answered({ who, answer: words.activity.quoted(answer) });
  },
  answerAgent: (given) => (given.params.answer === "no" ? said.agentRefused(given) : said.agentAllowed(given)),
  forgetAgent: ({ who, params }) =>
    said.agentForgotten({ who, agent: text(params, "agentType"), folder: text(params, "folder") }),
  setBudgets: ({ who, params: { day, session } }) => {
    if (day !== undefined && session !== undefined) {
      return said.budgets({ who, day: limit(day), session: limit(session) });
    }
    if (typeof day === "number") return said.budgetDay({ who, sum: formatDollars(day) });
    if (typeof session === "number") return said.budgetSession({ who, sum: formatDollars(session) });
    return day === null ? said.budgetDayRemoved({ who }) : said.budgetSessionRemoved({ who });
  },
  setBudget: ({ who, params }) => said.budget({ who, scope: text(params, "scope"), limit: text(params, "limit") }),
  removeBudget: ({ who, params }) => said.budgetRemoved({ who, scope: text(params, "scope") }),
  setSetting: ({ who, params }) => said.setting({ who, setting: settingLabel(params), value: text(params, "value") }),
  resetSetting: ({ who, params }) => said.settingReset({ who, setting: settingLabel(params) }),
  createInvite: ({ who, params }) => said.invited({ who, role: role(params) }),
  revokeInvite: (given) => said.inviteRevoked(given),
  changeRole: roleGiven,
  changeGuestRole: roleGiven,
  // Of one who was removed the name is gone; an attempt that failed has it.
  removeGuest: ({ who, person }) => (person === undefined ? said.removed({ who }) : said.removedOne({ who, person })),
  disconnectClient: ({ who, person }) =>
    person === undefined ? said.disconnected({ who }) : said.disconnectedOne({ who, person }),
  createKey: ({ who, params }) => said.keyMade({ who, name: words.activity.quoted(text(params, "name")) }),
  createToken: (given) => said.tokenMade(given),
  revokeKey: (given) => said.keyRevoked(given),
  answerLogin: (given) => (given.params.allow === true ? said.loginAllowed(given) : said.loginDenied(given)),
  "credential ended": (given) => said.credentialEnded(given),
  createSession: ({ who, params }) => said.sessionMade({ who, name: words.activity.quoted(text(params, "name")) }),
  renameSession: ({ who, params }) => said.sessionRenamed({ who, name: words.activity.quoted(text(params, "name")) }),
  closeSession: (given) => said.sessionClosed(given),
  restrictShells: (given) =>
    given.params.on === false || given.params.state === "off" ? said.unrestricted(given) : said.restricted(given),
  sendPrompt: (given) => said.prompted(given),
  cancelPrompt: (given) => said.promptCancelled(given),
  sendChat: (given) => said.chatted(given),
  notify: ({ who, params }) => said.notified({ who, title: words.activity.quoted(text(params, "title")) }),
  joinFleet: (given) => said.joinedFleet(given),
  leaveFleet: (given) => said.leftFleet(given),
};
const tellerOf: ReadonlyMap<string, (given: Given) => ReactNode> = new Map(Object.entries(tellers));

function settingLabel(params: Given["params"]): string {
  const setting = settingsByPublicName.get(text(params, "name"));
  return setting === undefined ? text(params, "name") : words.activity.quoted(localizedSetting(setting).label);
}

/**
 * Tells an entry, or several of the same, in a sentence.
 * @param time how long it went on; undefined: for less than a minute
 */
export function tell(entry: AuditEntry, names: Names, who: ReactNode, time: string | undefined): ReactNode {
  const { action, params, kind, outcome, from } = entry;
  if (kind === "authentication") {
    if (outcome !== "ok") return from === "" ? said.turnedAway({}) : said.turnedAwayFrom({ from });
    return from === "" ? said.cameIn({ who }) : said.cameInBy({ who, from });
  }
  const id = Number(params.shell ?? params.shellId ?? params.id);
  const shell = (Number.isInteger(id) ? names.shell(entry.session, id) : undefined) ?? words.activity.aShell;
  const person = names.person(entry.session, text(params, "client") || text(params, "guest"));
  const told = tellerOf.get(action)?.({ who, shell, person, params, time, from });
  return told ?? said.other({ who, what: summary(action) });
}

/** Returns what a procedure does, up to the first semicolon. */
function summary(action: string): string {
  const procedure = procedureOf(action);
  return procedure === undefined ? action : (summaryOf(action, procedure.spec.summary).split(/[;；]/)[0] ?? action);
}

/** Returns who did what an entry tells. */
export function actorOf({ who, credential, session }: AuditEntry, names: Names): string {
  if (credential === "user" || (who !== null && who === names.user && credential !== "guest")) {
    return words.activity.you;
  }
  if (who === null) return words.activity.somebody;
  const [, shell] = /^shell (\d+)$/.exec(who) ?? [];
  if (credential === "shell" && shell !== undefined) {
    return words.activity.program(names.shell(session, Number(shell)) ?? words.shell(Number(shell)));
  }
  if (/^policy \d+$/.test(who)) return words.activity.policy;
  return credential === "key" ? words.activity.key(who) : who;
}

const ANSWERS = /^answer|^forgetAgent$/;
const PEOPLE = /Role|Guest|Invite|Key$|Token$|disconnectClient|askToType|adoptShell|^credential ended$/;

/** Returns the kinds that an entry is listed under, besides all. */
export function kindsOf({ kind, action, outcome }: AuditEntry): readonly ActivityKind[] {
  const failed: readonly ActivityKind[] = outcome === "ok" ? [] : ["failures"];
  if (kind === "authentication" || PEOPLE.test(action)) return ["people", ...failed];
  return [ANSWERS.test(action) ? "answers" : "changes", ...failed];
}

const TYPING: ReadonlySet<string> = new Set(["writeShell", "sendKeys", "writeToShell"]);
const FRAME: ReadonlySet<string> = new Set(["resizeShell", "setPluginState", "sendUpload"]);

/** Reports whether an entry is of no interest to who reads it: their own keys, sizes of shells, and pieces of files. */
export function isNoise(entry: AuditEntry, names: Names): boolean {
  if (entry.outcome !== "ok") return false;
  if (FRAME.has(entry.action)) return true;
  const own = actorOf(entry, names) === words.activity.you;
  return own && (TYPING.has(entry.action) || entry.kind === "authentication");
}
