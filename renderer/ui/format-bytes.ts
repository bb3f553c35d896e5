import { formatLocale } from "../../core/phrases.ts";
import { formatBytes as formatBytesIn } from "../../core/protocol/format-bytes.ts";

/** Formats a number of bytes in the user's locale. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, formatLocale());
}
