import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { PageFrame, SignedInAs } from "#components/layout/page-frame.tsx";
import { EnterSecondFactor } from "#components/operator/second-factor/enter-second-factor.tsx";
import { SetUpSecondFactor } from "#components/operator/second-factor/set-up-second-factor.tsx";
import { ActContext } from "#components/portal/acts/act-context.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { SubmitButton } from "#components/ui/button.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { findSecondFactorStep } from "#server/accounts/second-factor/find-second-factor-step.ts";
import { defaultLocales } from "#server/kernel/messages/languages.ts";
import { currentProofMethods, currentTheme, pageDeps, requireSession } from "../../../page-context.ts";
import { onlyOne } from "../../page-query.ts";
import styles from "../operator-box.module.css";

export const metadata: Metadata = { title: "Second factor · Operator" };

type Props = { searchParams: Promise<SearchParams> };

/** Accepts only paths of the console. */
const consolePath = (text: string | null): string => {
  const path = safeReturnTo(text);
  return path.startsWith("/operator/") ? path : "/operator";
};

const SecondFactorPage = async ({ searchParams }: Props) => {
  const returnTo = consolePath(onlyOne(await searchParams, "return_to"));
  const [{ config, ...deps }, session, proofMethods, theme] = await Promise.all([
    pageDeps(),
    requireSession(),
    currentProofMethods(),
    currentTheme(),
  ]);
  const { email, operatorRole } = session.account;
  if (operatorRole === null) notFound();
  const step = await findSecondFactorStep(deps, session);
  if (step.kind === "none") redirect(returnTo);
  const { environment, statusUrl } = config;
  const command = `npm run operators -- add ${email} --role ${operatorRole}${environment === "sandbox" ? " --sandbox" : ""}`;
  return (
    <PageFrame
      width="narrow"
      environment={environment}
      theme={theme}
      statusUrl={statusUrl}
      aside={<SignedInAs email={email} />}
    >
      <section className={`card ${styles.box}`}>
        <ActContext locale={defaultLocales.en} proofMethods={proofMethods}>
          {step.kind === "set_up" ? (
            <SetUpSecondFactor returnTo={returnTo} email={email} />
          ) : (
            <EnterSecondFactor returnTo={returnTo} command={command} {...step} />
          )}
        </ActContext>
        <form method="post" action="/sign-out">
          <SubmitButton size="small" variant="quiet">
            Sign out
          </SubmitButton>
        </form>
      </section>
    </PageFrame>
  );
};

export default SecondFactorPage;
