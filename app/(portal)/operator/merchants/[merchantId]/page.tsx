import type { Metadata } from "next";
import { formatDate } from "#components/format/dates.ts";
import { merchantActionLabel, merchantStateLabel } from "#components/format/labels/merchant-labels.ts";
import { MerchantActs } from "#components/operator/merchants/merchant-acts.tsx";
import { PastActs } from "#components/operator/past-acts.tsx";
import { RevokeInitialToken } from "#components/operator/revoke-initial-token.tsx";
import { addressOf, idOf, type Params } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import timeline from "#components/portal/timeline.module.css";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Merchant" };

type Props = { params: Promise<{ merchantId: string }>; searchParams: Promise<Params> };

const OperatorMerchantPage = async ({ params, searchParams }: Props) => {
  const { merchantId } = await params;
  const here = `/operator/merchants/${encodeURIComponent(merchantId)}`;
  const { api, reader, now, email } = await operatorPage(here);
  const merchant = await orNotFound(api.operatorMerchants.get({ merchantId: merchantId.slice(0, 64) }));
  const after = idOf(await searchParams, "token");
  const { tokens, hasMore } = await api.operatorMerchants.tokens({ merchantId: merchant.id, startingAfter: after });
  const { id, name, suspendedAt } = merchant;
  const { tone, label } = merchantStateLabel(merchant);
  return (
    <>
      <PageHead title={name} act={<MerchantActs merchant={merchant} email={email} />}>
        {suspendedAt === null
          ? "It can verify and charge mandates that allow it."
          : "Suspended: new charges are refused; what was charged before is captured, voided and refunded as ever."}
      </PageHead>
      <Facts>
        <Fact name="State">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        <Fact name="Legal name">{merchant.legalName}</Fact>
        <Fact name="Merchant">{id}</Fact>
        <Fact name="Category">{merchant.mcc}</Fact>
        <Fact name="Processor">{merchant.processor}</Fact>
        <Fact name="Account">{merchant.processorAccount}</Fact>
        <Fact name="Since">{formatDate(new Date(merchant.createdAt), reader)}</Fact>
        <Fact name="Owners and admins">{merchant.managers.join(", ") || "nobody"}</Fact>
      </Facts>
      <Section title="Tokens that register its apps">
        {tokens.length > 0 ? (
          <TokenTable
            tokens={tokens}
            now={now}
            reader={reader}
            act={(token) => <RevokeInitialToken tokenId={token.id} merchantId={id} name={token.label ?? token.id} />}
          />
        ) : (
          <EmptyState title="No token yet">The merchant makes them itself, under Apps & keys.</EmptyState>
        )}
        <Pager
          newest={after === undefined ? null : here}
          older={hasMore ? addressOf(here, { token: tokens.at(-1)?.id }) : null}
        />
      </Section>
      <Section title="What was done">
        {merchant.history.length > 0 ? (
          <ol className={timeline.timeline}>
            <PastActs acts={merchant.history} nameOf={merchantActionLabel} now={now} reader={reader} />
          </ol>
        ) : (
          <EmptyState title="Nothing yet">
            Suspensions and changes of category stand here, with who made them and why.
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
