import { z } from "zod";

/** Branded numbers: tile keys, shell ids and client ids are positive integers that the compiler distinguishes. */
export const ClientId = z.int().positive().brand<"ClientId">();
export type ClientId = z.infer<typeof ClientId>;

export const ShellId = z.int().positive().brand<"ShellId">();
export type ShellId = z.infer<typeof ShellId>;

export const TileKey = z.int().positive().brand<"TileKey">();
export type TileKey = z.infer<typeof TileKey>;

/** An opaque session id that is safe in a path: the value of `{session_id}`. */
export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, {
    error: "expected the id of a session: 8 to 64 of A-Z, a-z, 0-9, underscore and hyphen",
  })
  .brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;

/** The tile and shell that a command acted on, for the headers `X-Service-Tile` and `X-Service-Shell`. */
export const CommandTarget = z.object({ tile: TileKey.optional(), shell: ShellId.optional() });
export type CommandTarget = z.infer<typeof CommandTarget>;
