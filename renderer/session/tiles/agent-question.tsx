import { shortPath } from "../../../core/protocol/shell-name.ts";
import { type AgentAnswer, type AgentRequest, agentAnswers } from "../../../core/protocol/shell-restrictions.ts";
import { PersistentOptions } from "../../ui/question-answers.tsx";
import { useStandsStill } from "../../ui/stands-still.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** An agent's request for control, and the answers available to this client. */
export function AgentQuestion({ request }: { readonly request: AgentRequest }) {
  const view = useView();
  const still = useStandsStill<HTMLDivElement>();
  const { self, mirror } = useSnapshot();
  const { id, shellId, agentType, folder, wants } = request;
  const shells = mirror?.shells ?? [];
  const home = shells.find((shell) => shell.id === shellId)?.home;
  const answers = self === undefined ? [] : agentAnswers(request, shells, self);
  const answer = (given: AgentAnswer) => void view.run("answerAgent", { request: id, answer: given });
  return (
    <>
      <p>
        {words.tiles.agent.asks({
          agent: <strong>{agentType}</strong>,
          call: <small>{words.tiles.agent.called(wants)}</small>,
        })}
      </p>
      {answers.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
        <div {...still} className="question-answers agent-answers" role="group">
          <div className="question-options">
            <button type="button" className="button primary small" onClick={() => answer("once")}>
              {words.tiles.agent.once}
            </button>
            <button type="button" className="button outlined small" onClick={() => answer("no")}>
              {words.tiles.agent.no}
            </button>
          </div>
          {answers.includes("always") && (
            <PersistentOptions
              options={[{ id: "always", label: words.tiles.agent.always(agentType, shortPath(folder, home)) }]}
              choose={() => answer("always")}
            />
          )}
        </div>
      ) : (
        <p className="agent-question-waits">{words.tiles.agent.waits}</p>
      )}
    </>
  );
}

/** The requests of agents in one shell, in its tile. Never takes the focus, so that typed keys cannot answer them. */
export function AgentQuestions({ shell }: { readonly shell: number }) {
  const { mirror } = useSnapshot();
  const requests = (mirror?.restrictions.requests ?? []).filter(({ shellId }) => shellId === shell);
  return (
    <div aria-live="assertive">
      {requests.map((request) => (
        // biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields
        <div
          key={request.id}
          className="agent-question"
          role="group"
          aria-label={words.tiles.agent.label(request.agentType)}
        >
          <span className="dot wait" />
          <div className="agent-question-text">
            <AgentQuestion request={request} />
          </div>
        </div>
      ))}
    </div>
  );
}
