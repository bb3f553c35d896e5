import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { agentCommand, installAgentPrograms } from "../../tools/setup/agent-programs.mjs";
import type { AgentLab, LabShell } from "../integration/main/agents/agent-lab.ts";

/** To be called before all tests of a file; `npm run test:agents` has installed them before. */
export async function installPrograms(): Promise<void> {
  await installAgentPrograms({ log: (line: string) => console.log(line), signal: new AbortController().signal });
}

/** As `installPrograms`, for a file that needs only some. */
export async function installOnly(...names: readonly AgentProgram[]): Promise<void> {
  await installAgentPrograms({ log: (line: string) => console.log(line), signal: new AbortController().signal }, names);
}

/** A name of tools/setup/agent-programs.mjs. */
export type AgentProgram = string;

/** What a stub has answered: tokens in the parts that Patchbay counts, hidden calls (titles, summaries) left out. */
export interface Truth {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** A call of the model, hidden ones left out. Times in ms since the epoch. */
export interface ModelCall {
  readonly opened: number;
  readonly closed?: number;
}

/** A shell in a project folder where an agent runs against its stub, and what that has answered so far. */
export interface AgentPlace {
  readonly shell: LabShell;
  readonly cwd: string;
  readonly command: string;
  /** What the program needs besides its home folder. */
  readonly env: Readonly<Record<string, string>>;
  truth(): Truth;
  /** The result of the last tool call as the model was told it, at each of its calls that followed one. */
  results(): string[];
  /** The calls of the model so far, the oldest first. */
  calls(): ModelCall[];
  /** Another shell in the same folder. */
  another(): LabShell;
}

type Kind = "claude" | "codex" | "gemini" | "opencode" | "qwen" | "copilot" | "pi";

const stubs = {
  claude: "anthropic-stub.mjs",
  codex: "openai-responses-stub.mjs",
  gemini: "gemini-stub.mjs",
  opencode: "anthropic-stub.mjs",
  qwen: "openai-chat-stub.mjs",
  copilot: "openai-chat-stub.mjs",
  pi: "anthropic-stub.mjs",
} as const;

export async function agentPlace(lab: AgentLab, program: AgentProgram, folder = "proj.a"): Promise<AgentPlace> {
  const kind = kindOf(program);
  const url = await lab.stub(stubs[kind]);
  const cwd = lab.folder("work", folder);
  execFileSync("git", ["init", "-q", cwd]);
  const env = setUp[kind](lab, cwd, url);
  const another = () => lab.shell(cwd, env);
  return {
    shell: another(),
    cwd,
    command: agentCommand(program),
    env,
    truth: () => truthIn(lab.truthOf(stubs[kind])),
    results: () => answersIn(lab.truthOf(stubs[kind])).flatMap(({ result }) => result ?? []),
    calls: () => callsIn(lab.truthOf(stubs[kind])),
    another,
  };
}

function kindOf(program: AgentProgram): Kind {
  if (program.startsWith("claude")) return "claude";
  if (program.startsWith("codex")) return "codex";
  const [kind] = program.split("@");
  return kind === "opencode" || kind === "qwen" || kind === "copilot" || kind === "pi" ? kind : "gemini";
}

const KEY = "sk-ant-stub-000-aaaaaaaaaaaaaaaaaaaa";

/** Settings without which the programs ask questions first; answers the environment that they need. */
const setUp: Record<Kind, (lab: AgentLab, cwd: string, url: string) => Record<string, string>> = {
  claude(lab, cwd, url) {
    const config = {
      hasCompletedOnboarding: true,
      theme: "dark",
      // Without the list, versions of 2025 end at their start.
      projects: { [cwd]: { hasTrustDialogAccepted: true, allowedTools: [] } },
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    };
    writeFileSync(join(lab.home, ".claude.json"), JSON.stringify(config));
    return {
      IS_SANDBOX: "1",
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      DISABLE_AUTOUPDATER: "1",
    };
  },
  codex(lab, cwd, url) {
    const config = [
      'model = "gpt-5.5"',
      'model_provider = "stub"',
      "check_for_update_on_startup = false",
      "[model_providers.stub]",
      'name = "Local stub"',
      `base_url = "${url}/v1"`,
      'env_key = "STUB_OPENAI_KEY"',
      'wire_api = "responses"',
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "[analytics]",
      "enabled = false",
      `[projects."${cwd}"]`,
      'trust_level = "trusted"',
      "[notice.model_migrations]",
      '"gpt-5.5" = "gpt-6-sol"',
    ];
    writeFileSync(join(lab.folder(".codex"), "config.toml"), config.join("\n"));
    // Its adapter would begin in a mode in which a model answers the questions.
    return { STUB_OPENAI_KEY: "x", INITIAL_AGENT_MODE: "workspace-write" };
  },
  gemini(lab, cwd, url) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      telemetry: { enabled: false },
    };
    writeFileSync(join(lab.folder(".gemini"), "settings.json"), JSON.stringify(settings));
    writeFileSync(join(lab.folder(".gemini"), "trustedFolders.json"), JSON.stringify({ [cwd]: "TRUST_FOLDER" }));
    return { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url };
  },
  opencode(lab, _cwd, url) {
    const model = "claude-sonnet-4-6";
    const config = {
      autoupdate: false,
      share: "disabled",
      model: `anthropic/${model}`,
      permission: { bash: "ask", edit: "ask" },
      provider: {
        anthropic: {
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: { [model]: { name: "Stub", limit: { context: 123_456, output: 8192 } } },
        },
      },
    };
    writeFileSync(join(lab.folder(".config", "opencode"), "opencode.json"), JSON.stringify(config));
    return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
  },
  qwen(lab, _cwd, url) {
    const settings = {
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      // It would ask the model after a turn what to remember: a call that is lost when the program is killed then.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    };
    writeFileSync(join(lab.folder(".qwen"), "settings.json"), JSON.stringify(settings));
    return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "x", OPENAI_MODEL: "qwen3-coder-plus" };
  },
  pi(lab, _cwd, url) {
    const folder = lab.folder(".pi", "agent");
    const model = { defaultProvider: "anthropic", defaultModel: "claude-sonnet-4-6", quietStartup: true };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(model));
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { anthropic: { baseUrl: url } } }));
    return { ANTHROPIC_API_KEY: KEY, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
  },
  copilot(lab, cwd, url) {
    writeFileSync(join(lab.folder(".copilot"), "config.json"), JSON.stringify({ trusted_folders: [cwd] }));
    return {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "x",
      COPILOT_MODEL: "gpt-5.5",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    };
  },
};

