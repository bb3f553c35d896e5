import { z } from "zod";
import type { AcpLine } from "../../main/system/acp-record.ts";
import { cleanText } from "./wrap-text.ts";

const MOST_ERROR = 2000;
const MOST_MODELS = 20;

const count = z.number().min(0).nullish().catch(0);
const Tokens = z.object({ input_tokens: count, output_tokens: count });
/** The protocol's own usage, which is not stable yet, and that of Gemini CLI. */
const Ended = z.object({
  stopReason: z.string().max(100),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
      thoughtTokens: count,
    })
    .nullish()
    .catch(undefined),
  _meta: z
    .object({
      quota: z.object({
        model_usage: z.array(z.object({ model: z.string().max(200), token_count: Tokens })).max(MOST_MODELS),
      }),
    })
    .nullish()
    .catch(undefined),
});

/** How a turn has ended: why, and what it has used by models. */
export interface TurnEnd {
  readonly stop: string;
  readonly calls: NonNullable<AcpLine["calls"]>;
}

/** Reads the answer to a prompt. */
export function readTurnEnd(response: unknown): TurnEnd {
  const ended = Ended.safeParse(response).data;
  const stop = ended?.stopReason ?? "end_turn";
  const usage = ended?.usage;
  if (usage != null) {
    const tokens = {
      input: usage.inputTokens ?? 0,
      cached: usage.cachedReadTokens ?? 0,
      cacheWrite: usage.cachedWriteTokens ?? 0,
      output: (usage.outputTokens ?? 0) + (usage.thoughtTokens ?? 0),
    };
    return { stop, calls: [{ model: "", tokens }] };
  }
  const calls = (ended?._meta?.quota.model_usage ?? []).map(
    ({ model, token_count: { input_tokens, output_tokens } }) => ({
      model,
      tokens: { input: input_tokens ?? 0, cached: 0, cacheWrite: 0, output: output_tokens ?? 0 },
    }),
  );
  return { stop, calls };
}

const Models = z.object({
  models: z.object({ currentModelId: z.string() }).nullish().catch(undefined),
  configOptions: z.array(z.unknown()).nullish().catch(undefined),
});
const ModelOption = z.object({ category: z.literal("model"), currentValue: z.string() });

/** Returns the model that a new session, or a change of its options, names: without the provider before it. */
export function modelIn(given: unknown): string | undefined {
  const { models, configOptions } = Models.safeParse(given).data ?? {};
  const options = (configOptions ?? []).flatMap((one) => ModelOption.safeParse(one).data?.currentValue ?? []);
  const id = models?.currentModelId ?? options[0];
  return id === undefined ? undefined : cleanText(id.slice(0, 200)).replace(/^.*\//s, "");
}

/** Returns an error of the agent as one line. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown";
  const details = z.object({ data: z.object({ details: z.string() }) }).safeParse(error).data?.data.details;
  const text = details === undefined ? message : `${message}: ${details}`;
  return cleanText(text.slice(0, MOST_ERROR)).replace(/\s*\n\s*/g, " ");
}
