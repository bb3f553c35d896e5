import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import {
  ForbiddenAddressError,
  guardedLookup,
  type WantedAddress,
} from "../../../../../main/relay/plugins/guarded-lookup.ts";

describe("a guarded lookup", () => {
  test("answers one address or all, as the socket asks", async () => {
    expect(await look("public", ["8.8.8.8", "2606:4700::1111"], true)).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(await look("public", ["2606:4700::1111", "8.8.8.8"], false)).toEqual("2606:4700::1111");
    expect(await look("loopback", ["::1", "127.0.0.1"], false)).toEqual("::1");
  });

  test.each([
    ["public", ["127.0.0.1"]],
    ["public", ["8.8.8.8", "10.0.0.1"]],
    ["public", ["8.8.8.8", "::1"]],
    ["public", ["fd00::1"]],
    ["public", ["not an address"]],
    ["public", []],
    ["loopback", ["8.8.8.8"]],
    ["loopback", ["127.0.0.1", "192.168.0.1"]],
  ] as const)("that wants %s refuses %j", async (wanted, addresses) => {
    await expect(look(wanted, addresses, true)).rejects.toThrow(ForbiddenAddressError);
    await expect(look(wanted, addresses, false)).rejects.toThrow(ForbiddenAddressError);
  });

  test("passes on that a name is not known", async () => {
    const lookup = guardedLookup(() => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })), "public");
    await expect(called(lookup, true)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});

describe("a guarded lookup for one address", () => {
  test("leads to it and to no other, however it is spelt", async () => {
    expect(await look({ only: "10.0.0.1" }, ["8.8.8.8", "10.0.0.1", "10.0.0.2"], true)).toEqual([
      { address: "10.0.0.1", family: 4 },
    ]);
    expect(await look({ only: "fd00::1" }, ["fd00:0:0:0:0:0:0:1"], false)).toBe("fd00:0:0:0:0:0:0:1");
  });

  test.each([[["8.8.8.8"]], [["10.0.0.2", "127.0.0.1"]], [[]]])("refuses %j", async (addresses) => {
    await expect(look({ only: "10.0.0.1" }, addresses, true)).rejects.toThrow("does not lead to 10.0.0.1");
  });
});

function look(wanted: WantedAddress, addresses: readonly string[], all: boolean) {
  const resolved = addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
  return called(
    guardedLookup(async () => resolved, wanted),
    all,
  );
}

function called(lookup: ReturnType<typeof guardedLookup>, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup("plugins.example", { all }, (error, address) => {
      if (error === null) resolve(address);
      else reject(error);
    });
  });
}
