import { expect, test } from "vitest";
import { ok, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const id = "Abcdefgh12345678";

/** Runs command 3.40 again at a relay; resolves to what was printed, asked, and sent. */
async function rerunning(args: string[], answer?: string) {
  await using relay = await startFakeRelay(({ body }, response) => {
    const { yes } = body as { yes?: boolean };
    const place = { command: "make \u001b[2J", cwd: "/work\n    ls", shellId: 3 };
    ok(response, { state: yes === true ? "started" : "shown", ...place });
  });
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? "";
  };
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k", SERVICE_SESSION: id };
  const ran = await runCli(["history", "rerun", "3.40", ...args], { env, ...(answer === undefined ? {} : { ask }) });
  return { ...ran, asked, sent: relay.received.map(({ url, body }) => [url, body]) };
}

const path = `/v1/sessions/${id}/commands/3.40/rerun`;

test("the line is shown, and entered when the user agrees", async () => {
  const { code, err, asked, sent, out } = await rerunning([], "y");
  expect({ code, asked }).toEqual({ code: 0, asked: ["Run it? [y/N] "] });
  expect(err).toBe("In shell 3, in /work\\n    ls:\n\n    make \\u001b[2J\n\n");
  expect(sent).toEqual([
    [path, { new: false, yes: false }],
    [path, { new: false, yes: true }],
  ]);
  expect(JSON.parse(out)).toMatchObject({ state: "started" });
});

test.each([["n"], [""], ["yesterday"], [undefined]])("nothing runs for the answer %j", async (answer) => {
  const { code, err, sent } = await rerunning([], answer);
  expect(code).toBe(1);
  expect(err).toContain("nothing was run. Agree with --yes.");
  expect(sent).toEqual([[path, { new: false, yes: false }]]);
});

test("--yes asks nothing", async () => {
  const { code, err, asked, sent } = await rerunning(["--yes", "--new"]);
  expect({ code, err, asked }).toEqual({ code: 0, err: "", asked: [] });
  expect(sent).toEqual([[path, { new: true, yes: true }]]);
});

test("the line that resumes a conversation is shown with its variables, and entered when the user agrees", async () => {
  await using relay = await startFakeRelay(({ body }, response) => {
    const { yes } = body as { yes?: boolean };
    const line = { command: "codex resume a-1", cwd: "/work", env: { CODEX_HOME: "/home/me/codex" }, leftOut: [] };
    ok(response, { ...line, ...(yes === true ? { state: "started", shellId: 4 } : { state: "shown", shellId: null }) });
  });
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k", SERVICE_SESSION: id };
  const ran = await runCli(["conversations", "resume", "a-1"], { env, ask: async () => "y" });
  expect(ran.err).toBe("In a new shell, in /work:\n\n    CODEX_HOME=/home/me/codex\n    codex resume a-1\n\n");
  const path = `/v1/sessions/${id}/conversations/a-1/resume`;
  expect(relay.received.map(({ url, body }) => [url, body])).toEqual([
    [path, { yes: false }],
    [path, { yes: true }],
  ]);
  expect(JSON.parse(ran.out)).toMatchObject({ state: "started", shellId: 4 });
});
