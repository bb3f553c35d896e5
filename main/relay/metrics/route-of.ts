/**
 * The pattern that a path fits, for counting: `/v1/sessions/:session/events`. Paths that fit none share one name, so that
 * whoever asks for anything cannot make anything be counted.
 */
export function routeNames(patterns: readonly string[], basePath: string): (url: string) => string {
  const known = patterns.map((pattern) => ({ pattern, parts: pattern.split("/") }));
  return (url) => {
    const [path = ""] = url.split("?", 1);
    const below = basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    const parts = below.replace(/(?<=.)\/$/, "").split("/");
    const fits = known.find(
      (candidate) =>
        candidate.parts.length === parts.length &&
        candidate.parts.every((part, index) => part.startsWith(":") || part === parts[index]),
    );
    return fits?.pattern ?? "other";
  };
}
