import type { Metadata } from "next";
import { LanguageTabs } from "#components/merchant/getting-started/language-tabs.tsx";
import { isLanguage } from "#components/merchant/getting-started/languages.ts";
import { Steps } from "#components/merchant/getting-started/steps.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { RefreshWhileVisible } from "#components/portal/refresh-while-visible.tsx";
import { CopyText } from "#components/ui/copy/copy-text.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Getting started" };

const GettingStartedPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, merchantId, config, may } = await merchantPage("/merchant/getting-started");
  const [{ apps }, progress] = await Promise.all([
    api.apps.list({ merchantId, limit: 100 }),
    api.firstSteps.progress({ merchantId }),
  ]);
  const wanted = searchId(params, "app");
  const app = apps.find(({ id }) => id === wanted) ?? apps[0] ?? null;
  const language = isLanguage(params["language"]) ? params["language"] : "node";
  const kid = app ? (await api.apps.app({ clientId: app.id })).keys.at(-1)?.kid : undefined;
  const isSandbox = config.environment === "sandbox";
  const { hasEndpoint: _, ...steps } = progress;
  const isDone = Object.values(steps).every(Boolean);
  return (
    <>
      <PageHead title="Getting started">
        {isSandbox
          ? "Verify and charge your first mandate in about 10 minutes. Copy the code of each step. After step 1, the code contains your IDs."
          : "Verify and charge your first mandate. Copy the code of each step. After step 1, the code contains your IDs."}
      </PageHead>
      {isDone ? (
        <Notice tone="good">
          All steps are done. You have verified and charged a mandate, and received a webhook.
        </Notice>
      ) : (
        <RefreshWhileVisible everyMilliseconds={4_000} />
      )}
      <div>
        <p className="small muted">Your merchant ID. Mandates use it to name you as the payee.</p>
        <CopyText label="merchant ID" text={merchantId} />
      </div>
      <LanguageTabs current={language} app={app?.id} />
      <Steps
        app={app}
        values={{ issuer: config.baseUrl, clientId: app?.id ?? "YOUR_CLIENT_ID", merchantId, kid: safeKid(kid) }}
        language={language}
        progress={progress}
        isSandbox={isSandbox}
        isSimulated={config.simulatorUrl !== null && config.stripe === null}
        allowsLoopback={config.webhookLoopback}
        sandboxUrl={config.sandboxUrl}
        mayManage={may("client.register") && may("webhook.create")}
      />
    </>
  );
};

/** A kid may contain any characters. Only a kid that is safe in code is inserted. */
const safeKid = (kid: string | null | undefined): string => (kid && /^[\w.:-]+$/.test(kid) ? kid : "YOUR_KEY_ID");

export default GettingStartedPage;
