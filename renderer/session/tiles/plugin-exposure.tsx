import { specOf } from "../../../core/commands/specs.ts";
import { listNames } from "../../../core/phrases.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import { useStandsStill } from "../../ui/stands-still.ts";
import { words } from "../words/index.ts";

/** Says what a plugin could send away from a browser that does not keep it from the network. */
export function ExposureWarning({ plugin, methods }: { plugin: PluginRecord; methods: readonly string[] }) {
  const read = [...new Set(methods.flatMap((method) => specOf(method)?.reads ?? []))];
  const lead = <strong>{words.tiles.exposure.lead}</strong>;
  return (
    <p className="plugin-exposure" role="note">
      {read.length === 0
        ? words.tiles.exposure.warning({ lead, plugin: plugin.name })
        : words.tiles.exposure.warningReads({ lead, plugin: plugin.name, reads: listNames(read) })}
    </p>
  );
}

/** Asks the user of this browser before a plugin runs where nothing keeps it from the network. */
export function PluginExposure({ plugin, accept }: { plugin: PluginRecord; accept: () => void }) {
  const still = useStandsStill<HTMLFormElement>();
  return (
    <form
      {...still}
      className="plugin-prompt"
      aria-label={words.tiles.exposure.label(plugin.name)}
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <h2>{plugin.name}</h2>
      <ExposureWarning plugin={plugin} methods={plugin.allowed} />
      <div className="plugin-answers">
        <button type="submit" className="button outlined">
          {words.tiles.exposure.run}
        </button>
      </div>
    </form>
  );
}
