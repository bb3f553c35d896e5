import { expect, test } from "vitest";
import { exitCodeMeanings, exitCodes, signalExitCodes } from "../../../../cli/parse/exit-codes.ts";
import { runCli } from "../run-cli.ts";

test("the table of exit codes has every code that the program ends with, in order", async () => {
  const codes = exitCodeMeanings.map(([code]) => code);
  expect(codes).toEqual([...Object.values(exitCodes), ...Object.values(signalExitCodes)]);
  const { out } = await runCli(["--help"]);
  expect(out).toMatch(/^ {2}130 {2}ended by SIGINT: Ctrl-C$/m);
  expect(out).toMatch(/^ {2}0 {4}success$/m);
});
