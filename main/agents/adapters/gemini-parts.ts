import { z } from "zod";
import type { MessageImage } from "../../../core/protocol/conversations.ts";
import { linkedImage, storedImage } from "./event-parts.ts";

/** Parts of messages in the form of the Gemini API, which Gemini CLI and Qwen Code record. */

/** Returns the images among the parts of a message or of a tool's result. */
export function partImages(content: unknown): MessageImage[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const { data } = ImagePart.safeParse(part);
    if (data?.inlineData !== undefined) return [storedImage(data.inlineData.mimeType, data.inlineData.data)];
    if (data?.fileData === undefined) return [];
    return [{ ...linkedImage(data.fileData.fileUri), mediaType: data.fileData.mimeType ?? "" }];
  });
}

/** Returns the exit code that the shell tool writes into its result; it writes none for a command that succeeded. */
export function shellExitCode(result: string): number | undefined {
  const code = /^Exit Code: (-?\d{1,9})\s*$/m.exec(result)?.[1];
  return code === undefined ? undefined : Number(code);
}

const type = z.string().max(200).optional().catch(undefined);
const ImagePart = z.object({
  inlineData: z.object({ mimeType: type, data: z.string() }).optional().catch(undefined),
  fileData: z.object({ mimeType: type, fileUri: z.string() }).optional().catch(undefined),
});
