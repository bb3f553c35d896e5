import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestRelay } from "../../support/test-relay.ts";

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, "../../../tools/package/python");

/** Runs a program of Python that imports the module from the checkout, as from where a wheel installs it. */
async function python(code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = {
    env: { PATH: process.env.PATH, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1", ...env },
    timeout: 40_000,
  };
  return (await run("python3", ["-W", "error", "-c", code], options)).stdout;
}

test("the client for Python runs commands, types, waits, reads output and events, and tells refusals", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const program = `
import threading
from patchbay import Patchbay, Refused

patchbay = Patchbay()
shell = patchbay.create_shell(cwd="/tmp", title="tests")
result = shell.run("echo built-$((40+2))")
print(result.exit_code, result.output.strip())
print(patchbay.shell(shell.id).run("(exit 7)").exit_code)
shell.write("echo ready-$((1+1))\\n")
shell.wait_for(text="ready-2", since=0)
print("waited")
hidden = patchbay.create_shell(tile=False)
for fails in (lambda: hidden.run("true"), lambda: patchbay.call("closeShell", {"id": 9999}), lambda: patchbay.call("nothing")):
    try:
        fails()
    except Refused as refused:
        print(refused.code, refused.status)
threading.Timer(0.3, shell.close).start()
text = "".join(event["data"]["output"] for event in shell.output(since=0, plain=True) if event["type"] == "output")
print("ready-2" in text)
for event in patchbay.events(types=["shell.exited"], follow=False):
    print(event["type"], event["id"] != "")
    break
`;
  const out = await python(program, { SERVICE_URL: relay.url, SERVICE_TOKEN: relay.key });
  expect(out.trim().split("\n")).toEqual([
    "0 built-42",
    "7",
    "waited",
    "invalid_request 400",
    "unknown_shell 404",
    "unknown_method 400",
    "True",
    "shell.exited True",
  ]);
  expect(client.id).toBeGreaterThan(0);
});

test("the client for Python tells a wrong key, a relay that is away, and what it is given wrongly", async () => {
  await using relay = await startTestRelay();
  const program = `
from patchbay import Patchbay, Refused, RelayUnreachable

try:
    Patchbay().call("getTiles")
except Refused as refused:
    print(refused.code)
try:
    Patchbay(url="http://127.0.0.1:1").call("getTiles")
except RelayUnreachable as error:
    print(error)
for given in ({"url": "ftp://x"}, {"token": "two words"}):
    try:
        Patchbay(**given)
    except ValueError as error:
        print(str(error).split(":")[0])
`;
  const out = await python(program, { SERVICE_URL: relay.url, SERVICE_TOKEN: "wrong" });
  expect(out.trim().split("\n")).toEqual([
    "unauthenticated",
    expect.stringMatching(/^No relay answers at http:\/\/127\.0\.0\.1:1 \(.*refused/),
    "url",
    "token",
  ]);
});
