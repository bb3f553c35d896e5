import { expect, test } from "vitest";
import type { Shell } from "../../../../core/protocol/records.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test("a shell's record names the program in its foreground", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  const type = (data: string) => relay.command("writeToShell", { id: shellId, data });
  const is = (wanted: string | null) =>
    until(`the foreground to be ${wanted}`, async () => (await shellOf(relay, shellId)).process === wanted);

  await is(null);
  await type("sleep 600\n");
  await is("sleep");
  await type("\u0003");
  await is(null);
  // The leader of this pipeline ends before the other.
  await type("true | sleep 600\n");
  await is("sleep");
  await type("\u0003");
  await is(null);
  await type("while :; do :; done\n");
  await is("bash");
  await type("\u0003");
  await is(null);
  // A program that begins long after the last output, and prints nothing.
  await type("read -t 0.5; sleep 600\n");
  await is("sleep");
  await type("\u0003");
  await is(null);
  // The kernel itself keeps 15 characters of a name.
  await type('cp "$(command -v sleep)" ./a-program-with-a-long-name; ./a-program-with-a-long-name 600\n');
  await is("a-program-with-a-long-name");
  await type("\u0003exit\n");
  await until("the end", async () => !(await shellOf(relay, shellId)).running);
  expect((await shellOf(relay, shellId)).process).toBeNull();
});

test("a shell's record names the command line that runs, then the last one, without secrets", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell", { env: { HOME: "/tmp" } });
  const type = (data: string) => relay.command("writeToShell", { id: shellId, data });
  const says = (process: string | null, commandLine: string) =>
    until(`the shell to run ${commandLine}`, async () => {
      const shell = await shellOf(relay, shellId);
      return shell.process === process && shell.commandLine === commandLine;
    });

  await type("true\n");
  await says(null, "true");
  await type("sleep 600 # on call\n");
  await says("sleep", "sleep 600 # on call");
  await type("\u0003");
  await says(null, "sleep 600 # on call");
  await type(`echo ghp_${"a1B2".repeat(9)}\n`);
  await until("the token to be hidden", async () =>
    /^echo .*•/.test((await shellOf(relay, shellId)).commandLine ?? ""),
  );
  expect((await shellOf(relay, shellId)).home).toBe("/tmp");
});

async function shellOf(relay: TestRelay, id: number): Promise<Shell> {
  const shell = (await relay.command<Shell[]>("getShells")).find((one) => one.id === id);
  if (shell === undefined) throw new Error(`no shell ${id}`);
  return shell;
}
