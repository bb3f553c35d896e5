import { expect, test } from "vitest";
import { startTestRelay } from "../../../support/test-relay.ts";

test("plain output leaves out what was erased", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  await relay.command("createShell");
  const { start, end } = await relay.command<{ start: number; end: number }>("runCommand", {
    command: String.raw`printf 'aaaa\r\033[Kb\n'; printf 'one\ntwo\n\033[2A\033[Kuno\n\n'`,
    wait: true,
  });
  const range = { id: 1, since: start, maxBytes: end - start };
  const { output } = await relay.command<{ output: string }>("getShellOutput", { ...range, plain: true });
  expect(output).toBe("b\nuno\ntwo\n");
});
