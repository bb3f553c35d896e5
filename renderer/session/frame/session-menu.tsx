import { useState } from "react";
import { formatTime } from "../../ui/format-time.ts";
import { InlineName } from "../../ui/inline-name.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useStore } from "../../ui/store.ts";
import { roleWords } from "../../ui/words.ts";
import type { AppFrame, Install } from "../view/session-host.ts";
import { useSnapshot, useView, type View } from "../view/view.ts";

/** The mark and the session's name: opens the menu of the session and, in the app, of the other sessions and the panel. */
export function SessionMenu() {
  const view = useView();
  const { mirror } = useSnapshot();
  const name = mirror?.session.name ?? "Patchbay";
  return (
    <Popover
      label={mirror === undefined ? "Menu" : `Menu of the session ${name}`}
      className="button quiet brand"
      align="start"
      button={
        <>
          <Mark />
          <h1 className="ellipsis">{name}</h1>
        </>
      }
    >
      {(close) => (
        <div className="session-menu">
          <p className="popover-title">
            {name}
            {mirror !== undefined && ` · session of ${mirror.session.owner}`}
          </p>
          <Items
            items={[
              { label: "Go to…", run: () => view.ui.palette.set({ kind: "places" }) },
              { label: "Commands…", run: () => view.ui.palette.set({ kind: "commands" }) },
              { label: "Chat", run: () => view.ui.chatOpen.set(true) },
              { label: "Terminal settings…", run: () => view.ui.settingsOpen.set(true) },
            ]}
            close={close}
          />
          {view.host.install !== undefined && <InstallItem install={view.host.install} close={close} />}
          {view.host.app !== undefined && <AppItems app={view.host.app} close={close} />}
        </div>
      )}
    </Popover>
  );
}

/** Offers to install the page, while the browser does. */
function InstallItem({ install, close }: { install: Install; close: () => void }) {
  const run = useStore(install);
  return run === undefined ? null : <Items items={[{ label: "Install as an app…", run }]} close={close} />;
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

function AppItems({ app, close }: { app: AppFrame; close: () => void }) {
  const view = useView();
  const { mirror } = useSnapshot();
  const { sessions } = useStore(app.facts);
  const [naming, setNaming] = useState(false);
  const others = sessions.filter(({ id }) => id !== mirror?.session.id);
  return (
    <>
      <hr />
      <Items
        close={close}
        items={(["writer", "reader"] as const).map((role) => ({
          label: `Copy an invite link: ${roleWords[role]}`,
          run: () => void invite(view, app, role),
        }))}
      />
      <hr />
      <Items
        close={close}
        items={others.map(({ id, name, waiting }) => ({
          label: name,
          ...(waiting > 0 ? { note: waiting === 1 ? "1 waits" : `${waiting} wait` } : {}),
          run: () => app.openSession(id),
        }))}
      />
      {naming ? (
        <InlineName
          className="field"
          label="Name of the new session"
          name=""
          save={(name) => {
            close();
            void app.createSession(name).catch((error: Error) => view.ui.toasts.show("error", error.message));
          }}
          done={() => setNaming(false)}
        />
      ) : (
        <button type="button" className="button quiet" onClick={() => setNaming(true)}>
          New session…
        </button>
      )}
      <hr />
      <Items
        close={close}
        items={[
          { label: "Agents and costs", run: () => app.showPanel("costs") },
          { label: "People", run: () => app.showPanel("people") },
          { label: "Activity", run: () => app.showPanel("activity") },
          { label: "Settings", run: () => app.showPanel("settings") },
          { label: "Welcome to Patchbay", run: () => app.showWelcome(true) },
        ]}
      />
    </>
  );
}

/** Puts an invite link on the clipboard and says so. */
export async function invite(view: View, app: AppFrame, role: "writer" | "reader"): Promise<void> {
  try {
    const { expiresAt } = await app.invite(role);
    const words = `The link is on the clipboard. It lets one browser in (${roleWords[role]}), until ${formatTime(expiresAt)}.`;
    view.ui.toasts.show("success", words);
  } catch (error) {
    view.ui.toasts.show("error", error instanceof Error ? error.message : String(error));
  }
}
