import { fileURLToPath } from "node:url";

/** The folder of this checkout, which every path of the scripts starts from. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
