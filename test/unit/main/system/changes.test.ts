import { expect, test } from "vitest";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { Lifetime } from "../../../../core/protocol/lifetime.ts";
import { Changes } from "../../../../main/system/changes.ts";

const isEven = (value: number) => value % 2 === 0;

test("the next change that fits is told to each that waits, once", async () => {
  using changes = new Changes<number>();
  const waits = [changes.next(isEven, 10_000), changes.next(isEven, 10_000)];
  for (const value of [1, 2, 4]) changes.tell(value);
  expect(await Promise.all(waits)).toEqual([2, 2]);
});

test("a wait ends at its timeout, and at the end of its caller's lifetime, also one that is over", async () => {
  using changes = new Changes<number>();
  expect(await changes.next(isEven, 1)).toBeUndefined();
  const lifetime = new Lifetime();
  const wait = changes.next(isEven, 10_000, lifetime);
  lifetime.end(new RemoteError("unauthenticated", "The key was revoked."));
  expect(await wait).toBeUndefined();
  expect(await changes.next(isEven, 10_000, lifetime)).toBeUndefined();
});
