import { expect, test } from "vitest";
import { PendingAsks } from "../../../../core/client/pending-asks.ts";

test("a request settles once, with its own answer", async () => {
  const asks = new PendingAsks();
  const ids: number[] = [];
  const [first, second] = [asks.open((id) => ids.push(id)), asks.open((id) => ids.push(id))];
  asks.answer(ids[1] ?? 0, "second");
  asks.answer(ids[0] ?? 0, "first");
  asks.answer(ids[0] ?? 0, "again");
  asks.refuse(ids[1] ?? 0, { code: "internal", message: "late" });
  asks.answer(99, "nobody's");
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});

test("a refusal keeps its code; one that this version does not know is internal", async () => {
  const asks = new PendingAsks();
  const refused = (code: string) => asks.open((id) => asks.refuse(id, { code, message: "No." }));
  await expect(refused("unknown_shell")).rejects.toMatchObject({ code: "unknown_shell", message: "No." });
  await expect(refused("toString")).rejects.toMatchObject({ code: "internal" });
});

test("a lost link rejects all requests", async () => {
  const asks = new PendingAsks();
  const open = [asks.open(() => undefined), asks.open(() => undefined)];
  asks.refuseAll("cut");
  for (const question of open) await expect(question).rejects.toMatchObject({ code: "client_gone", message: "cut" });
});
