import type { Metadata } from "next";
import { formatTime } from "#components/format/dates.ts";
import { approvalTitle } from "#components/format/labels/approval-labels.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Approvals" };

const ApprovalsPage = async () => {
  const { api, reader } = await portalPage("/wallet/approvals");
  const approvals = await api.wallet.approvals();
  return (
    <>
      <PageHead title="Approvals">
        Payments that need your approval. A payment that you don’t approve within 15 minutes expires, and nothing is
        charged.
      </PageHead>
      {approvals.length > 0 ? (
        <ItemList>
          {approvals.map((approval) => (
            <Item
              key={approval.id}
              icon={approval.bankUrl ? "card" : "clock"}
              title={approvalTitle(approval, reader)}
              note={[
                ...(approval.reference ? [`For ${approval.reference}`] : []),
                `Agent: ${approval.client.name}`,
                ...(approval.expiresAt ? [`approve by ${formatTime(new Date(approval.expiresAt), reader)}`] : []),
              ].join(" · ")}
              act={
                <ButtonLink href={`/wallet/approvals/${approval.id}`} size="small">
                  {approval.bankUrl ? "Continue" : "Review"}
                </ButtonLink>
              }
            />
          ))}
        </ItemList>
      ) : (
        <EmptyState title="No payments to approve">
          Payments above a mandate’s approval threshold appear here. You approve or decline each one.
        </EmptyState>
      )}
    </>
  );
};

export default ApprovalsPage;
