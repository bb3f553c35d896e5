import { version } from "../parse/version.ts";
import type { Check } from "./finding.ts";

/** As in package.json. */
const MIN_NODE = [20, 19] as const;

/** Checks that this program, its Node and the running relay fit together. */
export const checkVersions: Check = ({ relay }) => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // A package runs on the Node of its Electron, which its users cannot replace.
  const isUsersNode = process.versions.electron === undefined;
  const own = `Patchbay ${version}, Node ${process.versions.node}`;
  if (isUsersNode && (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]))) {
    return { state: "problem", found: `${own}.`, advice: `Install Node ${MIN_NODE.join(".")} or newer.` };
  }
  if (relay === undefined || relay.version === version) return { state: "ok", found: `${own}.` };
  return {
    state: "problem",
    found: `${own}; the running relay is ${relay.version}.`,
    advice: "Quit Patchbay (or stop `patchbay serve`) and start it again, so that both are of one version.",
  };
};
