import type { RoleRequest } from "../../../core/protocol/records.ts";
import { mayChangeRoles } from "../../../core/protocol/waiting.ts";
import { useBusy } from "../../ui/use-busy.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { ToastActions } from "./toast-actions.tsx";
import { useLiveRequests } from "./use-live-requests.ts";

/** People who ask the session's owner to let them type. Amber, because they wait for the user. */
export function RoleRequests() {
  const live = useLiveRequests();
  const { mirror, self } = useSnapshot();
  const asked = mirror !== undefined && mayChangeRoles(mirror.clients, self) ? mirror.roleRequests : [];
  return (
    <div aria-live={live}>
      {asked.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </div>
  );
}

function Request({ request: { id, from } }: { readonly request: RoleRequest }) {
  const view = useView();
  const [isBusy, runOnce] = useBusy();
  const answer = (allow: boolean) => runOnce(() => view.run("answerRoleRequest", { request: id, allow }));
  return (
    <div className="toast role-request" data-kind="wait" tabIndex={-1}>
      <span className="dot wait" />
      <div className="toast-text">
        {from.guest ? words.toasts.guestAsksToType(from.name) : words.toasts.askToType(from.name)}
        <ToastActions isBusy={isBusy}>
          <button type="button" className="button primary small" onClick={() => answer(true)}>
            {words.toasts.letType(from.name)}
          </button>
          <button type="button" className="button outlined small" onClick={() => answer(false)}>
            {words.toasts.later}
          </button>
        </ToastActions>
      </div>
    </div>
  );
}
