import { z } from "zod";

/**
 * Tells whether the output of a session is recorded: `unasked` and `off`: of no session; `excepted`: of others only; `locked`: not
 * without the key in the keychain; `unavailable`: this relay cannot record.
 */
export const Recording = z.enum(["on", "unasked", "off", "excepted", "locked", "unavailable"]);
export type Recording = z.infer<typeof Recording>;
