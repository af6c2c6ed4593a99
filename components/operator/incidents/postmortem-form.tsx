"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OperatorPostmortem } from "#server/trpc/operator/operator-status-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { sent, textIn, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Button, ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";

type Row = { key: string; id: string | null; title: string; owner: string; dueOn: string };

const maxActions = 20;

const rowsOf = (written: OperatorPostmortem | null): Row[] =>
  (written?.actions ?? []).map(({ id, title, owner, dueOn }) => ({ key: id, id, title, owner, dueOn }));

/** What happened, why, and who does what about it. Saved as a draft, or for everybody to read. */
export const PostmortemForm = ({ incidentId, written }: { incidentId: string; written: OperatorPostmortem | null }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const [rows, setRows] = useState(() => rowsOf(written));
  const isPublic = Boolean(written?.publishedAt);
  const add = () => setRows([...rows, { key: crypto.randomUUID(), id: null, title: "", owner: "", dueOn: "" }]);
  const page = `/operator/incidents/${incidentId}`;
  return (
    <form
      className={`card ${styles.form} ${styles.box}`}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        const isPublished = submitter?.getAttribute("value") === "publish";
        const form = sent(event);
        return perform(async () => {
          await trpc.operatorStatus.writePostmortem.mutate({
            incidentId,
            isPublished,
            seen: written?.updatedAt ?? null,
            summary: textIn(form, "summary"),
            timeline: textIn(form, "timeline"),
            causes: textIn(form, "causes"),
            actions: rows.map(({ key, id }) => ({
              id,
              title: textIn(form, `title:${key}`),
              owner: textIn(form, `owner:${key}`),
              dueOn: textIn(form, `due:${key}`),
            })),
          });
          router.push(page);
          router.refresh();
        });
      }}
    >
      <TextArea
        label="Summary"
        name="summary"
        maxLength={20_000}
        defaultValue={written?.summary}
        hint="What users met, for how long, and how it ended."
      />
      <TextArea
        label="Timeline"
        name="timeline"
        rows={6}
        maxLength={20_000}
        defaultValue={written?.timeline}
        hint="A line per event, with its time in UTC."
      />
      <TextArea
        label="Causes"
        name="causes"
        maxLength={20_000}
        defaultValue={written?.causes}
        hint="What made it possible; systems, not people."
      />
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
      {notice}
      <div className={styles.acts}>
        {/* The first one is what Enter in a field does. */}
        {isPublic ? null : (
          <SubmitButton value="draft" aria-busy={isBusy || undefined}>
            Save draft
          </SubmitButton>
        )}
        <SubmitButton variant="primary" value="publish" aria-busy={isBusy || undefined}>
          {isPublic ? "Save, for everybody to read" : "Publish"}
        </SubmitButton>
        <ButtonLink href={page} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
};
