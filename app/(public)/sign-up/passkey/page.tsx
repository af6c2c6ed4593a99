import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { CredentialForm } from "#components/sign-up/credential-form.tsx";
import { passkeyAcr } from "#server/accounts/sessions/sessions.ts";
import { signUpStateOf } from "#server/accounts/sign-up/rules/sign-up-state.ts";
import { findRequestedAcr } from "#server/oauth/consent/find-requested-acr.ts";
import { pageDeps } from "../../../page-context.ts";
import { onlyOne } from "../../page-query.ts";
import { currentSignUp, signUpTexts } from "../sign-up-context.ts";
import { SignUpFrame } from "../sign-up-frame.tsx";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: pageTitle((await signUpTexts())("credentialTitle")),
});

const CredentialPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, deps, pending, t] = await Promise.all([searchParams, pageDeps(), currentSignUp(), signUpTexts()]);
  if (!pending || signUpStateOf(pending, deps.clock.now()) !== "credential") redirect("/sign-up/verify");
  const acr = await findRequestedAcr(deps, { returnTo: pending.returnTo });
  return (
    <SignUpFrame title={t("credentialTitle")} intro={t("credentialIntro")}>
      <CredentialForm error={onlyOne(query, "error")} mayUsePassword={acr !== passkeyAcr} />
    </SignUpFrame>
  );
};

export default CredentialPage;
