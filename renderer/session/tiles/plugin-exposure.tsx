import { specOf } from "../../../core/commands/specs.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";

/** Says what a plugin could send away from a browser that does not keep it from the network. */
export function ExposureWarning({ plugin, methods }: { plugin: PluginRecord; methods: readonly string[] }) {
  const read = [...new Set(methods.flatMap((method) => specOf(method)?.reads ?? []))];
  return (
    <p className="plugin-exposure" role="note">
      <strong>This browser does not keep plugins from the network.</strong> It connects to the server of an address that
      a plugin tries to open, before it refuses to open it. Through that, {plugin.name} could send to any server
      {read.length > 0 ? ` ${listOf(read)},` : ""} what its events say, and what you type into it. Chrome 152 and later,
      and the desktop app, keep it from doing so.
    </p>
  );
}

/** Asks the user of this browser before a plugin runs where nothing keeps it from the network. */
export function PluginExposure({ plugin, accept }: { plugin: PluginRecord; accept: () => void }) {
  return (
    <form
      className="plugin-prompt"
      aria-label={`Run ${plugin.name} in this browser`}
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <h2>{plugin.name}</h2>
      <ExposureWarning plugin={plugin} methods={plugin.allowed} />
      <div className="plugin-answers">
        <button type="submit" className="button outlined">
          Run it in this browser
        </button>
      </div>
    </form>
  );
}

function listOf(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
