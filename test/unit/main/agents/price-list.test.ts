import { execFileSync } from "node:child_process";
import { createPrivateKey, sign } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MAX_PRICE_LIST } from "../../../../core/protocol/prices.ts";
import { PriceLists, priceList } from "../../../../main/agents/price-list.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import {
  MAX_LIST_BYTES,
  PriceListError,
  SIGNED_PREFIX,
  type SignedPrices,
} from "../../../../main/agents/signed-prices.ts";

const script = join(import.meta.dirname, "../../../../tools/package/sign-prices.mjs");
const tokens = { input: 100, cacheWrite: 1000, cacheWrite1h: 750, cached: 5000, output: 60 };
const at = "2026-11-21T02:00:00.000Z";
const today = new Date().toISOString().slice(0, 10);

let folder: string;
let file: string;
let key: string;
let published: string;
const log = vi.fn();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-prices-")));
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [script, ...words], {
      encoding: "utf8",
      env: { ...process.env, PRICE_LIST_KEY_FILE: join(folder, "key.pem") },
      stdio: ["ignore", "pipe", "ignore"],
    });
  key = run("--new-key", join(folder, "key.pem")).trim();
  published = run("--date", today);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  file = join(folder, "price-list.json");
  rmSync(file, { force: true });
  log.mockReset();
});

const lists = () => new PriceLists({ file, log, keys: [key] });

/** A list that the project might publish. */
function signed(prices: object, prefix = SIGNED_PREFIX): string {
  return signedText(JSON.stringify(prices), prefix);
}

function signedText(text: string, prefix = SIGNED_PREFIX): string {
  const privateKey = createPrivateKey(readFileSync(join(folder, "key.pem")));
  const signature = sign(null, Buffer.from(`${prefix}${text}`), privateKey).toString("base64");
  return JSON.stringify({ format: "patchbay price list 1", prices: text, signature });
}

function gptSix(date = today): SignedPrices {
  const models = [{ id: "gpt-6", match: { starts_with: "gpt-6" }, prices: { input_mtok: 2, output_mtok: 8 } }];
  return { list: "test", version: "1", date, providers: [{ id: "openai", models }] };
}

test("the list that the script signs prices every model as the one that is built in", () => {
  const own = lists();
  own.install(published);
  const { providers = [], ...current } = own.current();
  expect(current).toMatchObject({ list: priceList.list, version: priceList.version, date: today });
  const [installed, builtIn] = [
    createPricing(
      () => [],
      () => own.current().providers,
    ),
    createPricing(() => []),
  ];
  const models = providers.flatMap(({ id, models }) => models.map((model) => [id, model.id] as const));
  expect(models.length).toBeGreaterThan(500);
  const priced = (price: typeof installed) => models.map(([id, model]) => price(id, model, tokens, at));
  expect(priced(installed)).toEqual(priced(builtIn));
  for (const model of ["claude-haiku-4-5", "deepseek-chat", "no-such-model"])
    expect(installed("", model, tokens, at)).toEqual(builtIn("", model, tokens, at));
});

test("an installed list is in use at once and after a restart, until the one that is built in is newer", () => {
  const own = lists();
  const price = createPricing(
    () => [],
    () => own.current().providers,
  );
  expect(price("openai", "gpt-6", tokens, at).basis).toBe("unpriced");
  own.install(signed(gptSix()));
  expect(price("openai", "gpt-6", tokens, at)).toMatchObject({ basis: "listed", pricedAs: "gpt-6" });
  expect(lists().current()).toMatchObject({ date: today, list: "test" });
  writeFileSync(file, signed(gptSix("2020-01-01")));
  expect(lists().current()).toEqual(priceList);
  expect(log).not.toHaveBeenCalled();
});

test("an older list is refused, also one of the same day, and the list in use stays", () => {
  const own = lists();
  expect(() => own.install(signed(gptSix(priceList.date)))).toThrow("only a newer one");
  own.install(signed(gptSix()));
  for (const other of [{ ...gptSix(), version: "0" }, gptSix("2026-09-24")])
    expect(() => own.install(signed(other))).toThrow("only a newer one");
  own.install(signed(gptSix()));
  expect(own.current().version).toBe("1");
});

test.each<[string, () => string, string]>([
  [
    "another key's signature",
    () => signed(gptSix()).replace(/"signature":".{10}/, '"signature":"AAAAAAAAAA'),
    "signed",
  ],
  ["a changed price", () => signed(gptSix()).replace('input_mtok\\":2', 'input_mtok\\":1'), "signed"],
  ["a signature for something else", () => signed(gptSix(), "another purpose\n"), "signed"],
  ["no signature", () => JSON.stringify({ format: "patchbay price list 1", prices: "{}" }), "signature"],
  ["no JSON", () => "404: Not Found", "JSON"],
  ["a price below 0", () => signed({ ...gptSix(), providers: [provider({ input_mtok: -1 })] }), "providers.0"],
  ["an unknown field", () => signed({ ...gptSix(), also: 1 }), "also"],
  ["a date in the future", () => signed(gptSix("2999-01-01")), "future"],
  ["a date that is none", () => signed(gptSix("yesterday")), "date"],
  ["too much", () => signed({ ...gptSix(), list: "x".repeat(800_000) }), "prices"],
])("a list with %s is refused, and as a file it is told and the one that is built in is used", (_, list, why) => {
  const own = lists();
  expect(() => own.install(list())).toThrow(why);
  expect(own.current()).toEqual(priceList);
  writeFileSync(file, list());
  const { problem, ...current } = lists().current();
  expect([current, problem]).toEqual([priceList, expect.stringContaining(why)]);
  expect(log.mock.calls).toEqual([[expect.stringContaining("not used"), expect.objectContaining({ path: file })]]);
});

test("a list over its size is neither installed nor read, though its signature is valid", () => {
  const sound = JSON.stringify(gptSix());
  const padded = (length: number) => signedText(sound.padEnd(length, " "));
  lists().install(padded(MAX_PRICE_LIST));
  expect(() => lists().install(padded(MAX_PRICE_LIST + 1))).toThrow(PriceListError);
  writeFileSync(file, published.padEnd(MAX_LIST_BYTES, " "));
  expect(lists().current()).toMatchObject({ date: today });
  writeFileSync(file, published.padEnd(MAX_LIST_BYTES + 1, " "));
  expect(lists().current()).toMatchObject({ date: priceList.date, problem: expect.any(String) });
});

test("a list that nobody has signed is refused by a build without a key", () => {
  expect(() => new PriceLists({ file, log, keys: [] }).install(published)).toThrow("not signed");
});

function provider(prices: object) {
  return { id: "openai", models: [{ id: "gpt-6", match: { equals: "gpt-6" }, prices }] };
}
