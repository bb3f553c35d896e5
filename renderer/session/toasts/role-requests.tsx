import { mayChangeRoles } from "../../../core/protocol/waiting.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { ToastActions } from "./toast-actions.tsx";
import { useLiveRequests } from "./use-live-requests.ts";

/** People who ask the session's owner to let them type. Amber, because they wait for the user. */
export function RoleRequests() {
  const live = useLiveRequests();
  const view = useView();
  const { mirror, self } = useSnapshot();
  const asked = mirror !== undefined && mayChangeRoles(mirror.clients, self) ? mirror.roleRequests : [];
  const answer = (request: number, allow: boolean) => void view.run("answerRoleRequest", { request, allow });
  return (
    <div aria-live={live}>
      {asked.map(({ id, from }) => (
        <div key={id} className="toast role-request" data-kind="wait" tabIndex={-1}>
          <span className="dot wait" />
          <div className="toast-text">
            {from.guest ? words.toasts.guestAsksToType(from.name) : words.toasts.askToType(from.name)}
            <ToastActions>
              <button type="button" className="button primary small" onClick={() => answer(id, true)}>
                {words.toasts.letType(from.name)}
              </button>
              <button type="button" className="button outlined small" onClick={() => answer(id, false)}>
                {words.toasts.later}
              </button>
            </ToastActions>
          </div>
        </div>
      ))}
    </div>
  );
}
