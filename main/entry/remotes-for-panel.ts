import { z } from "zod";
import { askMachines, findMachines } from "../../cli/machines/ask-machines.ts";
import { agentsOf, listSessions } from "../../cli/machines/questions.ts";
import type { PanelRemote } from "../../preload/panel-content.ts";

interface RemotesLookup {
  /** The data folder, which keeps the remotes. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the panel shows of an agent: a remote may be of another version, or no relay at all. */
const Agent = z.object({
  session: z.string(),
  shellId: z.int(),
  agentType: z.string(),
  state: z.string().default(""),
  tokenUsage: z.object({ cost: z.number().min(0) }).optional(),
});

/** Asks every remote for its sessions and agents, as `service sessions --all` and `agents --all` do. */
export async function remotesForPanel({ data, env }: RemotesLookup): Promise<PanelRemote[]> {
  const { machines } = findMachines({ io: { env }, data, local: false });
  const answers = await askMachines(machines, async (client) => {
    const sessions = await listSessions(client);
    return { sessions, agents: await agentsOf(client, sessions) };
  });
  return answers.map(({ value, ...report }) => {
    const agents = (value?.agents ?? []).flatMap((row) => Agent.safeParse(row).data ?? []);
    return {
      ...report,
      sessions: (value?.sessions ?? []).map(({ id, name }) => ({ id, name })),
      agents: agents.map(({ tokenUsage: _, ...agent }) => agent),
      cost: agents.reduce((sum, { tokenUsage }) => sum + (tokenUsage?.cost ?? 0), 0),
    };
  });
}
