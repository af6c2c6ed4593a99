import type { Metadata } from "next";
import { cache } from "react";
import { merchantActionLabel } from "#components/format/labels/merchant-labels.ts";
import { processorStateText } from "#components/format/labels/processor-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { MerchantActs } from "#components/operator/merchants/merchant-acts.tsx";
import { MerchantFacts } from "#components/operator/merchants/merchant-facts.tsx";
import { RevokeInitialToken } from "#components/operator/revoke-initial-token.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { MerchantStanding } from "#server/kernel/merchant-standing.ts";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

const standingTexts: Readonly<Record<MerchantStanding, string>> = {
  active: "This merchant can verify and charge the mandates that allow it as a payee.",
  pending: "This merchant is waiting for your decision. It can’t register apps or charge until you approve it.",
  declined: "This merchant was declined. It can’t register apps or charge. We e-mailed the reason to its owners.",
  not_connected: "This merchant is approved, but it can’t charge until its account at the processor accepts charges.",
  unpaid:
    "This merchant has an unpaid invoice. New charges are refused until it is paid. Earlier charges can still be captured, voided and refunded.",
  no_plan:
    "This merchant’s plan has ended. New charges are refused until you assign a plan. Earlier charges can still be captured, voided and refunded.",
  suspended:
    "This merchant is suspended. New charges are refused. Earlier charges can still be captured, voided and refunded.",
};

type Props = { params: Promise<{ merchantId: string }>; searchParams: Promise<SearchParams> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string) => {
  const page = await operatorPage(`/operator/merchants/${encodeURIComponent(id)}`);
  return { ...page, merchant: await orNotFound(page.api.operatorMerchants.get({ merchantId: id.slice(0, 64) })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { merchant } = await load((await params).merchantId);
  return { title: pageTitle(`Merchant ${merchant.name}`) };
};

const OperatorMerchantPage = async ({ params, searchParams }: Props) => {
  const [{ merchantId: id }, query] = await Promise.all([params, searchParams]);
  const here = `/operator/merchants/${encodeURIComponent(id)}`;
  const after = searchId(query, "token");
  const { api, reader, now, email, may, merchant } = await load(id);
  const merchantId = merchant.id;
  const { tokens, hasMore } = await api.operatorMerchants.tokens({ merchantId, startingAfter: after });
  return (
    <>
      <PageHead title={merchant.name} act={<MerchantActs merchant={merchant} email={email} />}>
        {standingTexts[merchant.standing]}
      </PageHead>
      <MerchantFacts merchant={merchant} reader={reader} />
      <Section title="Initial access tokens">
        {tokens.length > 0 ? (
          <TokenTable
            tokens={tokens}
            now={now}
            reader={reader}
            act={
              may("merchant_token.revoke")
                ? (token) => (
                    <RevokeInitialToken tokenId={token.id} merchantId={merchant.id} name={token.label ?? token.id} />
                  )
                : null
            }
          />
        ) : (
          <EmptyState title="No tokens yet">The merchant creates tokens in Apps & keys.</EmptyState>
        )}
        <Pager
          newest={after === undefined ? null : here}
          older={hasMore ? listAddress(here, { token: tokens.at(-1)?.id }) : null}
        />
      </Section>
      <Section title="History">
        {merchant.history.length > 0 ? (
          <AuditTimeline
            entries={merchant.history}
            actionName={merchantActionLabel}
            valueText={processorStateText}
            now={now}
            reader={reader}
          />
        ) : (
          <EmptyState title="No entries yet">
            Actions on this merchant are listed here. An operator’s action includes its reason.
          </EmptyState>
        )}
      </Section>
      <div>
        <ButtonLink href="/operator/merchants" size="small">
          All merchants
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorMerchantPage;
