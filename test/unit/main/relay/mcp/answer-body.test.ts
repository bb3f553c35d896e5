import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { AnswerBody } from "../../../../../main/relay/mcp/answer-body.ts";
import { until } from "../../../../support/until.ts";

/** The messages of an answer, as the protocol's library gives them. */
function startAnswer() {
  let isCancelled = false;
  let given: ReadableStreamDefaultController<Uint8Array> | undefined;
  const messages = new ReadableStream<Uint8Array>({
    start: (controller) => {
      given = controller;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const body = new AnswerBody(messages);
  return {
    body,
    isCancelled: () => isCancelled,
    give: (message: string) => given?.enqueue(Buffer.from(message)),
    end: () => given?.close(),
    fail: (error: Error) => given?.error(error),
  };
}

test("the body of an answer knows how much of it waits for its reader, who gets all of it in order", async () => {
  const { body, give, end } = startAnswer();
  const message = "x".repeat(100_000);
  for (let one = 0; one < 5; one += 1) give(`${one}${message}`);
  await until("the messages", () => body.unsent === 5 * 100_001);
  end();
  expect(await text(body)).toBe([0, 1, 2, 3, 4].map((one) => `${one}${message}`).join(""));
  expect(body.unsent).toBe(0);
});

test("an answer whose reader is gone is cancelled, and one that fails fails its body", async () => {
  const left = startAnswer();
  left.body.destroy();
  await until("the messages to be cancelled", left.isCancelled);
  const failing = startAnswer();
  const read = text(failing.body);
  failing.fail(new Error("broken"));
  await expect(read).rejects.toThrow("broken");
});
