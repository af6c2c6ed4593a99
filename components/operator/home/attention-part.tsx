import type { ServiceQueues } from "#server/trpc/operator/home/operator-home-views.ts";
import { Attention } from "../../portal/attention.tsx";
import { Skeleton } from "../../portal/skeleton.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type AttentionCounts, operatorAttention, silentWorker } from "./operator-attention.ts";
import { PagePart, type PartAnswer, PartNotice } from "./page-part.tsx";

type Props = {
  attention: Promise<PartAnswer<AttentionCounts>>;
  queues: Promise<PartAnswer<ServiceQueues>>;
  now: Date;
  /** whether the role may open the outbox; otherwise items about e-mail are left out */
  mayListMail: boolean;
};

/** What needs attention. “Nothing needs attention.” appears only if both sources were loaded. */
export const AttentionPart = ({ attention, queues, now, mayListMail }: Props) => (
  <PagePart
    answer={both(attention, queues)}
    pending={<Skeleton shape="attention" />}
    unloaded={(why) => <PartNotice name="Needs attention" why={why} />}
  >
    {([counts, workers]) => {
      const items = [
        ...(workers.kind === "loaded" ? silentWorker({ workerSeenAt: workers.data.workerSeenAt, now }) : []),
        ...(counts.kind === "loaded"
          ? operatorAttention(mayListMail ? counts.data : { ...counts.data, failedMail: 0, retryingMail: 0 })
          : []),
      ];
      return (
        <>
          {items.length > 0 ? <Attention items={items} /> : null}
          {counts.kind === "loaded" ? null : <PartNotice name="Needs attention" why={counts.kind} />}
          {workers.kind === "loaded" ? null : <PartNotice name="State of the workers" why={workers.kind} />}
          {items.length === 0 && counts.kind === "loaded" && workers.kind === "loaded" ? (
            <Notice tone="good">Nothing needs attention.</Notice>
          ) : null}
        </>
      );
    }}
  </PagePart>
);

const both = async <Left, Right>(
  left: Promise<PartAnswer<Left>>,
  right: Promise<PartAnswer<Right>>,
): Promise<PartAnswer<[PartAnswer<Left>, PartAnswer<Right>]>> => ({
  kind: "loaded",
  data: await Promise.all([left, right]),
});
