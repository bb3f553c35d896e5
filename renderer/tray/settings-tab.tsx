import * as Switch from "@radix-ui/react-switch";
import { useId } from "react";
import type { DesktopSettings, NoticeKind } from "../../preload/channels.ts";
import { KeyList } from "./key-list.tsx";
import { usePanel } from "./use-panel.ts";

const kinds: readonly { readonly kind: NoticeKind; readonly label: string }[] = [
  { kind: "waiting", label: "An agent waits for you" },
  { kind: "ended", label: "An agent ended" },
  { kind: "budget", label: "A budget is reached" },
  { kind: "messages", label: "Messages of programs (notify)" },
];

const themes = [
  { theme: "system", label: "As the desktop" },
  { theme: "dark", label: "Dark" },
  { theme: "light", label: "Light" },
] as const;

const NIGHT = { from: "22:00", to: "07:00" };

/** What holds for this desktop, and where things are. Every change takes effect at once. */
export function SettingsTab() {
  const { content, run } = usePanel();
  const { settings } = content;
  const set = (change: Partial<DesktopSettings>) => void run("panel.set", { ...settings, ...change });
  return (
    <>
      <section className="panel-section" aria-label="Relay">
        <h2>Relay</h2>
        <Fact label="Address" value={content.address} />
        {content.outside.map((url) => (
          <Fact key={url} label="From other machines" value={url} />
        ))}
        <p className="panel-faint">
          {content.outside.length === 0
            ? "Reached from this machine only. To let others in, start with "
            : "Other machines reach it over TLS, until Patchbay is started without "}
          <code className="panel-word">--listen</code>. For another port, start with{" "}
          <code className="panel-word">--port</code>.
        </p>
      </section>
      <KeyList />
      <section className="panel-section" aria-label="Notifications">
        <h2>Notifications</h2>
        {kinds.map(({ kind, label }) => (
          <Choice
            key={kind}
            label={label}
            on={settings.notify[kind]}
            set={(on) => set({ notify: { ...settings.notify, [kind]: on } })}
          />
        ))}
        <Choice label="Quiet hours" on={settings.quiet !== null} set={(on) => set({ quiet: on ? NIGHT : null })} />
        {settings.quiet !== null && <QuietHours quiet={settings.quiet} set={(quiet) => set({ quiet })} />}
      </section>
      <section className="panel-section" aria-label="This desktop">
        <h2>This desktop</h2>
        <Choice
          label="Start at login, in the tray"
          on={settings.startAtLogin}
          set={(startAtLogin) => set({ startAtLogin })}
        />
        <label className="panel-row">
          Theme
          <select
            className="field panel-select"
            value={settings.theme}
            onChange={(event) => {
              const chosen = themes.find(({ theme }) => theme === event.target.value);
              if (chosen !== undefined) set({ theme: chosen.theme });
            }}
          >
            {themes.map(({ theme, label }) => (
              <option key={theme} value={theme}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <Fact label="Data" value={content.data} />
        <div className="panel-actions">
          <button type="button" className="button outlined" onClick={() => void run("panel.showData", undefined)}>
            Show the data folder
          </button>
          <button type="button" className="button outlined" onClick={() => void run("panel.showLicences", undefined)}>
            Show the licences
          </button>
          <button type="button" className="button quiet" onClick={() => void run("panel.quit", undefined)}>
            Quit Patchbay
          </button>
        </div>
        <p className="panel-faint">Patchbay {content.version}, MIT licence.</p>
      </section>
    </>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <p className="panel-row">
      <span>{label}</span>
      <code className="ellipsis" title={value}>
        {value}
      </code>
    </p>
  );
}

function Choice(props: { readonly label: string; readonly on: boolean; set(on: boolean): void }) {
  const id = useId();
  return (
    <div className="panel-row">
      <label htmlFor={id}>{props.label}</label>
      <Switch.Root id={id} className="panel-switch" checked={props.on} onCheckedChange={(on) => props.set(on)}>
        <Switch.Thumb className="panel-thumb" />
      </Switch.Root>
    </div>
  );
}

type Quiet = NonNullable<DesktopSettings["quiet"]>;

function QuietHours({ quiet, set }: { readonly quiet: Quiet; set(quiet: Quiet): void }) {
  return (
    <div className="panel-grid">
      {(["from", "to"] as const).map((end) => (
        <label key={end}>
          {end === "from" ? "From" : "To"}
          <input
            className="field"
            type="time"
            value={quiet[end]}
            required
            onChange={(event) => {
              if (event.target.value !== "") set({ ...quiet, [end]: event.target.value });
            }}
          />
        </label>
      ))}
    </div>
  );
}
