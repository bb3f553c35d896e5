import { useId, useMemo, useState } from "react";
import { type MethodName, specs } from "../../../core/commands/specs.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { ParamField } from "./param-field.tsx";
import { fieldsOf, initialValues, parseForm } from "./param-form.ts";

/** Form for a command's parameters. Shows errors in place, and the result of commands that only read. */
export function CommandForm({ method, close }: { method: MethodName; close: () => void }) {
  const { host } = useView();
  const { state } = useSnapshot();
  const { summary, details, role } = specs[method];
  const fields = useMemo(() => fieldsOf(method), [method]);
  const [values, setValues] = useState(() => initialValues(fields, focusOf(state)));
  const [problem, setProblem] = useState<{ field?: string; message: string }>();
  const [result, setResult] = useState<string>();
  const [running, setRunning] = useState(false);
  const heading = useId();

  const run = async () => {
    const read = parseForm(fields, values);
    if ("wrong" in read) {
      setProblem({ field: read.wrong, message: read.message });
      return;
    }
    setProblem(undefined);
    setRunning(true);
    try {
      const answer = await host.execute(method, read.params);
      // Changes are visible on the screen; only reading commands show their result here.
      if (role === "reader" && method !== "toast" && method !== "notify") setResult(JSON.stringify(answer, null, 2));
      else close();
    } catch (error) {
      setProblem({ message: error instanceof Error ? error.message : String(error) });
    } finally {
      setRunning(false);
    }
  };

  return (
    <form
      className="command-form"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <h2 id={heading}>{summary}</h2>
      {details !== undefined && <p>{details}</p>}
      {fields.map((field, index) => (
        <ParamField
          key={field.name}
          field={field}
          first={index === 0}
          value={values[field.name] ?? ""}
          wrong={problem?.field === field.name}
          set={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      {result !== undefined && <pre className="quote result">{result}</pre>}
      <div className="actions">
        <code className="method">{method}</code>
        <button type="button" className="button quiet" onClick={close}>
          {result === undefined ? "Cancel" : "Close"}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: a form without fields has only this to do */}
        <button type="submit" className="button primary" disabled={running} autoFocus={fields.length === 0}>
          Run
        </button>
      </div>
    </form>
  );
}
