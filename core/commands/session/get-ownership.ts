import { z } from "zod";
import { ClientId, ShellId } from "../../protocol/ids.ts";
import { command } from "../command.ts";

export const getOwnership = command({
  area: "session",
  summary: "List the shells that the client owns, that others own, and that have no owner",
  params: z.object({}),
  result: z.object({
    owned: z.array(ShellId),
    others: z.array(z.object({ id: ShellId, ownerClientId: ClientId, owner: z.string().nullable() })),
    unowned: z.array(ShellId),
  }),
  role: "reader",
  reads: "who owns which shell",
  scope: "client",
  onScreen: false,
  cli: [{ name: "get-ownership" }],
  run({ mirror, self }) {
    const owned: ShellId[] = [];
    const unowned: ShellId[] = [];
    const others = [];
    for (const { id, ownerClientId, owner } of mirror.shells) {
      if (ownerClientId === null) unowned.push(id);
      else if (ownerClientId === self.id) owned.push(id);
      else others.push({ id, ownerClientId, owner });
    }
    return { owned, others, unowned };
  },
});
