import { expect, test } from "vitest";
import { listIn } from "../../../../cli/render/listed.ts";

const hits = [{ in: "chat", id: "1" }];

test("the list is taken out of the result, which says when it is not complete", () => {
  expect(listIn({ hits, complete: true }, "hits")).toEqual({ list: hits, notice: undefined });
  expect(listIn({ hits, complete: false }, "hits")).toEqual({
    list: hits,
    notice: "Not everything up to now is indexed yet: the same search finds more later.",
  });
});

test("what is not found, because it is not recorded, is said", () => {
  expect(listIn({ hits, complete: true, recording: "on" }, "hits").notice).toBeUndefined();
  expect(listIn({ hits, complete: true, recording: "unasked" }, "hits").notice).toMatch(/conversations.*history on/);
  expect(listIn({ hits, complete: false, recording: "off" }, "hits").notice).toMatch(/indexed yet.*recording is off/);
});

test("a result that is a list itself stays one, as relays of before answer", () => {
  expect(listIn(hits, "hits").list).toBe(hits);
  expect(listIn(hits, undefined).list).toBe(hits);
  expect(listIn({ other: 1 }, "hits").list).toEqual({ other: 1 });
});
