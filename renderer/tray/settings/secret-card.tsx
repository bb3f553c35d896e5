import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

interface Props {
  readonly title: string;
  /** What is said once it was copied. */
  readonly copied: string;
  readonly secret: string;
  close(): void;
}

/** A secret that is shown this once. */
export function SecretCard({ title, copied, secret, close }: Props) {
  const { copy } = usePanel();
  return (
    <section className="panel-card" aria-label={title}>
      <p>{words.keys.copyNow}</p>
      <code className="panel-secret">{secret}</code>
      <div className="panel-actions">
        <button
          type="button"
          className="button primary"
          onClick={() => void copy("panel.copySecret", { secret }, copied)}
        >
          {words.keys.copy}
        </button>
        <button type="button" className="button quiet" onClick={close}>
          {words.keys.done}
        </button>
      </div>
    </section>
  );
}
