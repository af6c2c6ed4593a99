"use client";
import type { OperatorPostmortem } from "#server/trpc/operator/operator-status-views.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";

/** An action of a postmortem. `id` is null until it is saved. */
export type ActionRow = { key: string; id: string | null; title: string; owner: string; dueOn: string };

const maxActions = 20;

export const toRows = (postmortem: OperatorPostmortem | null): ActionRow[] =>
  (postmortem?.actions ?? []).map(({ id, title, owner, dueOn }) => ({ key: id, id, title, owner, dueOn }));

export const readActions = (form: FormData, rows: readonly ActionRow[]) =>
  rows.map(({ key, id }) => ({
    id,
    title: textField(form, `title:${key}`),
    owner: textField(form, `owner:${key}`),
    dueOn: textField(form, `due:${key}`),
  }));

type ActionFieldsProps = { rows: readonly ActionRow[]; setRows: (rows: readonly ActionRow[]) => void };

export const ActionFields = ({ rows, setRows }: ActionFieldsProps) => {
  const add = () => setRows([...rows, { key: crypto.randomUUID(), id: null, title: "", owner: "", dueOn: "" }]);
  return (
    <fieldset className={styles.group}>
      <legend>Actions</legend>
      <div className={styles.form}>
        {rows.map(({ key, title, owner, dueOn }, index) => (
          <div key={key} className={styles.row}>
            <Field
              label={`Action ${index + 1}`}
              name={`title:${key}`}
              required
              minLength={3}
              maxLength={300}
              defaultValue={title}
            />
            <Field label="Owner" name={`owner:${key}`} required minLength={2} maxLength={100} defaultValue={owner} />
            <Field label="Due" name={`due:${key}`} type="date" required defaultValue={dueOn} />
            <Button
              variant="quiet"
              aria-label={`Remove action ${index + 1}`}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            >
              Remove
            </Button>
          </div>
        ))}
        <div>
          <Button size="small" onClick={add} disabled={rows.length >= maxActions}>
            Add an action
          </Button>
        </div>
      </div>
    </fieldset>
  );
};
