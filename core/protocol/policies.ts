import { z } from "zod";
import { Timestamp } from "./records.ts";

/**
 * What a tool call does, where that is known for certain from what its agent told: files that it reads (absolute paths; of
 * folders all that is in them), a command line (`cwd` empty where its folder is not known), or use of the network.
 */
export const ToolAction = z.discriminatedUnion("does", [
  z.object({ does: z.literal("read"), paths: z.array(z.string()).min(1) }),
  z.object({ does: z.literal("run"), command: z.string(), cwd: z.string() }),
  z.object({ does: z.literal("fetch") }),
]);
export type ToolAction = z.infer<typeof ToolAction>;

/** `allow` answers with "yes, this once"; `ask` leaves the question to a person, whatever other policies allow. */
const PolicyEffect = z.enum(["allow", "ask"]);
const PolicySubject = z.enum(["reads", "command", "network"]);

export const policyLimits = { perSession: 50, folder: 4096, command: 1000, tried: 100 } as const;

/** A rule about the permissions that agents ask for. */
export const PolicyRule = z.object({
  effect: PolicyEffect.describe("`allow`, or `ask` whatever other policies allow"),
  what: PolicySubject.describe("`reads` of files, one `command`, or use of the `network` (`ask` only)"),
  folder: z
    .string()
    .min(1)
    .max(policyLimits.folder)
    .nullable()
    .default(null)
    .describe("absolute path: the folder that is read, or in which the command runs. Needed for `allow`"),
  command: z
    .string()
    .min(1)
    .max(policyLimits.command)
    .nullable()
    .default(null)
    .describe("plain words: the whole command for `allow`, its first words for `ask`"),
  agentType: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe("kind of agent, such as `claude`; every kind without it"),
});
export type PolicyRule = z.infer<typeof PolicyRule>;

export const Policy = PolicyRule.extend({
  id: z.int().positive().describe("never used again for another policy"),
  addedAt: Timestamp,
  addedBy: z.string(),
}).meta({ id: "Policy" });
export type Policy = z.infer<typeof Policy>;

/** What policies do with a question. `policy`: the one that decides; null where none fits. */
export const PolicyVerdict = z.object({
  would: PolicyEffect,
  policy: z.int().nullable().describe("the policy that decides; null where none fits, 0 for a rule that is only tried"),
  because: z.string(),
});
export type PolicyVerdict = z.infer<typeof PolicyVerdict>;

/** What policies would have done with a question. */
export const PolicyTrial = PolicyVerdict.extend({
  id: z.int().describe("id of the question"),
  askedAt: Timestamp,
  agentType: z.string(),
  title: z.string(),
  answered: z.string().describe("what became of it: the option that was chosen, or its state"),
});
export type PolicyTrial = z.infer<typeof PolicyTrial>;

/** Says what a policy does, in words. */
export function describePolicy({ effect, what, folder, command, agentType }: PolicyRule): string {
  const verb = effect === "allow" ? "Allow" : "Always ask for";
  const subject = { reads: "reads", network: "the network", command: `the command ${command}` }[what];
  const place = folder === null ? "" : ` in ${folder}`;
  return `${verb} ${subject}${place}${agentType === null ? "" : `, ${agentType} only`}`;
}
