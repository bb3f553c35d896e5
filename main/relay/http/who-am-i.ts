import { z } from "zod";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import type { Keys, Principal } from "../access/keys.ts";
import type { Sessions } from "../session/sessions.ts";

/** What a caller may know of its own credential (`GET /v1/whoami`). */
export const WhoAmI = z.object({
  user: z.string(),
  key: z
    .object({
      id: z.string(),
      name: z.string(),
      createdAt: z.string(),
      expiresAt: z.string().nullable(),
      restrictions: KeyRestrictions,
    })
    .optional(),
  session: SessionId.optional().describe("of a shell's token"),
  shell: ShellId.optional().describe("of a shell's token"),
  restricted: z.string().optional().describe("of a shell's token: why it may change only what is its own"),
});
export type WhoAmI = z.infer<typeof WhoAmI>;

interface Parts {
  readonly keys: Keys;
  readonly sessions: Sessions;
}

export async function whoAmI({ user, key: id, session, shell }: Principal, { keys, sessions }: Parts): Promise<WhoAmI> {
  const rights = session === undefined ? undefined : sessions.get(session).rights;
  const restricted = shell === undefined ? undefined : await rights?.reasonInWords(shell);
  const row = keys.list().find((candidate) => candidate.id === id);
  return {
    user,
    ...(row === undefined ? {} : { key: keyOf(row) }),
    ...(session === undefined ? {} : { session }),
    ...(shell === undefined ? {} : { shell }),
    ...(restricted === undefined ? {} : { restricted }),
  };
}

function keyOf({ id, name, createdAt, expiresAt, restrictions }: ReturnType<Keys["list"]>[number]): WhoAmI["key"] {
  return { id, name, createdAt, expiresAt, restrictions };
}
