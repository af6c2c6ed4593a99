import type { Metadata } from "next";
import { formatTime } from "#components/format/dates.ts";
import { InlineList } from "#components/format/inline-list.tsx";
import { approvalTitle } from "#components/format/labels/approval-labels.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { LiveRefresh } from "#components/portal/live-refresh.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "approvals")("title"),
});

const ApprovalsPage = async () => {
  const { api, reader } = await portalPage("/wallet/approvals");
  const fingerprint = await api.wallet.activityFingerprint();
  const approvals = await api.wallet.approvals();
  const t = translator(reader.locale, "approvals");
  return (
    <>
      <LiveRefresh fingerprint={fingerprint} />
      <PageHead title={t("title")}>{t("intro")}</PageHead>
      {approvals.length > 0 ? (
        <ItemList>
          {approvals.map((approval) => (
            <Item
              key={approval.id}
              icon={approval.bankUrl ? "card" : "clock"}
              title={approvalTitle(approval, reader, t)}
              note={
                <InlineList
                  items={[
                    approval.reference ? t("for", { reference: approval.reference }) : null,
                    t("agent", { agent: approval.client.name }),
                    approval.expiresAt
                      ? t(approval.bankUrl ? "byBank" : "by", {
                          time: formatTime(new Date(approval.expiresAt), reader),
                        })
                      : null,
                  ]}
                />
              }
              act={
                <ButtonLink href={`/wallet/approvals/${approval.id}`} size="small">
                  {t(approval.bankUrl ? "continue" : "review")}
                </ButtonLink>
              }
            />
          ))}
        </ItemList>
      ) : (
        <EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>
      )}
    </>
  );
};

export default ApprovalsPage;