const count = z.number().default(0);
const Answer = z.object({
  api: z.string(),
  side: z.unknown().optional(),
  result: z.string().optional(),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    input_tokens_details: z.object({ cached_tokens: count }).optional(),
    promptTokenCount: count,
    cachedContentTokenCount: count,
    candidatesTokenCount: count,
    thoughtsTokenCount: count,
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count }).optional(),
  }),
});

/** What a stub has answered, hidden calls left out. */
function answersIn(file: string): z.infer<typeof Answer>[] {
  return recordsIn(file, Answer).filter(({ side }) => !side);
}

const CallRecord = z.object({
  t: z.iso.datetime().transform(Date.parse),
  k: z.number(),
  side: z.unknown().optional(),
  call: z.enum(["opened", "closed"]),
});

function callsIn(file: string): ModelCall[] {
  const records = recordsIn(file, CallRecord).filter(({ side }) => !side);
  const closed = new Map(records.flatMap(({ k, call, t }) => (call === "closed" ? [[k, t] as const] : [])));
  return records.flatMap(({ k, call, t }) => {
    const end = closed.get(k);
    return call === "opened" ? [{ opened: t, ...(end !== undefined && { closed: end }) }] : [];
  });
}

function recordsIn<T extends z.ZodType>(file: string, kind: T): z.infer<T>[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.flatMap((line) => kind.safeParse(JSON.parse(line)).data ?? []);
}

function truthIn(file: string): Truth {
  const sum = { calls: 0, input: 0, output: 0, cached: 0 };
  for (const { api, usage } of answersIn(file)) {
    const details = usage.input_tokens_details ?? usage.prompt_tokens_details;
    const cached = usage.cache_read_input_tokens + (details?.cached_tokens ?? 0) + usage.cachedContentTokenCount;
    const prompt =
      usage.input_tokens + usage.cache_creation_input_tokens + usage.promptTokenCount + usage.prompt_tokens;
    sum.calls += 1;
    sum.input += api === "anthropic" ? prompt : prompt - cached;
    sum.output += usage.output_tokens + usage.candidatesTokenCount + usage.thoughtsTokenCount + usage.completion_tokens;
    sum.cached += cached;
  }
  return sum;
}
