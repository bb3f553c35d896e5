import * as Switch from "@radix-ui/react-switch";
import { useId } from "react";
import type { DesktopSettings, NotificationKind } from "../../core/protocol/desktop-settings.ts";
import type { PanelDesktop } from "../../preload/channels.ts";
import { useStore } from "../ui/store.ts";
import { settingList } from "../ui/terminal-settings.ts";
import { FleetSettings } from "./fleet-settings.tsx";
import { HealthSettings } from "./health-settings.tsx";
import { KeyList } from "./key-list.tsx";
import { MachineKeys } from "./machine-keys.tsx";
import { ReadOnlyField } from "./read-only-field.tsx";
import { RelaySettings } from "./relay-settings.tsx";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const kinds = [
  "waiting",
  "finished",
  "failed",
  "ended",
  "budget",
  "messages",
] as const satisfies readonly NotificationKind[];

const themes = ["system", "dark", "light"] as const;

const DEFAULT_QUIET_HOURS = { from: "22:00", to: "07:00" };

/** All settings. Changes take effect immediately unless noted otherwise. */
export function SettingsTab() {
  const { desktop, version } = usePanel().content;
  return (
    <>
      <HealthSettings />
      <RelaySettings />
      {desktop !== undefined && <FleetSettings />}
      <KeyList />
      {desktop === undefined ? (
        <p className="panel-faint">{words.settings.about(version)}</p>
      ) : (
        <>
          <MachineKeys />
          <DesktopParts desktop={desktop} />
        </>
      )}
    </>
  );
}

/** Settings of the desktop app. */
function DesktopParts({ desktop }: { readonly desktop: PanelDesktop }) {
  const { content, run } = usePanel();
  const { relay: _, ...settings } = desktop.settings;
  const set = (change: Partial<typeof settings>) => void run("panel.set", { ...settings, ...change });
  return (
    <>
      <section className="panel-section" aria-label={words.settings.notifications}>
        <h2>{words.settings.notifications}</h2>
        {kinds.map((kind) => (
          <SwitchField
            key={kind}
            label={words.settings.notify[kind]}
            on={settings.notify[kind]}
            set={(on) => set({ notify: { ...settings.notify, [kind]: on } })}
          />
        ))}
        <SwitchField
          label={words.settings.quiet}
          on={settings.quiet !== null}
          set={(on) => set({ quiet: on ? DEFAULT_QUIET_HOURS : null })}
        />
        {settings.quiet !== null && <QuietHours quiet={settings.quiet} set={(quiet) => set({ quiet })} />}
      </section>
      <section className="panel-section" aria-label={words.settings.desktop}>
        <h2>{words.settings.desktop}</h2>
        <SwitchField
          label={words.settings.startAtLogin}
          on={settings.startAtLogin}
          set={(startAtLogin) => set({ startAtLogin })}
        />
        <label className="panel-row">
          {words.settings.theme}
          <select
            className="field panel-select"
            value={settings.theme}
            onChange={(event) => {
              const chosen = themes.find((theme) => theme === event.target.value);
              if (chosen !== undefined) set({ theme: chosen });
            }}
          >
            {themes.map((theme) => (
              <option key={theme} value={theme}>
                {words.settings.themes[theme]}
              </option>
            ))}
          </select>
        </label>
        <ScrollbackField />
        <ReadOnlyField label={words.settings.data} value={desktop.dataFolder} />
        <div className="panel-actions">
          <button type="button" className="button outlined" onClick={() => void run("panel.showData", undefined)}>
            {words.settings.showData}
          </button>
          <button type="button" className="button outlined" onClick={() => void run("panel.showLicences", undefined)}>
            {words.settings.showLicences}
          </button>
        </div>
        <div className="panel-row">
          <p className="panel-faint">{words.settings.about(content.version)}</p>
          <button type="button" className="button quiet" onClick={() => void run("panel.quit", undefined)}>
            {words.settings.quit}
          </button>
        </div>
      </section>
    </>
  );
}

type Quiet = NonNullable<DesktopSettings["quiet"]>;

function QuietHours({ quiet, set }: { readonly quiet: Quiet; set(quiet: Quiet): void }) {
  return (
    <div className="panel-grid">
      {(["from", "to"] as const).map((end) => (
        <label key={end}>
          {end === "from" ? words.settings.from : words.settings.to}
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

/** Number of scrollback lines. Applies to all windows of this app immediately. */
function ScrollbackField() {
  const { terminals } = usePanel();
  const lines = useStore(terminals).scrollback;
  const setting = settingList.find(({ name }) => name === "scrollback");
  const choices = setting?.control.kind === "choice" ? setting.control.choices : [];
  return (
    <label className="panel-row">
      {words.settings.scrollback}
      <select
        className="field panel-select"
        value={lines}
        onChange={(event) => terminals.setText("scrollback", event.target.value)}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A labeled switch. */
function SwitchField(props: { readonly label: string; readonly on: boolean; set(on: boolean): void }) {
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
