"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OperatorPostmortem } from "#server/trpc/operator/operator-status-views.ts";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field/field.tsx";
import { ActionFields, type ActionRow, readActions, toRows } from "./action-fields.tsx";

type PostmortemFormProps = { incidentId: string; postmortem: OperatorPostmortem | null };

/** The form of a postmortem: what happened, why, and who does what next. It is saved as a draft or published. */
export const PostmortemForm = ({ incidentId, postmortem }: PostmortemFormProps) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const [rows, setRows] = useState<readonly ActionRow[]>(() => toRows(postmortem));
  const incidentPage = `/operator/incidents/${incidentId}`;
  const save = (form: FormData, isPublished: boolean) =>
    perform(async () => {
      await trpc.operatorStatus.writePostmortem.mutate({
        incidentId,
        isPublished,
        seen: postmortem?.updatedAt ?? null,
        summary: textField(form, "summary"),
        timeline: textField(form, "timeline"),
        causes: textField(form, "causes"),
        actions: readActions(form, rows),
        reason: textField(form, "reason"),
      });
      router.push(incidentPage);
      router.refresh();
    });
  return (
    <form
      className={`card ${styles.form} ${styles.box}`}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        return save(submittedForm(event), submitter?.getAttribute("value") === "publish");
      }}
    >
      <TextFields postmortem={postmortem} />
      <ActionFields rows={rows} setRows={setRows} />
      <ReasonField label="Reason for this change" />
      {notice}
      <SaveButtons isPublic={Boolean(postmortem?.publishedAt)} isBusy={isBusy} cancelHref={incidentPage} />
    </form>
  );
};

const TextFields = ({ postmortem }: Pick<PostmortemFormProps, "postmortem">) => (
  <>
    <TextArea
      label="Summary"
      name="summary"
      maxLength={20_000}
      defaultValue={postmortem?.summary}
      hint="What users noticed, for how long, and how it ended."
    />
    <TextArea
      label="Timeline"
      name="timeline"
      rows={6}
      maxLength={20_000}
      defaultValue={postmortem?.timeline}
      hint="One event per line, with its time in UTC."
    />
    <TextArea
      label="Causes"
      name="causes"
      maxLength={20_000}
      defaultValue={postmortem?.causes}
      hint="Why it happened. Name systems, not people."
    />
  </>
);

type SaveButtonsProps = { isPublic: boolean; isBusy: boolean; cancelHref: string };

const SaveButtons = ({ isPublic, isBusy, cancelHref }: SaveButtonsProps) => (
  <div className={styles.acts}>
    {/* The Enter key in a field presses the first button: for an unpublished postmortem, Save draft. */}
    {isPublic ? null : (
      <SubmitButton value="draft" aria-busy={isBusy || undefined}>
        Save draft
      </SubmitButton>
    )}
    <SubmitButton variant="primary" value="publish" aria-busy={isBusy || undefined}>
      {isPublic ? "Save and publish" : "Publish"}
    </SubmitButton>
    <ButtonLink href={cancelHref} variant="quiet">
      Cancel
    </ButtonLink>
  </div>
);
