import { useEffect, useState } from "react";
import type { OperationInput } from "../../../core/operations/index.ts";
import type { KeyRecord } from "../../../core/operations/keys.ts";
import { describeRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { formatTime } from "../../ui/format-time.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { KeyForm } from "./key-form.tsx";
import { SecretCard } from "./secret-card.tsx";

/** API keys: create, list and revoke. A key's secret is shown once and never stored. */
export function KeyList() {
  const { content, call } = usePanel();
  const [keys, setKeys] = useState<readonly KeyRecord[]>();
  const [creating, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoking, setRevoking] = useState<KeyRecord>();
  const list = async () => {
    const listed = await call("listKeys", {});
    if (listed !== undefined) setKeys(listed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the page refreshes the list after its own changes.
  useEffect(() => void list(), []);
  const create = async (wanted: OperationInput<"createKey">) => {
    const made = await call("createKey", wanted);
    // A key that was not made leaves the secret of the one before, which nothing shows again.
    if (made !== undefined) setSecret(made.secret);
    await list();
  };
  return (
    <section className="panel-section" aria-label={words.keys.title}>
      <div className="panel-row">
        <h2>{words.keys.title}</h2>
        <button type="button" className="button outlined" onClick={() => setMaking(true)}>
          {words.keys.newKey}
        </button>
      </div>
      {creating && <KeyForm create={create} close={() => setMaking(false)} />}
      {secret !== undefined && (
        <SecretCard
          title={words.keys.theNewKey}
          copied={words.keys.copied}
          secret={secret}
          close={() => setSecret(undefined)}
        />
      )}
      {keys?.length === 0 && <p className="panel-faint">{words.keys.none}</p>}
      <ul className="panel-list">
        {keys?.map((key) => (
          <li key={key.id} className="panel-row">
            <span className="panel-text">
              <span className="ellipsis" title={key.name}>
                {key.name}
              </span>
              <span className="panel-faint">{aboutKey(key)}</span>
            </span>
            <button
              type="button"
              className="button quiet"
              aria-label={words.keys.revoke(key.name)}
              onClick={() => setRevoking(key)}
            >
              {words.keys.revokeIt}
            </button>
          </li>
        ))}
      </ul>
      <p className="panel-faint">
        {content.desktop?.keychainProblem === undefined ? words.keys.keychain : words.keys.noKeychain}
      </p>
      {revoking !== undefined && (
        <ConfirmDialog
          title={words.keys.revokeQuestion(revoking.name)}
          body={words.keys.revokeBody}
          action={words.keys.revokeKey}
          confirm={() => call("revokeKey", { key: revoking.id }).then(list)}
          close={() => setRevoking(undefined)}
        />
      )}
    </section>
  );
}

function aboutKey({ lastUsedAt, expiresAt, restrictions }: KeyRecord): string {
  const restricted = describeRestrictions(restrictions);
  const used = lastUsedAt === null ? words.keys.neverUsed : words.keys.lastUsed(formatTime(lastUsedAt));
  if (expiresAt === null) return [restricted, used].filter(Boolean).join(" · ");
  const over = Date.parse(expiresAt) <= Date.now();
  return [restricted, used, over ? words.keys.expired(formatTime(expiresAt)) : words.keys.until(formatTime(expiresAt))]
    .filter(Boolean)
    .join(" · ");
}
