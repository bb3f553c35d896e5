import { listProcedures, type Procedure, procedureOf } from "../../../core/procedures/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { didYouMeanOneOf, suggestNames } from "../../../core/protocol/suggest-names.ts";

/** What a model is given a list of: a name of this table, or the names of procedures. */
const profiles = {
  observe: [
    "listSessions",
    "getTiles",
    "getShells",
    "getShellOutput",
    "waitFor",
    "getAgents",
    "getConversation",
    "getQuestions",
    "getTunnelPorts",
  ],
  drive: [
    "getAgentCost",
    "getReceipt",
    "createShell",
    "splitShell",
    "runCommand",
    "sendKeys",
    "writeToShell",
    "closeShell",
    "openTile",
    "focusTile",
    "closeTile",
    "sendPrompt",
    "toast",
    "askPerson",
  ],
} as const;

/** The tools of a connection. */
export interface Selection {
  readonly procedures: readonly Procedure[];
  /** Their results are described too: a model is given that with each turn, so only where it was asked for. */
  readonly describesResults: boolean;
}

/**
 * Returns the procedures of a profile: `observe`, `drive` (default), which has those of `observe` too, `all`, or names
 * with commas between them.
 *
 * @throws RemoteError `invalid_params` for an unknown name
 */
export function selectTools(profile = "drive"): Selection {
  if (profile === "all") return { procedures: listProcedures().filter(isTool), describesResults: true };
  if (profile === "observe") return { procedures: named(profiles.observe), describesResults: false };
  if (profile === "drive")
    return { procedures: named([...profiles.observe, ...profiles.drive]), describesResults: false };
  return { procedures: named(profile.split(",").map((name) => name.trim())), describesResults: true };
}

function named(names: readonly string[]): readonly Procedure[] {
  return names.map((name) => {
    const procedure = procedureOf(name);
    if (procedure !== undefined && isTool(procedure)) return procedure;
    const known = listProcedures().filter(isTool);
    const near = suggestNames(
      name,
      known.map((one) => [one.name, one.name] as const),
    );
    throw new RemoteError(
      "invalid_params",
      `tools: expected observe, drive, all, or names of commands and operations with commas between them; there is no ${JSON.stringify(name.slice(0, 60))}.${didYouMeanOneOf(near)}`,
    );
  });
}

/** A bearer token's operations take no API key, and what an agent's hooks and exporters report is no call of a model. */
function isTool(procedure: Procedure): boolean {
  return (
    procedure.kind === "command" ||
    (procedure.spec.bearer === undefined && (procedure.spec.access !== "shell" || procedure.spec.cli !== undefined))
  );
}
