import type { Io } from "./io.ts";

/**
 * Returns a sentence whose commands in backticks begin with the name that the user called the program by. Sentences name
 * it `service`, those of a relay too; outside of Patchbay's shells that can be a program of the operating system.
 */
export function withProgramName(sentence: string, program: Io["program"]): string {
  return sentence.replaceAll("`service ", `\`${program} `);
}
