import { z } from "zod";
import type { RemoteClient } from "../../client/remote-client.ts";
import { checkResult } from "../../client/service-error.ts";
import { RemoteError } from "../../core/protocol/errors.ts";

/**
 * A prompt that is to be written now is written or refused within this time: the relay waits up to 10 s until the agent
 * accepts pastes, and up to 10 s more until the terminal has taken all bytes.
 */
const NOW_SECONDS = 25;

const SentPrompt = z.looseObject({ id: z.int() });
const Receipt = z.record(z.string(), z.unknown());

/**
 * Waits until the prompt of a receipt has reached a state. By default only a prompt that is to be written now is waited
 * for, because it may be refused. Returns the receipt as it is then.
 *
 * @param when when the prompt is written
 * @param timeout in seconds
 * @throws RemoteError `prompt_undelivered` with the reason, `wait_timeout`
 */
export async function awaitReceipt(
  client: RemoteClient,
  sent: unknown,
  {
    when,
    state,
    timeout,
  }: { readonly when: unknown; readonly state: string | undefined; readonly timeout: number | undefined },
): Promise<unknown> {
  if (state === undefined && when !== "now") return sent;
  const { id } = checkResult(SentPrompt, sent, client.url);
  const limit = state === undefined ? { timeout: NOW_SECONDS } : timeout === undefined ? {} : { timeout };
  await client.ask("waitFor", { receipt: id, state: state ?? "written", ...limit }).catch((error: unknown) => {
    // A session without a client takes no waits, but it writes prompts and shows their receipts.
    if (state !== undefined || !(error instanceof RemoteError && error.code === "no_client")) throw error;
  });
  const { prompt: _, ...receipt } = checkResult(Receipt, await client.askOperation("getReceipt", { id }), client.url);
  if (state !== undefined) return receipt;
  if (receipt.state === "queued") throw new RemoteError("wait_timeout", `Prompt ${id} is still queued.`);
  if (receipt.state !== "refused") return receipt;
  throw new RemoteError("prompt_undelivered", `Prompt ${id} is refused: \`service receipt ${id}\` has the reason.`);
}
