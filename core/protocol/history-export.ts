import { z } from "zod";
import { Timestamp } from "./records.ts";

export const ExportFormat = z.enum(["asciicast", "asciicast3", "text", "html"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** The treatment of secrets in texts that are read. */
export const SecretsWish = z.enum(["hide", "keep"]);
export type SecretsWish = z.infer<typeof SecretsWish>;

export const ExportedHistory = z.object({
  content: z.string(),
  from: Timestamp,
  until: Timestamp,
  bytes: z.int().nonnegative().describe("output that is in it"),
  isCut: z.boolean().describe("whether there was more than 16 MiB, which is left out"),
  redacted: z.int().nonnegative().describe("secrets that were hidden"),
});
export type ExportedHistory = z.infer<typeof ExportedHistory>;
