import { isAbsolute } from "node:path";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Policy, PolicyVerdict, ToolAction } from "../../../core/protocol/policies.ts";
import { isAnsweredOnScreen, type Question } from "../../../core/protocol/questions.ts";
import { hasUp, pathsRead, plainWords } from "./plain-command.ts";

/** A question as policies see it. */
export interface PolicyCase {
  readonly question: Pick<Question, "kind" | "source" | "confidence" | "risk" | "detail" | "options" | "agentType">;
  /** What the tool call does; undefined where that is not known for certain. */
  readonly action: ToolAction | undefined;
}

/** The session's policies, as far as they answer its questions. */
export interface QuestionPolicies {
  /** Says what they do with a question of a shell; undefined where there are none. */
  readonly decide: (asked: PolicyCase, shell: ShellId) => Promise<PolicyVerdict | undefined>;
  /** Whether there are any: without them no question waits for a decision. */
  readonly isEmpty: () => boolean;
  /** Records that a policy has answered a question, or could not. `outcome`: `ok` or an error code. */
  readonly answered: (answer: {
    readonly question: Question;
    readonly policy: number;
    readonly outcome: string;
  }) => void;
}

/** The file system, as far as a decision depends on it. */
export interface Places {
  /** Resolves to where a path leads after all links; undefined where nothing is there that can be read. */
  readonly real: (path: string) => Promise<string | undefined>;
  readonly isWithin: (path: string, folder: string) => boolean;
}

/** The option of a permission that allows this one call only. */
export const ONCE = "yes";

/**
 * Decides what policies do with a question. Whatever is not understood in full is left to a person; a policy that asks
 * counts before all that allow.
 */
export async function decide(
  { question, action }: PolicyCase,
  policies: readonly Policy[],
  places: Places,
): Promise<PolicyVerdict> {
  const never = reasonToAsk(question, action);
  if (never !== undefined) return ask(never);
  if (action === undefined) return ask("what the tool call does is not known");
  const own = policies.filter(({ agentType }) => agentType === null || agentType === question.agentType);
  const fitting = await Promise.all(own.map((policy) => fits(policy, { action, question, places })));
  const fitted = own.filter((_, index) => fitting[index] === true);
  const asks = fitted.find(({ effect }) => effect === "ask");
  if (asks !== undefined) return { would: "ask", policy: asks.id, because: `policy ${asks.id} always asks for this` };
  const [allows] = fitted;
  if (allows !== undefined) return { would: "allow", policy: allows.id, because: `policy ${allows.id} allows it` };
  return ask("no policy fits");
}

function ask(because: string): PolicyVerdict {
  return { would: "ask", policy: null, because };
}

/** Why no policy may answer this question at all. */
function reasonToAsk(question: PolicyCase["question"], action: ToolAction | undefined): string | undefined {
  const { kind, risk, source, confidence, options } = question;
  if (kind !== "permission") return "it is no permission";
  if (source === "governor") return "the relay itself asks";
  if (source === "screen" || confidence !== "high" || isAnsweredOnScreen(question))
    return "it is answered on the screen";
  if (risk.level === "high") return `its risk is high: ${risk.reasons.join(", ")}`;
  if (!options.some(({ id }) => id === ONCE)) return "it cannot be allowed just once";
  if (action?.does !== "run") return undefined;
  // PowerShell and cmd give other characters a meaning.
  if (process.platform === "win32") return "commands are not understood on Windows";
  return plainWords(action.command) === undefined ? "its command is not one program with plain words" : undefined;
}

interface Fit {
  readonly action: ToolAction;
  readonly question: PolicyCase["question"];
  readonly places: Places;
}

async function fits(policy: Policy, fit: Fit): Promise<boolean> {
  const { effect, what, folder, command } = policy;
  const { action, question, places } = fit;
  switch (what) {
    case "network":
      // What allows the network allows to send anything anywhere: such a policy is refused when it is added.
      return effect === "ask" && (action.does === "fetch" || question.risk.reasons.includes("uses the network"));
    case "command":
      return effect === "ask" ? beginsWith(action, command) : isCommand(action, { command, folder, places });
    case "reads":
      return effect === "ask" ? mayRead(action, { folder, places }) : readsOnlyIn(action, { folder, places });
  }
}

function beginsWith(action: ToolAction, command: string | null): boolean {
  const wanted = plainWords(command ?? "") ?? [];
  const words = action.does === "run" ? (plainWords(action.command) ?? []) : [];
  return wanted.length > 0 && wanted.every((word, index) => words[index] === word);
}

async function isCommand(
  action: ToolAction,
  { command, folder, places }: Pick<Policy, "command" | "folder"> & Pick<Fit, "places">,
): Promise<boolean> {
  if (action.does !== "run" || command === null) return false;
  const [words, wanted] = [plainWords(action.command), plainWords(command)];
  if (words === undefined || wanted === undefined || words.join(" ") !== wanted.join(" ")) return false;
  return isAllIn([action.cwd], folder, places);
}

/** Whether a tool call does nothing but read what is in the folder. */
async function readsOnlyIn(
  action: ToolAction,
  { folder, places }: Pick<Policy, "folder"> & Pick<Fit, "places">,
): Promise<boolean> {
  const paths = pathsOf(action);
  return paths !== undefined && (await isAllIn(paths, folder, places));
}

/** Whether a tool call reads, and perhaps something of the folder: what cannot be found counts as in it. */
async function mayRead(
  action: ToolAction,
  { folder, places }: Pick<Policy, "folder"> & Pick<Fit, "places">,
): Promise<boolean> {
  const paths = pathsOf(action);
  if (paths === undefined) return false;
  if (folder === null) return true;
  for (const path of paths) {
    const real = await places.real(path);
    if (real === undefined || places.isWithin(real, folder) || places.isWithin(folder, real)) return true;
  }
  return false;
}

function pathsOf(action: ToolAction): readonly string[] | undefined {
  if (action.does === "read") return action.paths;
  return action.does === "run" ? pathsRead(action.command, action.cwd) : undefined;
}

/** Whether all paths lead into the folder. That is a real path: another place that it leads to later is not in it. */
async function isAllIn(paths: readonly string[], folder: string | null, places: Places): Promise<boolean> {
  if (folder === null) return false;
  for (const path of paths) {
    const real = isAbsolute(path) && !hasUp(path) ? await places.real(path) : undefined;
    if (real === undefined || !places.isWithin(real, folder)) return false;
  }
  return paths.length > 0;
}
