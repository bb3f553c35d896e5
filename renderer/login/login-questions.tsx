import { useEffect, useState } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import type { PageBridge } from "../../preload/channels.ts";
import { LoginQuestion } from "./login-question.tsx";

/** Every program that asks to be let in, the oldest first. */
export function LoginQuestions({ bridge }: { readonly bridge: PageBridge }) {
  const [logins, setLogins] = useState<readonly PendingLogin[]>([]);
  useEffect(() => {
    const stop = bridge.on("login.changed", setLogins);
    void bridge.invoke("login.start", undefined);
    return stop;
  }, [bridge]);
  return (
    <main aria-label="Programs that ask to be let in">
      {logins.map((login) => (
        <LoginQuestion
          key={login.code}
          login={login}
          answer={(allow) => void bridge.invoke("login.answer", { code: login.code, allow })}
        />
      ))}
    </main>
  );
}
