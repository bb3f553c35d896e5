import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { maskedTexts, maskedValues } from "../../../main/relay/audit/audit-fields.ts";
import { maskCredentials } from "../../../main/system/mask-secrets.ts";

const declared = { params: z.object({ text: z.string(), value: z.unknown() }), sensitive: [] };

export const seeds = [
  Buffer.from("see https://ann:pw@example.test/a?key=1#part, pb_0123456789abcdef0123 and a.b.c://d"),
  Buffer.from("/v1/sessions/%70%62_0123456789abcdef0123/x?y=1"),
];

/** Texts that a caller chose, as the audit log and the log mask them. */
export function fuzz(data: Buffer): void {
  const text = data.toString("utf8");
  maskCredentials(text);
  maskedValues(declared, { text, value: [text] });
  maskedTexts({ who: text, from: text, session: text as SessionId, action: text });
}
