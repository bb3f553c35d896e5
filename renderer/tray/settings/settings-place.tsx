import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  type Appearance,
  type SettingName,
  type SettingsSection,
  settingSections,
} from "../../../core/protocol/settings.ts";
import { SettingRow } from "../../settings/setting-row.tsx";
import "../../settings/settings.css";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/load-guard.tsx";
import { healthNotices } from "../health.ts";
import { PanelIcon, type PanelIconName } from "../icons.tsx";
import { LoadedPart } from "../loaded-part.tsx";
import { PolicyList } from "../policy-list.tsx";
import { settingsSections } from "../settings-sections.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { findSettings } from "./find-settings.ts";
import { FleetSettings } from "./fleet-settings.tsx";
import { FocusSetting } from "./focus-setting.tsx";
import { HealthSettings } from "./health-settings.tsx";
import { KeyList } from "./key-list.tsx";
import { MachineKeys } from "./machine-keys.tsx";
import { PeopleSettings } from "./people-settings.tsx";
import { ReadOnlyField } from "./read-only-field.tsx";
import { RelayAddresses, RestartPrompt } from "./relay-settings.tsx";
import { useSettingValues } from "./use-setting-values.ts";

// A terminal is most of the code of the settings, so its parts are loaded on demand; webhooks are what few people use.
const terminals = () => import("../../settings/terminal-parts.tsx");
const TerminalColours = lazyPart(terminals, ({ TerminalColours }) => TerminalColours);
const TerminalBehaviour = lazyPart(terminals, ({ TerminalBehaviour }) => TerminalBehaviour);
const Shortcuts = lazyPart(
  () => import("./shortcuts.tsx"),
  ({ Shortcuts }) => Shortcuts,
);
const WebhookSettings = lazyPart(
  () => import("./webhook-settings.tsx"),
  ({ WebhookSettings }) => WebhookSettings,
);

const icons: Readonly<Record<SettingsSection, PanelIconName>> = {
  general: "sliders",
  appearance: "palette",
  terminal: "terminal",
  shortcuts: "keyboard",
  notifications: "bell",
  agents: "money",
  keys: "key",
  webhooks: "send",
  machines: "machine",
  health: "heart",
  about: "about",
};

/**
 * All settings by section, with a search over all of them. Where there is room the sections stand beside their content;
 * elsewhere they are a list that leads to it.
 */
