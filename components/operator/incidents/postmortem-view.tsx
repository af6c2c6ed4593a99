"use client";
import { useRouter } from "next/navigation";
import type { OperatorPostmortem } from "#server/trpc/operator/operator-status-views.ts";
import { formatUtcDate } from "../../format/dates.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
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
}) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const done = (actionId: string) =>
    perform(async () => {
      await trpc.operatorStatus.completeAction.mutate({ incidentId, actionId });
      router.refresh();
    });
  return (
    <>
      <Facts>
        {(["summary", "timeline", "causes"] as const).map((part) => (
          <Fact key={part} name={`${part.charAt(0).toUpperCase()}${part.slice(1)}`}>
            <span className={styles.words}>{postmortem[part] || "Not written yet"}</span>
          </Fact>
        ))}
        {postmortem.actions.map(({ id, title, owner, dueOn, doneAt }, index) => (
          <Fact key={id} name={`Action ${index + 1}`}>
            <div className={styles.action}>
              <div>
                {title}
                <CellNote>
                  {owner}, due {formatUtcDate(dueOn, locale)}
                </CellNote>
              </div>
              {doneAt ? (
                <Pill tone="good">Done</Pill>
              ) : (
                <Button
                  size="small"
                  isBusy={isBusy}
                  onClick={() => done(id)}
                  aria-label={`Mark action ${index + 1} done`}
                >
                  Mark done
                </Button>
              )}
            </div>
          </Fact>
        ))}
      </Facts>
      {notice}
    </>
  );
};
