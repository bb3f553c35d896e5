import path from "node:path";
import { npmFolder } from "./npm-folder.mjs";

/** Versions that run on Node 20, and a compiler that generated code supports. */
const VERSIONS = {
  "openapi-typescript": "7.13.0",
  "openapi-fetch": "0.17.0",
  "@hey-api/openapi-ts": "0.94.0",
  "swagger-typescript-api": "13.13.0",
  typescript: "5.9.3",
};

/**
 * Returns a folder with three generators of clients and a compiler for what they generate: `PATCHBAY_OPENAPI_CLIENTS`, or one
 * in the user's cache folder. They weigh 155 MB and are no dependencies.
 * @param {import("./run.mjs").Context} context
 */
export async function installOpenApiClients(context) {
  const given = process.env.PATCHBAY_OPENAPI_CLIENTS;
  if (given) return path.resolve(given);
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  return npmFolder({ name: `openapi-${Object.values(VERSIONS).join("-")}`, packages }, context);
}
