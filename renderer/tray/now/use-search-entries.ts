import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { type Setting, settingList } from "../../../core/protocol/settings.ts";
import type { PanelSession } from "../../../preload/channels.ts";
import { appearanceOf } from "../../session/terminal/terminal-theme.ts";
import { localizedSetting } from "../../settings/localized-setting.ts";
import { roleWords } from "../../ui/words.ts";
import { shellNameIn } from "../panel-summary.ts";
import { settingsSections } from "../settings-sections.ts";
import { type PanelView, usePanel } from "../use-panel.ts";
import { targets } from "../use-target.ts";
import { words } from "../words/index.ts";
import { peopleOf } from "./people.ts";
import type { SearchEntry } from "./search.ts";

const places = ["now", "sessions", "agents", "activity", "settings"] as const;
/** Lists what the search can lead to. */
export function useSearchEntries(): readonly SearchEntry[] {
  const panel = usePanel();
  const { content, goTo, run } = panel;
  const remotes = panel.can("panel.openMachine") ? panel.remotes : [];
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
        run: () => goTo("sessions", { item: targets.client(session.id, client.id) }),
      })),
    ...content.sessions.flatMap((session) =>
      session.awayGuests.map(({ id, name, role }) => ({
        key: `guest ${session.id} ${id}`,
        group: "people" as const,
        name,
        detail: `${roleWords[role]} · ${session.name}`,
        enter: said.toPeople,
        run: () => goTo("sessions", { item: targets.guest(session.id, id) }),
      })),
    ),
    ...places.map((place) => ({
      key: `place ${place}`,
      group: "places" as const,
      name: words.panel.tabs[place],
      detail: "",
      keywords: said.placeKeywords[place],
      enter: words.bar.goTo(words.panel.tabs[place]),
      run: () => goTo(place),
    })),
    ...settingList
      .filter(
        ({ name, place, only }) =>
          (place !== "app" || name === "language" || content.desktop !== undefined) && only === undefined,
      )
      .toSorted((one, other) => Number(isOfOtherTheme(one)) - Number(isOfOtherTheme(other)))
      .map(localizedSetting)
      .map(({ name, label, section, synonyms }) => ({
        key: `setting ${name}`,
        group: "settings" as const,
        name: label,
        detail: words.settings.names[section],
        ...(synonyms === undefined ? {} : { keywords: synonyms }),
        enter: words.bar.goTo(words.settings.names[section]),
        run: () => goTo("settings", { section, setting: name }),
      })),
    // A setting that is called so is more likely meant than the section with others.
    ...settingsSections(content).map((section) => ({
      key: `section ${section}`,
      group: "settings" as const,
      name: words.settings.names[section],
      detail: words.panel.tabs.settings,
      keywords: words.settings.keywords[section],
      enter: words.bar.goTo(words.settings.names[section]),
      run: () => goTo("settings", { section }),
    })),
    ...actions(panel),
  ];
}

/** Returns whether a setting has colours that are not shown now. */
function isOfOtherTheme({ control }: Setting): boolean {
  return control.kind === "theme" && control.appearance !== appearanceOf(document);
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
    {
      key: "action new",
      group: "actions",
      name: make,
      detail: "",
      enter: make,
      run: () => goTo("sessions", { item: targets.newSession }),
    },
    ...content.sessions.flatMap((session) => sessionActions(session, goTo)),
  ];
}

/** Inviting to a session, and showing out each of the others who are in it, or may come back. */
function sessionActions(session: PanelSession, goTo: PanelView["goTo"]): readonly SearchEntry[] {
  const { id, name, self, clients, awayGuests } = session;
  const { inviteKeywords, leaveKeywords } = words.search;
  const action = (item: string, label: string, keywords: string): SearchEntry => ({
    key: `action ${item}`,
    group: "actions",
    name: label,
    detail: "",
    keywords,
    enter: label,
    run: () => goTo("sessions", { item }),
  });
  const leave = (person: string, label: string): SearchEntry => ({
    ...action(targets.leave(person), label, leaveKeywords),
    detail: name,
  });
  return [
    action(targets.invite(id), words.invite.title(name), inviteKeywords),
    ...clients
      .filter((client) => client.id !== self)
      .map((client) => leave(targets.client(id, client.id), words.people.disconnect.label(client.name))),
    ...awayGuests.map((guest) => leave(targets.guest(id, guest.id), words.people.remove.label(guest.name))),
  ];
}
