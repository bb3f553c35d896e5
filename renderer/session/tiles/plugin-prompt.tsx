import { useState } from "react";
import { specOf } from "../../../core/commands/specs.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import { summaryOf } from "../../ui/declared-words.ts";
import { useStandsStill } from "../../ui/stands-still.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";
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
  const still = useStandsStill<HTMLFormElement>();
  const { id, name, version, description, from, permissions, events, allowed } = plugin;
  const [chosen, setChosen] = useState(() => permissions.filter((method) => allowed.includes(method) || reads(method)));
  const answer = (methods: readonly string[]) => {
    if (!held) accept(methods);
    void run("allowPlugin", { plugin: id, methods, events });
  };
  return (
    <form
      {...still}
      className="plugin-prompt"
      aria-label={words.tiles.prompt.label(name)}
      onSubmit={(event) => {
        event.preventDefault();
        answer(chosen);
      }}
    >
      <h2>
        {name} <small>{version}</small>
      </h2>
      {description !== "" && <p>{description}</p>}
      <p className="plugin-from">{words.tiles.prompt.from(from)}</p>
      {permissions.length > 0 && (
        <fieldset disabled={!mayAnswer}>
          <legend>{words.tiles.prompt.asks(name)}</legend>
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
                {!reads(method) && <em>{words.tiles.prompt.changes}</em>}
                <Reads what={specOf(method)?.reads} />
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {events.length > 0 && <p>{words.tiles.prompt.events(events.join(", "))}</p>}
      {!held && <ExposureWarning plugin={plugin} methods={chosen} />}
      {mayAnswer ? (
        <div className="plugin-answers">
          <button type="submit" className="button primary">
            {chosen.length === permissions.length
              ? words.tiles.prompt.allowAll
              : words.tiles.prompt.allowSome(chosen.length, permissions.length)}
          </button>
          {permissions.length > 0 && (
            <button type="button" className="button outlined" onClick={() => answer([])}>
              {words.tiles.prompt.allowNothing}
            </button>
          )}
        </div>
      ) : (
        <p className="plugin-waits">{words.tiles.prompt.waits}</p>
      )}
    </form>
  );
}

/** What of the session a command reads. */
function Reads({ what }: { what: string | undefined }) {
  return what === undefined ? null : <em>{words.tiles.prompt.reads(what)}</em>;
}

/** A command's summary within the sentence that the legend begins. */
function permissionWords(method: string): string {
  const spec = specOf(method);
  return spec === undefined ? method : words.tiles.prompt.permission(summaryOf(method, spec.summary));
}

function reads(method: string): boolean {
  return specOf(method)?.role === "reader";
}
