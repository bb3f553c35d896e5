import { useState } from "react";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import { InlineName } from "../../ui/inline-name.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useStore } from "../../ui/store.ts";
import { goToWaiting } from "../actions/go-to-waiting.ts";
import { openDocs } from "../actions/open-docs.ts";
import { callDrawer, showInvites, useCanInvite } from "../actions/toggle-drawer.ts";
import type { AppFrame, Install } from "../view/session-host.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** The mark and the session's name: opens the menu of the session and, in the app, of the other sessions and the panel. */
export function SessionMenu() {
  const view = useView();
  const { mirror, self } = useSnapshot();
  const canInvite = useCanInvite();
  const name = mirror?.session.name ?? "Patchbay";
  const { machine } = view.host;
  const shown = machine === undefined ? name : words.view.onMachine(name, machine);
  const waiting = mirror === undefined ? 0 : waitingFor(mirror, self).length;
  return (
    <Popover
      label={mirror === undefined ? words.frame.sessionMenu.title : words.frame.sessionMenu.titleOf(shown)}
      className="button quiet brand"
      align="start"
      button={
        <>
          <Mark />
          <h1 className="ellipsis">{name}</h1>
          {machine !== undefined && <span className="machine-mark ellipsis">{machine}</span>}
        </>
      }
    >
      {(close) => (
        <div className="session-menu">
          <p className="popover-title">
            {mirror === undefined ? name : words.frame.sessionMenu.sessionOf(shown, mirror.session.owner)}
          </p>
          <Items
            items={[
              { label: words.frame.sessionMenu.places, run: () => view.ui.palette.set({ kind: "places" }) },
              { label: words.frame.sessionMenu.commands, run: () => view.ui.palette.set({ kind: "commands" }) },
              {
                label: words.frame.sessionMenu.questions,
                ...(waiting > 0 ? { note: words.frame.sessionMenu.waiting(waiting) } : {}),
                run: () => goToWaiting(view),
              },
              { label: words.frame.sessionMenu.chat, run: () => view.ui.chatOpen.set(true) },
              ...(canInvite ? [{ label: words.frame.sessionMenu.invite, run: () => showInvites(view) }] : []),
              ...(view.host.app === undefined
                ? [{ label: words.frame.sessionMenu.terminalSettings, run: () => view.ui.settingsOpen.set(true) }]
                : []),
              { label: words.frame.sessionMenu.shortcuts, run: () => view.ui.shortcutsOpen.set(true) },
              // Those who can watch call nothing.
              ...(self?.role === "reader"
                ? []
                : [{ label: words.frame.sessionMenu.docs, run: () => void openDocs(view) }]),
            ]}
            close={close}
          />
          {view.host.install !== undefined && <InstallItem install={view.host.install} close={close} />}
          {view.host.app === undefined && canInvite && <DrawerItems close={close} />}
          {view.host.app !== undefined && <AppItems app={view.host.app} close={close} />}
        </div>
      )}
    </Popover>
  );
}

/** Offers to install the page, while the browser does. */
function InstallItem({ install, close }: { install: Install; close: () => void }) {
  const run = useStore(install);
  return run === undefined ? null : <Items items={[{ label: words.frame.sessionMenu.install, run }]} close={close} />;
}

interface Item {
  readonly label: string;
  readonly note?: string;
  run(): void;
}

function Items({ items, close }: { items: readonly Item[]; close: () => void }) {
  return items.map(({ label, note, run }) => (
    <button
      key={label}
      type="button"
      className="button quiet"
      onClick={() => {
        close();
        run();
      }}
    >
      <span className="ellipsis">{label}</span>
      {note !== undefined && <span className="menu-note">{note}</span>}
    </button>
  ));
}

/** The places of the panel that the owner in a browser has in the drawer. */
function DrawerItems({ close }: { close: () => void }) {
  const view = useView();
  const said = words.frame.sessionMenu;
  return (
    <>
      <hr />
      <Items
        close={close}
        items={(["costs", "people", "activity", "settings"] as const).map((kind) => ({
          label: said[kind],
          run: () => callDrawer(view, { kind }),
        }))}
      />
    </>
  );
}

function AppItems({ app, close }: { app: AppFrame; close: () => void }) {
  const view = useView();
  const { mirror } = useSnapshot();
  const { sessions } = useStore(app.facts);
  const [naming, setNaming] = useState(false);
  const isHere = view.host.machine === undefined;
  const others = sessions.filter(({ id }) => !isHere || id !== mirror?.session.id);
  return (
    <>
      <hr />
      <Items
        close={close}
        items={others.map(({ id, name, waiting }) => ({
          label: name,
          ...(waiting > 0 ? { note: words.frame.sessionMenu.waiting(waiting) } : {}),
          run: () => app.openSession(id),
        }))}
      />
      {naming ? (
        <InlineName
          className="field"
          label={words.frame.sessionMenu.sessionName}
          name=""
          save={(name) => {
            close();
            void app.createSession(name).catch((error: Error) => view.ui.toasts.show("error", error.message));
          }}
          done={() => setNaming(false)}
        />
      ) : (
        <button type="button" className="button quiet" onClick={() => setNaming(true)}>
          {words.frame.sessionMenu.newSession}
        </button>
      )}
      <hr />
      <Items
        close={close}
        items={[
          { label: words.frame.sessionMenu.costs, run: () => app.showPanel("agents") },
          ...(isHere ? [{ label: words.frame.sessionMenu.people, run: () => app.showPanel("sessions") }] : []),
          { label: words.frame.sessionMenu.activity, run: () => app.showPanel("activity") },
          { label: words.frame.sessionMenu.settings, run: () => app.showSettings() },
          ...(isHere ? [{ label: words.frame.sessionMenu.welcome, run: () => app.showWelcome(true) }] : []),
        ]}
      />
    </>
  );
}
