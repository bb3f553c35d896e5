import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import type { PageBridge } from "../../preload/channels.ts";
import { useLanguage } from "../ui/language.ts";
import { LoginQuestion } from "./login-question.tsx";
import { words } from "./words.ts";

/** All pending logins, oldest first. */
export function LoginQuestions({ bridge }: { readonly bridge: PageBridge }) {
  useLanguage();
  const [logins, setLogins] = useState<readonly PendingLogin[]>([]);
  useEffect(() => {
    const stop = bridge.on("login.changed", setLogins);
    void bridge.invoke("login.start", undefined);
    return stop;
  }, [bridge]);
  const list = useReportedHeight(logins, (height) => void bridge.invoke("login.size", { height }));
  return (
    <main aria-label={words.title}>
      <div ref={list}>
        {logins.map((login) => (
          <LoginQuestion
            key={login.code}
            login={login}
            answer={(allow) => void bridge.invoke("login.answer", { code: login.code, allow })}
          />
        ))}
      </div>
    </main>
  );
}

/** Reports the height of the questions after every change: the window is shown only then and takes that height. */
function useReportedHeight(logins: readonly PendingLogin[], tell: (height: number) => void) {
  const list = useRef<HTMLDivElement>(null);
  const latest = useRef(tell);
  latest.current = tell;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the questions are what the height depends on.
  useLayoutEffect(() => {
    const measure = () => {
      const height = Math.ceil(list.current?.getBoundingClientRect().height ?? 0);
      if (height > 0) latest.current(height);
    };
    measure();
    void document.fonts.ready.then(measure);
  }, [logins]);
  return list;
}
