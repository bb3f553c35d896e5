import { useState } from "react";
import type { MachineOverview } from "../../../core/protocol/machines.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** The keys of other machines that this one keeps; nothing where there are none. */
export function MachineKeys() {
  const { remotes } = usePanel();
  const kept = remotes.filter(({ keepsKey }) => keepsKey);
  if (kept.length === 0) return null;
  return (
    <section className="panel-section" aria-label={words.remotes.keys.title}>
      <h2>{words.remotes.keys.title}</h2>
      <p className="panel-faint">{words.remotes.keys.about}</p>
      <ul className="panel-list">
        {kept.map((remote) => (
          <KeptKey key={`${remote.via} ${remote.machine}`} remote={remote} />
        ))}
      </ul>
    </section>
  );
}

function KeptKey({ remote: { via, machine, key } }: { readonly remote: MachineOverview }) {
  const { call, askRemotes } = usePanel();
  const [isAsking, setAsking] = useState(false);
  const forget = async () => {
    await call("forgetMachineKey", { via, machine });
    askRemotes();
  };
  return (
    <li className="panel-card">
      <div className="panel-row">
        <h3 className="ellipsis" title={machine}>
          {machine}{" "}
          <span className="panel-faint">
            {key === "rejected" ? words.remotes.keys.refused(words.remotes[via]) : words.remotes[via]}
          </span>
        </h3>
        <button
          type="button"
          className="button outlined small"
          aria-label={words.remotes.keys.deleteOf(machine)}
          onClick={() => setAsking(true)}
        >
          {words.remotes.keys.delete}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={words.remotes.keys.question(machine)}
          body={words.remotes.keys.body(machine)}
          action={words.remotes.keys.deleteKey}
          confirm={forget}
          close={() => setAsking(false)}
        />
      )}
    </li>
  );
}
