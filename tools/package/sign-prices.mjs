/**
 * Signs the price list of the installed @pydantic/genai-prices, for `patchbay agents prices update` (CONTRIBUTING.md, Price lists):
 *
 *   node tools/package/sign-prices.mjs --new-key FILE          makes a key: writes the private one, prints the public one
 *   node tools/package/sign-prices.mjs --date 2026-11-20 >prices-2026-11-20.json
 *
 * The private key is in the file that PRICE_LIST_KEY_FILE names.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseArgs } from "node:util";
import { waitForUpdate } from "@pydantic/genai-prices";

const FORMAT = "patchbay price list 1";
const PACKAGE = "@pydantic/genai-prices";

const { values } = parseArgs({ options: { "new-key": { type: "string" }, date: { type: "string" } } });
const { "new-key": newKey, date } = values;
if (newKey !== undefined) {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(newKey, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  process.stdout.write(`${publicKeyOf(privateKey)}\n`);
} else {
  const file = process.env.PRICE_LIST_KEY_FILE;
  if (file === undefined || date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new Error(
      "give --date YYYY-MM-DD (when the package was published), and the private key in PRICE_LIST_KEY_FILE",
    );
  }
  const key = createPrivateKey(readFileSync(file));
  const prices = JSON.stringify(await priceList(date));
  const signature = sign(null, Buffer.from(`${FORMAT}\n${prices}`, "utf8"), key).toString("base64");
  process.stdout.write(`${JSON.stringify({ format: FORMAT, prices, signature })}\n`);
  process.stderr.write(`signed with the key whose public part is ${publicKeyOf(key)}\n`);
}

/** @param {string} date */
async function priceList(date) {
  const folder = path.dirname(path.dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const providers = (await waitForUpdate()) ?? [];
  return { list: PACKAGE, version, date, providers: providers.map(withoutComments) };
}

/** What prices a call, without the names and comments. @param {import("@pydantic/genai-prices").Provider} provider */
function withoutComments({ id, model_match, provider_match, fallback_model_providers, models }) {
  return {
    id,
    model_match,
    provider_match,
    fallback_model_providers,
    models: models.map(({ id, match, prices }) => ({ id, match, prices })),
  };
}

/** @param {import("node:crypto").KeyObject} key */
function publicKeyOf(key) {
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
}
