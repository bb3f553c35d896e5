import { Fragment, type ReactNode } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import { InviteButton } from "../invite.tsx";
import { shellNameIn } from "../panel-summary.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { type Person, peopleOf } from "./people.ts";

/** Faces that are drawn before a number stands for the rest. */
const MOST_FACES = 4;
/** People whom the sentence names. */
const MOST_NAMED = 2;

/** Who is here, in one line, and the way to invite others. */
export function Here() {
  const { content } = usePanel();
  const people = peopleOf(content.sessions);
  const others = people.filter(({ isSelf }) => !isSelf);
  const [session] = content.sessions;
  return (
    <section className="now-here" aria-label={words.here.title}>
      {people.length > 0 && <Faces people={people} />}
      <p className="ellipsis" title={others.map(({ client }) => client.name).join(", ")}>
        {others.length === 0 ? words.here.alone : <Others people={others} />}
      </p>
      {session !== undefined && <InviteButton session={session} />}
    </section>
  );
}

/** People as overlapping faces. */
export function Faces({ people }: { readonly people: readonly Person[] }) {
  const more = people.length - MOST_FACES;
  return (
    <span className="now-faces">
      {people.slice(0, MOST_FACES).map(({ key, client }) => (
        <Avatar key={key} name={client.name} id={client.id} colour={client.colour} />
      ))}
      {more > 0 && <span className="panel-faint">+{more}</span>}
    </span>
  );
}

function Others({ people }: { readonly people: readonly Person[] }) {
  const named = people.slice(0, MOST_NAMED);
  const more = people.length - named.length;
  return (
    <>
      {named.map((person, index) => (
        <Fragment key={person.key}>
          {index > 0 && ", "}
          {doesWhat(person)}
        </Fragment>
      ))}
      {more > 0 && words.here.more(more)}
    </>
  );
}

function doesWhat({ client, session }: Person): ReactNode {
  const name = <strong>{client.name}</strong>;
  if (client.role === "reader") return words.here.watches({ name });
  const shell = client.looksAt?.type === "shell" ? shellNameIn(session, client.looksAt.id) : undefined;
  return shell === undefined ? words.here.isIn({ name, session: session.name }) : words.here.types({ name, shell });
}
