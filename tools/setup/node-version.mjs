/** The oldest Node that Patchbay runs on; the same as `engines.node` of package.json. */
export const OLDEST_NODE = "20.19.0";

/**
 * Returns the problem with this Node version, or undefined if it is supported.
 * @param {string} version as `process.versions.node`, without a leading v
 * @returns {string | undefined}
 */
export function nodeVersionProblem(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Patchbay needs Node ${OLDEST_NODE} or newer, and this is Node ${version}. Install a newer one and run the command again.`;
}
