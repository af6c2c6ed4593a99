"use client";
import type { OperatorPostmortem } from "#server/trpc/operator/operator-status-views.ts";
import { formatShortUtcDate } from "../../format/dates.ts";
import { capitalize } from "../../format/text.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote } from "../../ui/table.tsx";

/** A postmortem with its actions, which can be marked done. */
export const PostmortemView = ({
  incidentId,
  postmortem,
  locale,
}: {
  incidentId: string;
  postmortem: OperatorPostmortem;
  locale: string;
}) => (
  <Facts>
    {(["summary", "timeline", "causes"] as const).map((part) => (
      <Fact key={part} name={capitalize(part)}>
        <span className={styles.words}>{postmortem[part] || "Not written yet"}</span>
      </Fact>
    ))}
    {postmortem.actions.map(({ id, title, owner, dueOn, doneAt }, index) => (
      <Fact key={id} name={`Action ${index + 1}`}>
        <div className={styles.action}>
          <div>
            {title}
            <CellNote>
              {owner}, due {formatShortUtcDate(dueOn, locale)}
            </CellNote>
          </div>
          {doneAt ? (
            <Pill tone="good">Done</Pill>
          ) : (
            <MarkDone incidentId={incidentId} actionId={id} position={index + 1} />
          )}
        </div>
      </Fact>
    ))}
  </Facts>
);

/** Marks an action as done, with a reason. This can't be undone. */
const MarkDone = ({ incidentId, actionId, position }: { incidentId: string; actionId: string; position: number }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" onClick={open} aria-label={`Mark action ${position} as done`}>
        Mark as done
      </Button>
      <ReasonDialog
        {...dialog}
        title={`Mark action ${position} as done?`}
        confirmLabel="Mark as done"
        onConfirm={(reason) => run(() => trpc.operatorStatus.completeAction.mutate({ incidentId, actionId, reason }))}
      >
        If the postmortem is public, the status page shows that the action is done. This can’t be undone.
      </ReasonDialog>
    </>
  );
};
