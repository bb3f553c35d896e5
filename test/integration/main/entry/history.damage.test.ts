import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import type { OperationResult } from "../../../../core/operations/index.ts";
import { listSegments } from "../../../../main/shells/history/trim.ts";
import { startRecordedRelay } from "../../../support/recorded-relay.ts";
import { startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";

type Answer = OperationResult<"search">;
const PAGE = 4096;

test("an index that is found damaged while it is used is made anew, and names what it cannot read of segments", async () => {
  await using recorded = await startRecordedRelay();
  const { relay, history, folder } = recorded;
  await using _client = await relay.join();
  const ask = async (path: string) => {
    const { status, text } = await relay.request("GET", `/v1/sessions/${relay.session}/${path}`);
    return { status, text, answer: status === 200 ? (JSON.parse(text) as { result: Answer }).result : undefined };
  };
  const search = (text: string) => ask(`search?query=${text}&in=output&wait=30`);
  const run = async (line: string) => {
    const { key, shellId } = await relay.command<{ key: number; shellId: number }>("createShell", { focus: false });
    await relay.command("runCommand", { tile: key, command: line, wait: true });
    return shellId;
  };
  const damaged = await run("seq -f 'early-%.0f' 1 20000; sleep 0.5; seq -f 'late-%.0f' 1 200");
  await run("seq -f 'sound-%.0f' 1 3000");
  expect((await search("sound-2999")).answer).toMatchObject({ complete: true, hits: [{ line: "sound-2999" }] });
  const { owner, file } = (await listSegments(folder)).find(({ owner: { shell } }) => shell === damaged) ?? {
    owner: undefined,
    file: "",
  };
  expect(owner).toMatchObject({ session: relay.session });
  await relay.command("closeShell", { id: damaged });
  const at = (await listSegments(folder)).find((one) => one.owner.shell === damaged)?.file ?? file;
  const segment = readFileSync(at);
  segment[segment.length >> 1] = (segment[segment.length >> 1] ?? 0) ^ 1;
  writeFileSync(at, segment);

  const index = `${folder}-index.db`;
  const database = new Database(index);
  database.pragma("wal_checkpoint(TRUNCATE)");
  const content = readFileSync(index);
  // The first page says what the file is.
  content.fill(0xa5, PAGE);
  writeFileSync(index, content);
  // The next change has the other connections read the file anew.
  await run("echo after the damage");
  await until("the index anew", async () => {
    const { status, text, answer } = await search("sound-2999");
    if (status !== 200) expect(text).toContain("is made anew");
    return answer?.complete === true && answer.hits.length === 1;
  });
  database.close();
  expect((await search("late-200")).answer?.hits).toMatchObject([{ line: "late-200" }]);
  expect((await search("after%20the")).answer?.hits).not.toEqual([]);
  expect((await history.status()).unreadable).toEqual([{ file: relative(folder, at), why: "damaged" }]);
});

test("a row of a conversation that is found damaged while the index takes in what was said has the index made anew", async () => {
  await using lab = await startServeLab();
  cpSync(join(import.meta.dirname, "../../../fixtures/agents/claude"), dirname(lab.data), { recursive: true });
  const { url, session } = await lab.serve();
  const headers = { "X-Service-Token": await lab.makeKey(), "Content-Type": "application/json" };
  const body = JSON.stringify({ unencrypted: true });
  expect((await fetch(`${url}/v1/history/start`, { method: "POST", headers, body })).status).toBe(200);
  const isFound = async () => {
    const answer = await fetch(`${url}/v1/sessions/${session}/search?query=Resumed%20fine&in=conversations`, {
      headers,
    });
    const text = await answer.text();
    if (!answer.ok) expect(text).toContain("is made anew");
    return answer.ok && (JSON.parse(text) as { result: Answer }).result.hits.length > 0;
  };
  await until("the index", isFound);
  const database = new Database(join(lab.data, "history-index.db"));
  database.pragma("busy_timeout = 10000");
  // As a disk may change it: no UTF-8. What it had of the conversation is to be read again.
  database.exec("UPDATE conversations SET changed_at = -1, cursor = CAST(x'ff' AS TEXT); DELETE FROM messages");
  database.close();
  await until("the index anew", isFound);
});
