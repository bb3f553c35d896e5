import { z } from "zod";

const count = z.number().min(0);
export const Usage = z.object({
  input_tokens: count,
  cached_input_tokens: count.nullish(),
  cache_write_input_tokens: count.nullish(),
  output_tokens: count,
});
export type Usage = z.infer<typeof Usage>;

/** A line of a rollout. What it holds by its kind is below, as far as it is read. */
export const Line = z.object({
  timestamp: z.unknown().optional(),
  ordinal: z.number().optional(),
  type: z.string(),
  payload: z.unknown().optional(),
});
const word = z.string().max(200).optional().catch(undefined);
export const TurnContext = z.object({
  model: z.string().optional().catch(undefined),
  effort: word,
  approval_policy: word,
  sandbox_policy: z.object({ type: word }).optional().catch(undefined),
});
export const Meta = z.object({
  id: z.string(),
  forked_from_id: z.string().nullish(),
  history_mode: z.string().nullish(),
  source: z.unknown().optional(),
  git: z.object({ branch: word }).optional().catch(undefined),
});
export const Compacted = z.object({ message: z.string().optional().catch(undefined) });
export const UsageRecord = z.object({ response_id: z.string(), usage: Usage });
export const TokenInfo = z.object({
  total_token_usage: z.record(z.string(), z.unknown()),
  last_token_usage: Usage.extend({ total_tokens: z.int().min(0).nullish().catch(undefined) }),
  model_context_window: z.int().nullish().catch(undefined),
});
export type TokenInfo = z.infer<typeof TokenInfo>;
/** Up to what a date can hold. */
const seconds = z.number().min(0).max(4e12);
const RateWindow = z.object({
  used_percent: count,
  window_minutes: z.number().positive().nullish(),
  resets_at: seconds.nullish(),
  resets_in_seconds: seconds.nullish(),
});
export const RateLimits = z.object({
  limit_id: z.string().nullish(),
  limit_name: z.string().nullish(),
  primary: RateWindow.nullish().catch(undefined),
  secondary: RateWindow.nullish().catch(undefined),
});
export type RateLimits = z.infer<typeof RateLimits>;
export const TokenCount = z.object({ info: TokenInfo.nullish(), rate_limits: RateLimits.nullish().catch(undefined) });
export const Message = z.object({
  type: z.string(),
  message: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  images: z.array(z.string()).nullish().catch(undefined),
  local_images: z.array(z.string()).nullish().catch(undefined),
  item: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish().catch(undefined),
});
export const Settings = z.object({ thread_settings: z.object({ service_tier: word }) });
export const ApiError = z.object({ error: z.object({ message: z.string() }) });
export const ToolCall = z.object({
  type: z.enum([
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "function_call_output",
    "custom_tool_call_output",
  ]),
  call_id: z.string(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
  output: z.unknown().optional(),
});
