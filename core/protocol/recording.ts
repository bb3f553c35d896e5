import { z } from "zod";

/**
 * State of the recording of a session's output. `unasked` and `off`: nothing is recorded; `excepted`: other sessions are;
 * `locked`: nothing is without the key in the keychain; `unavailable`: this relay cannot record.
 */
export const Recording = z.enum(["on", "unasked", "off", "excepted", "locked", "unavailable"]);
export type Recording = z.infer<typeof Recording>;
