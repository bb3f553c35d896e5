/** Returns the browser and system of a `User-Agent`, for example `Firefox on Linux`. */
export function deviceLabel(userAgent: string): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(userAgent)?.[0] ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
  const named = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system === undefined ? named : `${named} on ${system === "Mac OS X" ? "macOS" : system}`;
}
