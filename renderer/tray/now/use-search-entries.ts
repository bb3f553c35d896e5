import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { settingList } from "../../../core/protocol/settings.ts";
import { localizedSetting } from "../../settings/localized-setting.ts";
import { roleWords } from "../../ui/words.ts";
import { settingsSections } from "../settings-sections.ts";
import { type PanelView, usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { peopleOf } from "./people.ts";
import type { SearchEntry } from "./search.ts";
import { shellNameIn } from "./wait-items.ts";

const places = ["now", "sessions", "agents", "activity", "settings"] as const;
/** Lists what the search can lead to. */
export function useSearchEntries(): readonly SearchEntry[] {
  const panel = usePanel();
  const { content, remotes, goTo, run } = panel;
  const said = words.search;
  const openSession = (id: string) => void run("panel.open", { id: SessionId.parse(id) });
  return [
    ...content.sessions.map(({ id, name, shells }) => ({
      key: `session ${id}`,
      group: "sessions" as const,
      name,
      detail: words.sessions.shells(shells.filter(({ running }) => running).length),
      enter: words.bar.open(name),
      run: () => openSession(id),
    })),
    ...remotes.flatMap(({ via, machine, sessions }) =>
      sessions.map(({ id, name }) => ({
        key: `session ${via} ${machine} ${id}`,
        group: "sessions" as const,
        name,
        detail: machine,
        enter: words.bar.open(name),
        run: () => void run("panel.openMachine", { via, machine, session: { id: SessionId.parse(id), name } }),
      })),
    ),
    ...content.sessions.flatMap((session) =>
      session.agents.map(({ agentType, shellId, sessionId }) => {
        const name = shellNameIn(session, shellId) ?? agentType;
        return {
          key: `agent ${session.id} ${shellId} ${sessionId}`,
          group: "agents" as const,
          name,
          detail: name === agentType ? session.name : `${agentType} · ${session.name}`,
          enter: words.bar.open(name),
          run: () => void run("panel.open", { id: SessionId.parse(session.id), shell: ShellId.parse(shellId) }),
        };
      }),
    ),
    ...peopleOf(content.sessions)
      .filter(({ isSelf }) => !isSelf)
      .map(({ key, client, session }) => ({
        key: `person ${key}`,
        group: "people" as const,
        name: client.name,
        detail: `${roleWords[client.role]} · ${session.name}`,
        enter: said.toPeople,
        run: () => goTo("sessions"),
      })),
    ...places.map((place) => ({
      key: `place ${place}`,
      group: "places" as const,
      name: words.panel.tabs[place],
      detail: "",
      keywords: said.placeKeywords[place],
      enter: words.bar.goTo(words.panel.tabs[place]),
      run: () => goTo(place),
    })),
    ...settingsSections(content).map((section) => ({
      key: `section ${section}`,
      group: "settings" as const,
      name: words.settings.names[section],
      detail: words.panel.tabs.settings,
      keywords: words.settings.keywords[section],
      enter: words.bar.goTo(words.settings.names[section]),
      run: () => goTo("settings", section),
    })),
    ...settingList
      .filter(
        ({ name, place, only }) =>
          (place !== "app" || name === "language" || content.desktop !== undefined) && only === undefined,
      )
      .map(localizedSetting)
      .map(({ name, label, section, synonyms }) => ({
        key: `setting ${name}`,
        group: "settings" as const,
        name: label,
        detail: words.settings.names[section],
        ...(synonyms === undefined ? {} : { keywords: synonyms }),
        enter: words.bar.goTo(words.settings.names[section]),
        run: () => goTo("settings", section),
      })),
    ...actions(panel),
  ];
}

function actions({ content, goTo, run }: PanelView): readonly SearchEntry[] {
  const paused = content.desktop?.paused;
  const pause = paused === true ? words.panel.resume : words.panel.pause;
  const make = words.sessions.newSession;
  return [
    ...(paused === undefined
      ? []
      : [
          {
            key: "action pause",
            group: "actions" as const,
            name: pause,
            detail: "",
            keywords: words.search.pauseKeywords,
            enter: pause,
            run: () => void run("panel.pause", { paused: !paused }),
          },
        ]),
    { key: "action new", group: "actions", name: make, detail: "", enter: make, run: () => goTo("sessions") },
  ];
}
