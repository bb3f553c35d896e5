import type { Role } from "../../core/protocol/records.ts";

/** What the interface calls the roles. Commands and API keep the roles' own names. */
export const roleWords = { admin: "admin", writer: "can type", reader: "can watch" } as const satisfies Record<
  Role,
  string
>;
