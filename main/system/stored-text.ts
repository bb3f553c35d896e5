import { z } from "zod";

/** libsql returns the bytes themselves, or what holds them. */
export const StoredBytes = z
  .union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)])
  .transform((bytes) => (bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes));

/**
 * Text of a column that a statement returns as bytes (`CAST(… AS BLOB)`). libsql ends the whole process where a text is no
 * UTF-8, which a damaged one is, one that another program has written, and one that SQLite makes of half a character in JSON.
 * Such parts of it are replaced.
 */
export const StoredText = StoredBytes.transform((bytes) => LENIENT.decode(bytes));
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });
