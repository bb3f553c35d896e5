import { join } from "node:path";
import { z } from "zod";
import type { UsedModel } from "./adapter.ts";
import { fileFacts, readJsonLater } from "./adapter-files.ts";

/** The list of all models that opencode keeps has some megabytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Model lists by path, as they were when last read: one has thousands of models. */
const lists = new Map<string, { readonly changedAt: number; readonly models: Models | undefined }>();

/**
 * Finds out how many tokens fit into a model's context as opencode counts it: by the user's settings, else by its copy of
 * the public list of models.
 * @param env - of the process
 */
export async function opencodeContextSize(
  env: (name: string) => string | undefined,
  cwd: string,
  used: UsedModel,
): Promise<number | undefined> {
  const home = env("HOME") ?? "";
  const config = join(env("XDG_CONFIG_HOME") || join(home, ".config"), "opencode", "opencode.json");
  for (const path of [join(cwd, "opencode.json"), env("OPENCODE_CONFIG"), config]) {
    const size = path ? sizeIn((await readJsonLater(path, Settings))?.provider, used) : undefined;
    if (size !== undefined) return size;
  }
  const cache = join(env("XDG_CACHE_HOME") || join(home, ".cache"), "opencode", "models.json");
  return sizeIn(await listAt(env("OPENCODE_MODELS_PATH") || cache), used);
}

async function listAt(path: string): Promise<Models | undefined> {
  const changedAt = fileFacts(path)?.changedAt;
  if (changedAt === undefined) return undefined;
  const known = lists.get(path);
  if (known?.changedAt === changedAt) return known.models;
  const models = await readJsonLater(path, Models, MAX_LIST_BYTES);
  lists.clear();
  lists.set(path, { changedAt, models });
  return models;
}

function sizeIn(models: Models | undefined, { provider, model }: UsedModel): number | undefined {
  const found = Provider.safeParse(models?.get(provider)).data?.models?.get(model);
  return Model.safeParse(found).data?.limit.context;
}

/** As a map, so that no name leads to what every object has. Only what is asked for is looked at. */
const byName = z.record(z.string(), z.unknown()).transform((value) => new Map(Object.entries(value)));
const Models = byName;
type Models = z.infer<typeof Models>;
const Provider = z.object({ models: byName.optional() });
const Model = z.object({ limit: z.object({ context: z.int().positive() }) });
const Settings = z.object({ provider: Models.optional().catch(undefined) });
