/**
 * A result with `idle`, in seconds, beside every `activeAt`, as people and templates read it. Results for programs keep the
 * time alone, which does not change while nothing happens.
 */
export function addIdle(result: unknown): unknown {
  return Array.isArray(result) ? result.map(addIdleToRecord) : result;
}

function addIdleToRecord(record: unknown): unknown {
  if (typeof record !== "object" || record === null || !("activeAt" in record)) return record;
  const { activeAt, ...others } = record;
  const since = typeof activeAt === "string" ? Date.parse(activeAt) : Number.NaN;
  if (Number.isNaN(since)) return record;
  // The clocks of two machines may disagree.
  return { ...others, activeAt, idle: Math.max(0, Math.floor((Date.now() - since) / 1000)) };
}
