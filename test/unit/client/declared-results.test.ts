import { expect, test } from "vitest";
import { findMismatch } from "../../../client/declared-results.ts";

const tile = { key: 1, type: "shell", id: 2, active: true, label: "build" };
const tiles = (...results: unknown[]) => findMismatch({ method: "getTiles" }, results);

test("a result as declared has no mismatch, nor one with fields and values of a newer version", () => {
  expect(tiles(tile)).toBeUndefined();
  expect(tiles({ ...tile, colour: { of: "dawn" } })).toBeUndefined();
  expect(tiles({ ...tile, type: "hologram" })).toBeUndefined();
  expect(findMismatch({ operation: "getFleet" }, null)).toBeDefined();
});

test("a result of another kind, without what is declared, or of an unknown member of a union has one", () => {
  expect(findMismatch({ method: "getTiles" }, { toString: 1 })).toBeDefined();
  expect(tiles({ ...tile, key: undefined })).toBeDefined();
  expect(tiles({ ...tile, type: 5 })).toBeDefined();
  expect(tiles({ ...tile, type: "hologram" }, null)).toBeDefined();
  const leaf = { kind: "leaf", tiles: [1], active: 1 };
  const layout = (kind: string) => findMismatch({ method: "getLayoutTree" }, { ...leaf, kind });
  expect(layout("leaf")).toBeUndefined();
  expect(layout("ring")).toBeDefined();
  const asked = (role: string) =>
    findMismatch({ method: "getRoleRequests" }, [
      { id: 1, from: { clientId: 1, name: "ann", guest: true }, role, expiresAt: "2026-11-21T04:00:00Z" },
    ]);
  expect(asked("writer")).toBeUndefined();
  expect(asked("ring")).toBeDefined();
});
