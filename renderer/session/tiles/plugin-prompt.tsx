import { useState } from "react";
import { specOf } from "../../../core/commands/specs.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import { useView } from "../view/view.ts";
import { ExposureWarning } from "./plugin-exposure.tsx";

/** Asks the user for a plugin's permissions before it runs. Methods that only read are preselected. */
export function PluginPrompt({
  plugin,
  mayAnswer,
  held,
  accept,
}: {
  plugin: PluginRecord;
  mayAnswer: boolean;
  /** This view keeps the plugin from the network. */
  held: boolean;
  /** Called with the allowed methods where it does not, because the prompt has said so. */
  accept: (methods: readonly string[]) => void;
}) {
  const { run } = useView();
  const { id, name, version, description, from, permissions, events, allowed } = plugin;
  const [chosen, setChosen] = useState(() => permissions.filter((method) => allowed.includes(method) || reads(method)));
  const answer = (methods: readonly string[]) => {
    if (!held) accept(methods);
    void run("allowPlugin", { plugin: id, methods });
  };
  return (
    <form
      className="plugin-prompt"
      aria-label={`Permissions of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        answer(chosen);
      }}
    >
      <h2>
        {name} <small>{version}</small>
      </h2>
      {description !== "" && <p>{description}</p>}
      <p className="plugin-from">From {from}</p>
      {permissions.length > 0 && (
        <fieldset disabled={!mayAnswer}>
          <legend>{name} asks for permission to:</legend>
          {permissions.map((method) => (
            <label key={method} title={method}>
              <input
                type="checkbox"
                checked={chosen.includes(method)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, method] : chosen.filter((other) => other !== method))
                }
              />
              <span>
                {permissionWords(method)}
                {!reads(method) && <em>changes something</em>}
                {specOf(method)?.reads !== undefined && <em>reads {specOf(method)?.reads}</em>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {events.length > 0 && <p>It receives these events: {events.join(", ")}</p>}
      {!held && <ExposureWarning plugin={plugin} methods={chosen} />}
      {mayAnswer ? (
        <div className="plugin-answers">
          <button type="submit" className="button primary">
            {chosen.length === permissions.length ? "Allow and run" : `Allow ${chosen.length} of ${permissions.length}`}
          </button>
          {permissions.length > 0 && (
            <button type="button" className="button outlined" onClick={() => answer([])}>
              Run, allow nothing
            </button>
          )}
        </div>
      ) : (
        <p className="plugin-waits">Waiting for an admin of this session to grant permissions.</p>
      )}
    </form>
  );
}

/** A command's summary within the sentence that the legend begins. */
function permissionWords(method: string): string {
  const summary = specOf(method)?.summary ?? method;
  return summary.charAt(0).toLowerCase() + summary.slice(1);
}

function reads(method: string): boolean {
  return specOf(method)?.role === "reader";
}
