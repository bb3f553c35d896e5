import { z } from "zod";
import type { AcpLine } from "../../main/system/acp-record.ts";
import { cleanText, oneLine } from "./wrap-text.ts";

const MOST_ERROR = 2000;
const MOST_MODELS = 20;

const count = z.number().min(0).nullish().catch(0);
/** The protocol's own usage, which is not stable yet. */
const Usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedReadTokens: count,
  cachedWriteTokens: count,
  thoughtTokens: count,
  totalTokens: count,
});
/** What agents add to it for each model: Gemini CLI two figures, the adapters of Claude Code and Codex all parts. */
const ModelUsage = z.object({
  model: z.string().max(200),
  token_count: z.object({
    input_tokens: count,
    output_tokens: count,
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count,
    cachedWriteTokens: count,
    cacheWriteInputTokens: count,
  }),
});
const Ended = z.object({
  stopReason: z.string().max(100),
  usage: Usage.nullish().catch(undefined),
  _meta: z
    .object({ quota: z.object({ model_usage: z.array(ModelUsage).max(MOST_MODELS) }) })
    .nullish()
    .catch(undefined),
});

/** How a turn has ended: why, and what it has used by models. */
interface TurnEnd {
  readonly stop: string;
  readonly calls: NonNullable<AcpLine["calls"]>;
}

/**
 * Reads the answer to a prompt. Where the agent tells its usage by models, that counts: it names the models, and includes
 * what the agent has asked besides the conversation (titles, summaries).
 */
export function readTurnEnd(response: unknown): TurnEnd {
  const ended = Ended.safeParse(response).data;
  const stop = ended?.stopReason ?? "end_turn";
  const byModel = (ended?._meta?.quota.model_usage ?? []).map(callOf);
  if (byModel.length > 0) return { stop, calls: byModel };
  return { stop, calls: ended?.usage == null ? [] : [{ model: "", tokens: tokensOf(ended.usage) }] };
}

function callOf({ model, token_count: tokens }: z.infer<typeof ModelUsage>): TurnEnd["calls"][number] {
  return {
    model,
    tokens: {
      input: tokens.inputTokens ?? tokens.input_tokens ?? 0,
      cached: tokens.cachedInputTokens ?? 0,
      cacheWrite: tokens.cachedWriteTokens ?? tokens.cacheWriteInputTokens ?? 0,
      output: tokens.outputTokens ?? tokens.output_tokens ?? 0,
    },
  };
}

/** The total tells whether the output includes the thoughts: that depends on the agent. */
function tokensOf(usage: z.infer<typeof Usage>): TurnEnd["calls"][number]["tokens"] {
  const { inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens, thoughtTokens, totalTokens } = usage;
  const [input, cached, cacheWrite] = [inputTokens ?? 0, cachedReadTokens ?? 0, cachedWriteTokens ?? 0];
  const [plain, thoughts] = [outputTokens ?? 0, thoughtTokens ?? 0];
  const includesThoughts = input + cached + cacheWrite + plain === totalTokens;
  return { input, cached, cacheWrite, output: includesThoughts ? plain : plain + thoughts };
}

const Models = z.object({
  models: z.object({ currentModelId: z.string() }).nullish().catch(undefined),
  configOptions: z.array(z.unknown()).nullish().catch(undefined),
});
const ModelOption = z.object({ category: z.literal("model"), currentValue: z.string() });

/**
 * Returns the model that a new session, or a change of its options, names: without the provider before it. The option has
 * the model alone, where the older list of models may have an effort with it (`gpt-5.5[medium]`).
 */
export function modelIn(given: unknown): string | undefined {
  const { models, configOptions } = Models.safeParse(given).data ?? {};
  const options = (configOptions ?? []).flatMap((one) => ModelOption.safeParse(one).data?.currentValue ?? []);
  const id = options[0] ?? models?.currentModelId;
  return id === undefined ? undefined : cleanText(id.slice(0, 200)).replace(/^.*\//s, "");
}

/** Returns an error of the agent as one line. */
export function agentErrorText(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown";
  const details = z.object({ data: z.object({ details: z.string() }) }).safeParse(error).data?.data.details;
  const text = details === undefined ? message : `${message}: ${details}`;
  return oneLine(cleanText(text.slice(0, MOST_ERROR)));
}
