import { useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import { useIsShown } from "../../ui/use-is-shown.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { lastValues, rememberValues } from "./last-values.ts";
import { ParamField } from "./param-field.tsx";
import { fieldsOf, initialValues, type MethodForm, parseForm } from "./param-form.ts";

/** Form for a command's parameters. Shows errors in place, and closes when the command succeeded. */
export function CommandForm({ method, form, value, close }: MethodForm & { close: () => void }) {
  const { host, ui } = useView();
  const snapshot = useSnapshot();
  const { state } = snapshot;
  const fields = useMemo(() => fieldsOf({ method, form }), [method, form]);
  const [last] = useState(() => lastValues(ui, { method, form }, { fields, snapshot }));
  const [values, setValues] = useState(() => initialValues(fields, value, last));
  const [problem, setProblem] = useState<{ field?: string; message: string }>();
  const [running, setRunning] = useState(false);
  const heading = useId();
  const isShown = useIsShown();
  const element = useRef<HTMLFormElement>(null);
  // What is typed replaces a value of the last time, and goes on behind one that was typed.
  useLayoutEffect(() => {
    const { activeElement: field } = document;
    const isRepeated = value === undefined && element.current?.contains(field) === true;
    if (isRepeated && field instanceof HTMLInputElement && field.type !== "checkbox") field.select();
  }, [value]);

  const run = async () => {
    const read = parseForm({ form }, fields, { values, focusedTile: focusOf(state) });
    if ("wrong" in read) {
      setProblem({ field: read.wrong, message: read.message });
      return;
    }
    setProblem(undefined);
    setRunning(true);
    try {
      await host.execute(method, read.params);
      rememberValues(ui, { method, form }, values, { fields, snapshot });
      // What is open after the form was cancelled stays.
      if (isShown.current) close();
    } catch (error) {
      if (isShown.current) setProblem({ message: errorText(error) });
      else ui.toasts.show("error", errorText(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <form
      ref={element}
      className="command-form"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <h2 id={heading}>{form.title.replace(/…$/, "")}</h2>
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
      <div className="actions">
        <button type="button" className="button quiet" onClick={close}>
          {words.palette.cancel}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: a form without fields has only this to do */}
        <button type="submit" className="button primary" disabled={running} autoFocus={fields.length === 0}>
          {form.submit}
        </button>
      </div>
    </form>
  );
}
