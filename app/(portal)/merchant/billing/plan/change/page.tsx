import { TRPCError } from "@trpc/server";
import type { Metadata } from "next";
import type { Reader } from "#components/format/reader.ts";
import { formatBilledPeriod } from "#components/merchant/billing/billed-period.ts";
import { ConfirmChange } from "#components/merchant/billing/plan/confirm-change.tsx";
import { PreviewedInvoice } from "#components/merchant/billing/plan/previewed-invoice.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListTabs } from "#components/portal/lists/list-tabs.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { isDomainError } from "#server/kernel/errors.ts";
import type { MerchantPlanChangePreview } from "#server/trpc/merchant/billing/plan-views.ts";
import { merchantPage } from "../../../merchant-context.ts";

export const metadata: Metadata = { title: "Change plan" };

const path = "/merchant/billing/plan/change";

type Effective = "now" | "period_end";
type Choice = { planId: string; effective: Effective };

const choiceOf = (params: SearchParams): Choice | null => {
  const planId = searchText(params, "plan");
  return planId === undefined ? null : { planId, effective: params["effective"] === "now" ? "now" : "period_end" };
};

const unavailable = "This plan isn’t available. Choose another plan.";

/** Messages for members. The API's own messages name IDs and endpoints. */
const refusals: Readonly<Record<string, string>> = {
  plan_not_found: unavailable,
  plan_version_retired: unavailable,
  currency_not_priced: "This plan doesn’t have prices in all currencies of your payments. Choose another plan.",
  subscription_not_found: "You have no plan. Paygrant assigns your first plan.",
};

/** @returns the result, or the message of a refusal, for example that the plan accepts no new subscriptions. */
const orRefusal = async <Result,>(reading: Promise<Result>): Promise<Result | string> => {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    if (error.code === "BAD_REQUEST") return unavailable;
    const refusal = isDomainError(error.cause) ? refusals[error.cause.code] : undefined;
    if (refusal !== undefined) return refusal;
    if (["NOT_FOUND", "CONFLICT", "UNPROCESSABLE_CONTENT"].includes(error.code)) return error.message;
    throw error;
  }
};

const ChangePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const choice = choiceOf(await searchParams);
  const { api, merchantId, reader, may } = await merchantPage(
    choice ? listAddress(path, { plan: choice.planId, effective: choice.effective }) : path,
  );
  if (!choice) return <NoPreview>Choose one of the plans first.</NoPreview>;
  const preview = await orRefusal(api.merchantPlans.preview({ merchantId, ...choice }));
  if (typeof preview === "string") return <NoPreview>{preview}</NoPreview>;
  const { plan, hash } = preview;
  return (
    <>
      <PageHead title={`Change to ${plan.name}`}>
        {choice.effective === "now"
          ? "The invoices include your usage so far. Further usage in this period will be added."
          : "The invoice shows the amounts that are already known for the next period. Your usage in that period will be added."}
      </PageHead>
      <ListTabs
        label="When the change takes effect"
        tabs={[tabOf({ ...choice, effective: "period_end" }), tabOf({ ...choice, effective: "now" })]}
        current={tabOf(choice).href}
      />
      <Invoices preview={preview} effective={choice.effective} reader={reader} />
      {may("billing.change") ? (
        <ConfirmChange
          choice={{ merchantId, hash, ...choice }}
          label={
            choice.effective === "now" ? `Change to ${plan.name} now` : `Change to ${plan.name} at the period’s end`
          }
        />
      ) : (
        <p className="small muted">Owners and admins can change the plan.</p>
      )}
    </>
  );
};

const tabOf = ({ planId, effective }: Choice) => ({
  href: listAddress(path, { plan: planId, effective }),
  label: effective === "now" ? "Now" : "At the end of the period",
});

type InvoicesProps = { preview: MerchantPlanChangePreview; effective: Effective; reader: Reader };

const Invoices = ({ preview: { dueNow, next, plan }, effective, reader }: InvoicesProps) => (
  <>
    <Section
      title="Invoice for your current plan"
      act={dueNow ? <span className="muted">{formatBilledPeriod(dueNow, reader)}</span> : null}
    >
      {dueNow ? (
        <>
          <PreviewedInvoice invoice={dueNow} caption="Invoice for your current plan" reader={reader} />
          <p className="small muted">
            This invoice covers the part of the period before today. It is issued tomorrow at the earliest.
          </p>
        </>
      ) : (
        <p className="small muted">
          {effective === "now"
            ? "There is nothing to invoice separately for your current plan."
            : `The invoice for this period is issued as usual, after the period ends. ${plan.name} starts with the next period.`}
        </p>
      )}
    </Section>
    <Section
      title={`Next invoice with ${plan.name}`}
      act={<span className="muted">{formatBilledPeriod(next, reader)}</span>}
    >
      <PreviewedInvoice invoice={next} caption="Next invoice" reader={reader} />
    </Section>
  </>
);

const NoPreview = ({ children }: { children: string }) => (
  <EmptyState
    isPage
    title="No preview"
    act={
      <ButtonLink href="/merchant/billing/plan" size="small">
        Compare plans
      </ButtonLink>
    }
  >
    {children}
  </EmptyState>
);

export default ChangePage;