export function SettingsPlace() {
  const { content, settingsSection: shown, showSettings } = usePanel();
  const [typed, setTyped] = useState("");
  const values = useSettingValues();
  const notices = healthNotices(content).length;
  const list = useRef<HTMLElement>(null);
  const sections = settingsSections(content);
  const section = shown !== undefined && sections.includes(shown) ? shown : undefined;
  const isSearch = typed.trim() !== "";
  const found = isSearch ? findSettings(typed, sections, values) : undefined;
  const choose = (next: SettingsSection | undefined) => {
    setTyped("");
    showSettings(next);
  };
  const leave = () => {
    const left = section;
    choose(undefined);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-section="${left}"]`)?.focus());
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape of what is inside
    <div
      className="settings-place"
      data-inside={section !== undefined || isSearch}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        const inField = event.target instanceof HTMLInputElement && event.target.type === "search" && typed !== "";
        if (event.key !== "Escape" || event.defaultPrevented || !(inField || isNarrow(list.current))) return;
        if (inField) setTyped("");
        else if (section !== undefined) leave();
        else return;
        event.preventDefault();
      }}
    >
      <nav ref={list} className="settings-nav" aria-label={words.settings.sections}>
        <search className="settings-find">
          <Icon name="search" />
          <input
            type="search"
            className="field"
            aria-label={words.settings.find}
            placeholder={words.settings.find}
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </search>
        <ul>
          {sections.map((id) => (
            <li key={id}>
              <button
                type="button"
                className="settings-section"
                data-section={id}
                data-first={id === sections[0]}
                aria-current={!isSearch && id === section ? "page" : undefined}
                onClick={() => choose(id)}
              >
                <PanelIcon name={icons[id]} />
                <span className="ellipsis">{words.settings.names[id]}</span>
                {id === "health" && notices > 0 && (
                  <span className="settings-count">
                    <span aria-hidden="true">{notices}</span>
                    <span className="visually-hidden">{words.health.problems(notices)}</span>
                  </span>
                )}
                <Icon name="right" size={12} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-content">
        {found === undefined ? (
          <Section id={section ?? "general"} isChosen={section !== undefined} back={leave} />
        ) : (
          <section aria-label={words.settings.results}>
            {found.sections.map((id) => (
              <button key={id} type="button" className="settings-section" onClick={() => choose(id)}>
                <PanelIcon name={icons[id]} />
                <span className="ellipsis">{words.settings.names[id]}</span>
                <Icon name="right" size={12} />
              </button>
            ))}
            {settingSections
              .map((id) => ({ id, list: found.values.filter(({ setting }) => setting.section === id) }))
              .filter(({ list: some }) => some.length > 0)
              .map(({ id, list: some }) => (
                <section key={id} className="settings-part" aria-label={words.settings.names[id]}>
                  <h3>{words.settings.names[id]}</h3>
                  <div className="setting-rows">
                    {some.map((value) =>
                      value.setting.control.kind === "theme" ? (
                        <button
                          key={value.setting.name}
                          type="button"
                          className="settings-section"
                          onClick={() => choose("appearance")}
                        >
                          <span className="ellipsis">{value.setting.label}</span>
                          <span className="panel-faint">{value.text === "" ? words.settings.own : value.text}</span>
                        </button>
                      ) : (
                        <SettingRow key={value.setting.name} value={value} />
                      ),
                    )}
                  </div>
                </section>
              ))}
            {found.sections.length === 0 && found.values.length === 0 && (
              <p className="panel-faint" role="status">
                {words.settings.nothing(typed.trim())}
              </p>
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** Whether the list of sections and a section take turns. */
function isNarrow(list: HTMLElement | null): boolean {
  return list !== null && list.offsetParent === null;
}

interface SectionProps {
  readonly id: SettingsSection;
  /** Where list and section take turns, another one is behind the list. */
  readonly isChosen: boolean;
  back(): void;
}

function Section({ id, isChosen, back }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);
  // The control that led here may be gone or hidden, and keys pressed in the empty page reach no part of the panel.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each section is begun anew
  useEffect(() => {
    const { activeElement: focused } = document;
    const isHidden = focused instanceof HTMLElement && focused.offsetParent === null;
    if (focused === document.body || isHidden) heading.current?.focus();
  }, [id, isChosen]);
  return (
    <section ref={section} className="settings-body" aria-label={words.settings.names[id]}>
      <div className="settings-title">
        <button type="button" className="icon-button settings-back" aria-label={words.settings.back} onClick={back}>
          <Icon name="left" />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {words.settings.names[id]}
        </h2>
      </div>
      <LoadedPart key={id}>
        <Body id={id} />
        <FocusSetting section={section} />
      </LoadedPart>
    </section>
  );
}

/** The brightness whose colours a setting has. */
const appearances: Readonly<Partial<Record<SettingName, Appearance>>> = { darkTheme: "dark", lightTheme: "light" };

function Body({ id }: { readonly id: SettingsSection }): ReactNode {
  const { content, stores, target, run } = usePanel();
  const { desktop, version } = content;
  switch (id) {
    case "general":
      return (
        <>
          <Rows section="general" />
          {desktop !== undefined && <RestartPrompt relay={desktop.relay} />}
          <RelayAddresses />
          {desktop !== undefined && (
            <>
              <ReadOnlyField label={words.settings.data} value={desktop.dataFolder} />
              <button type="button" className="button outlined" onClick={() => void run("panel.showData", undefined)}>
                {words.settings.showData}
              </button>
            </>
          )}
        </>
      );
    case "appearance":
      return (
        <>
          <Rows section="appearance" place="app" />
          <TerminalColours
            settings={stores.terminals}
            themes={stores.themes}
            wanted={target?.setting === undefined ? undefined : appearances[target.setting]}
          />
        </>
      );
    case "terminal":
      return <TerminalBehaviour settings={stores.terminals} />;
    case "shortcuts":
      return <Shortcuts />;
    case "notifications":
      return <Rows section="notifications" />;
    case "agents":
      return (
        <>
          <Rows section="agents" />
          <p className="panel-faint">{words.settings.budgets({ command: <code>service budget set</code> })}</p>
          <PolicyList
            none={<p className="panel-faint">{words.policies.none({ command: <code>service policy add</code> })}</p>}
          />
        </>
      );
    case "keys":
      return (
        <>
          <PeopleSettings />
          <KeyList />
        </>
      );
    case "webhooks":
      return <WebhookSettings />;
    case "machines":
      return (
        <>
          <FleetSettings />
          <MachineKeys />
        </>
      );
    case "health":
      return <HealthSettings />;
    case "about":
      return (
        <>
          <p>{words.settings.about(version)}</p>
          {desktop !== undefined && (
            <div className="panel-actions">
              <button
                type="button"
                className="button outlined"
                onClick={() => void run("panel.showLicences", undefined)}
              >
                {words.settings.showLicences}
              </button>
              <button type="button" className="button quiet" onClick={() => void run("panel.quit", undefined)}>
                {words.settings.quit}
              </button>
            </div>
          )}
        </>
      );
  }
}

/** The rows of a section. */
function Rows({ section, place }: { readonly section: SettingsSection; readonly place?: "app" }) {
  const values = useSettingValues().filter(
    ({ setting }) => setting.section === section && (place === undefined || setting.place === place),
  );
  if (values.length === 0) return null;
  return (
    <div className="setting-rows">
      {values.map((value) => (
        <SettingRow key={value.setting.name} value={value} />
      ))}
    </div>
  );
}
