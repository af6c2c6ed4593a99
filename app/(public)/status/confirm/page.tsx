import type { Metadata } from "next";
import { PlainForm } from "#components/status/plain-form.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { statusPage } from "../status-context.ts";

// The URL contains a token, so it must not be indexed. Our `referrer-policy` hides it from other sites.
// The policy isn't `no-referrer`, because browsers would then send `Origin: null` from the form.
export const metadata: Metadata = { title: "Confirm your subscription", robots: { index: false } };

/** Mail scanners follow links, so only the button confirms. */
const ConfirmPage = async ({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) => {
  const { token } = await searchParams;
  await statusPage();
  return (
    <>
      <h1>One more step</h1>
      <PlainForm
        title="Confirm your subscription"
        text="After you confirm, you get an e-mail for each update of an incident or maintenance."
        action="/status/subscriptions/confirm"
      >
        <input type="hidden" name="token" value={typeof token === "string" ? token : ""} />
        <SubmitButton variant="primary">Confirm</SubmitButton>
      </PlainForm>
    </>
  );
};

export default ConfirmPage;
