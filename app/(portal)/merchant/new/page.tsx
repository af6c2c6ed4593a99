import type { Metadata } from "next";
import { detailOptions } from "#components/merchant/settings/detail-options.ts";
import { NewMerchantForm } from "#components/merchant/start/new-merchant-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { usualCurrency } from "#server/kernel/money/usual-currency.ts";
import { newMerchantTerms } from "#server/merchants/rules/new-merchant-terms.ts";
import { currentMembership, portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Start selling" };

const NewMerchantPage = async () => {
  const { account, config, reader } = await portalPage("/merchant/new");
  const membership = await currentMembership();
  const isSandbox = config.environment === "sandbox";
  const country = new Intl.Locale(account.locale).region ?? "GB";
  const initial = {
    legalName: "",
    displayName: "",
    country,
    websiteUri: "",
    mcc: "",
    currency: usualCurrency(country),
    timeZone: reader.timeZone,
  };
  const mustWait = !isSandbox && config.merchantApproval === "manual";
  return (
    <>
      <PageHead title="Start selling">
        Register the organization that sells. You become its owner, and you can invite your team afterwards.
      </PageHead>
      <NewMerchantForm
        accountId={account.id}
        initial={initial}
        options={detailOptions(reader.timeZone)}
        opens={isSandbox && membership === null ? "/merchant/getting-started" : "/merchant"}
        cancelHref={membership ? "/merchant" : "/wallet"}
        next={
          mustWait
            ? "We review each new merchant before its first payment, and e-mail you the decision."
            : nextOf({ isSandbox, isConnected: newMerchantTerms(config, "").chargesEnabled })
        }
      />
    </>
  );
};

/** What happens after the registration of a merchant that needs no review. */
const nextOf = ({ isSandbox, isConnected }: { isSandbox: boolean; isConnected: boolean }): string => {
  const next = isConnected
    ? "Your merchant is active immediately, with a simulated processor."
    : "Your merchant is approved immediately. To receive payments, connect a Stripe account afterwards.";
  return isSandbox ? `${next} No real money moves in the sandbox.` : next;
};

export default NewMerchantPage;
