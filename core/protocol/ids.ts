import { z } from "zod";

/** Branded numbers: a tile key, a shell id and a client id are all positive integers, and the compiler tells them apart. */
export const ClientId = z.int().positive().brand<"ClientId">();
export type ClientId = z.infer<typeof ClientId>;

export const ShellId = z.int().positive().brand<"ShellId">();
export type ShellId = z.infer<typeof ShellId>;

export const TileKey = z.int().positive().brand<"TileKey">();
export type TileKey = z.infer<typeof TileKey>;

/** Random-looking and safe in a path: what `{session_id}` stands for. */
export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/)
  .brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;
