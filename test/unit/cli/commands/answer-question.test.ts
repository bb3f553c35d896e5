import { expect, test } from "vitest";
import { ok, refuse, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const id = "Abcdefgh12345678";
const question = {
  ...{ id: 12, session: id, shellId: 3, agentType: "claude", agentSessionId: "a", kind: "permission" },
  ...{ title: "Bash: rm -rf build", text: "Clean\u001b[2J", detail: { command: "rm -rf build" } },
  options: [
    { id: "yes", label: "Yes, this once", key: "y" },
    { id: "always-1", label: "Yes, and always allow rm", key: "" },
  ],
  acceptsText: true,
  risk: { level: "high", reasons: ["deletes files"] },
  ...{ askedAt: "2026-11-24T10:00:00.000Z", state: "open", answerable: true, answeredBy: null, answer: null },
  ...{ closedAt: null, closedBecause: null, receipt: null, source: "hook", confidence: "high", rule: null },
};
const digest = "d".repeat(64);

/** Answers question 12 at a relay that lists these; resolves to what was printed, and the body of the answer. */
async function answering(listed: object[] | "forbidden", args: string[] = [], isTTY = false) {
  await using relay = await startFakeRelay(({ method }, response) => {
    if (method === "GET" && listed === "forbidden") refuse(response, 403, "scope_forbids", "not this key");
    else ok(response, method === "GET" ? listed : { ...question, state: "answered" });
  });
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k", SERVICE_SESSION: id };
  const ran = await runCli(["answer", "12", "yes", ...args], { env, isTTY });
  return { ...ran, answer: relay.received.find(({ method }) => method === "POST")?.body };
}

test("an answer carries the digest of the question that was read, which a terminal shows whole", async () => {
  const { code, err, answer } = await answering([{ ...question, digest }], [], true);
  expect({ code, answer }).toMatchObject({ code: 0, answer: { option: "yes", digest } });
  expect(err).toBe(
    "Question 12 of claude in shell 3: Bash: rm -rf build\nClean\\u001b[2J\nrm -rf build\nRisk: high, deletes files\n" +
      "  1. Yes, this once\n  2. Yes, and always allow rm\n",
  );
  expect(await answering([{ ...question, digest }])).toMatchObject({ err: "", answer: { digest } });
  expect(await answering([{ ...question, digest }], ["--json"], true)).toMatchObject({ err: "", answer: { digest } });
});

test("questions that are answered together are shown with the options of each, and one without a digit with its id", async () => {
  const labels = Array.from({ length: 10 }, (_, place) => ({
    ...{ id: String(place + 1), label: `Part ${place + 1}`, description: "" },
    key: place < 9 ? String(place + 1) : "",
  }));
  const choices = [{ question: "Which parts?", options: labels, multiple: true, acceptsText: false }];
  const { err } = await answering([{ ...question, digest, options: [], choices }], [], true);
  expect(err).toContain("Which parts?\n  1. Part 1\n  2. Part 2\n");
  expect(err.endsWith("  9. Part 9\n  10. Part 10\n")).toBe(true);
});

test("a digest that the caller gives is for what they were shown, and stays", async () => {
  const { err, answer } = await answering([{ ...question, digest }], ["--digest", "mine"], true);
  expect({ err, answer }).toMatchObject({ err: "", answer: { digest: "mine" } });
});

test("without a digest answers a relay that gives none, a key that only answers, and a question that is not listed", async () => {
  for (const listed of [[question], "forbidden" as const, [{ ...question, id: 13, digest }]]) {
    const { code, answer } = await answering(listed);
    expect(code).toBe(0);
    expect(answer).not.toHaveProperty("digest");
  }
});
