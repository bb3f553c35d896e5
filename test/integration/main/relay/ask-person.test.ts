import { describe, expect, test } from "vitest";
import type { Question } from "../../../../core/protocol/questions.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

interface Asked {
  readonly relay: TestRelay;
  /** Asks with the token of the shell. */
  ask(body: object, signal?: AbortSignal): Promise<{ readonly status: number; readonly body: unknown }>;
  question(): Promise<Question>;
  answer(question: Question, given: object): Promise<number>;
  close(): Promise<void>;
}

async function startAsking(): Promise<Asked & AsyncDisposable> {
  const relay = await startTestRelay();
  const client = await relay.join({ kind: "desktop" });
  const { shellId } = await relay.command<{ shellId: number }>("createShell", {}, client.id);
  const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, shellId as never);
  const path = `/v1/sessions/${relay.session}/questions`;
  const listed = async (): Promise<Question[]> => JSON.parse((await relay.request("GET", path)).text).result;
  return {
    relay,
    async ask(body, signal) {
      const response = await fetch(relay.url + path, {
        method: "POST",
        headers: { "X-Service-Token": token, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      return { status: response.status, body: response.status === 200 ? JSON.parse(text) : text };
    },
    question: () => until("the question", async () => (await listed()).find(({ state }) => state === "open")),
    async answer({ id, digest }, given) {
      const body = { ...given, digest, wait: 5 };
      const { status, text } = await relay.request("POST", `${path}/${id}/answer`, { body });
      if (status === 200) expect(JSON.parse(text).result.receipt.state).toBe("confirmed");
      return status;
    },
    async close() {
      await relay.command("closeShell", { id: shellId }, client.id);
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

describe("a program in a shell that asks the people who watch", () => {
  test("gets the label of the option that was chosen, and who chose it", async () => {
    await using asking = await startAsking();
    const asked = asking.ask({ question: "Deploy to production?", options: ["yes, now", "no"] });
    const question = await asking.question();
    expect(question).toMatchObject({
      ...{ agentType: "program", kind: "choice", title: "Deploy to production?", answerable: true },
      options: [
        { label: "yes, now", key: "1" },
        { label: "no", key: "2" },
      ],
    });
    expect(await asking.answer(question, { option: "yes, now" })).toBe(200);
    expect(await asked).toEqual({
      status: 200,
      body: { result: { question: question.id, answer: "yes, now", answeredBy: "test" } },
    });
    expect(await asking.answer(question, { option: "no" })).toBe(409);
  });

  test("gets an answer in words", async () => {
    await using asking = await startAsking();
    const asked = asking.ask({ question: "Which port?" });
    const question = await asking.question();
    expect(question.kind).toBe("text");
    await asking.answer(question, { text: "the second one" });
    expect(await asked).toMatchObject({ status: 200, body: { result: { answer: "the second one" } } });
  });

  test("is told that nobody answered in time, and the question is withdrawn", async () => {
    await using asking = await startAsking();
    const { status, body } = await asking.ask({ question: "Anybody?", wait: 1 });
    expect([status, body]).toEqual([504, expect.stringContaining("Nobody answered question 1 within 1 s")]);
    expect(asking.relay.relay.sessions.get(asking.relay.session).questions.find(1)?.state).toBe("withdrawn");
  });

  test("takes its question back by leaving, and by the end of its shell", async () => {
    await using asking = await startAsking();
    const { questions } = asking.relay.relay.sessions.get(asking.relay.session);
    const left = new AbortController();
    const gone = asking.ask({ question: "Still there?" }, left.signal).catch(() => "gone");
    const { id } = await asking.question();
    left.abort();
    expect(await gone).toBe("gone");
    await until("the end", () => questions.find(id)?.state === "withdrawn");
    const asked = asking.ask({ question: "And now?" });
    await asking.question();
    await asking.close();
    expect(await asked).toMatchObject({ status: 409 });
  });

  test("shows no character that acts, and is refused what cannot be chosen from", async () => {
    await using asking = await startAsking();
    const asked = asking.ask({ question: "Safe?\u001b[2J\u202e", options: ["a\u0007", "b"] });
    const question = await asking.question();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none must be there
    expect(JSON.stringify([question.title, question.text, question.options])).not.toMatch(/[\u0000-\u001f\u202e]/);
    await asking.answer(question, { option: "2" });
    await asked;
    for (const options of [["same", "same"], [""], Array.from({ length: 10 }, (_, index) => String(index))]) {
      expect((await asking.ask({ question: "Which?", options })).status).toBe(400);
    }
    expect((await asking.ask({ question: "   " })).status).toBe(400);
  });

  test("is a program in a shell: a key asks nobody", async () => {
    await using asking = await startAsking();
    const { status } = await asking.relay.request("POST", `/v1/sessions/${asking.relay.session}/questions`, {
      body: { question: "Me?" },
    });
    expect(status).toBe(403);
  });
});
