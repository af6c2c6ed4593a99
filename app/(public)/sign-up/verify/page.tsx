import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { SignUpCodeForm } from "#components/sign-up/sign-up-code-form.tsx";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { admitSignUp } from "#server/accounts/sign-up/admit-sign-up.ts";
import { signUpStateOf } from "#server/accounts/sign-up/rules/sign-up-state.ts";
import type { Config } from "#server/deps/config.ts";
import { pageDeps } from "../../../page-context.ts";
import { onlyOne, pageWithReturn } from "../../page-query.ts";
import { currentSignUp, signUpTexts } from "../sign-up-context.ts";
import { SignUpFrame } from "../sign-up-frame.tsx";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: pageTitle((await signUpTexts())("codeTitle")),
});

/** Whether the service runs on a developer's machine and sends no mail. The code is then only in the outbox. */
const keepsMail = ({ smtpUrl, isLoopback }: Pick<Config, "smtpUrl" | "isLoopback">): boolean =>
  smtpUrl === null && isLoopback;

const VerifyPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, deps, pending, t] = await Promise.all([searchParams, pageDeps(), currentSignUp(), signUpTexts()]);
  if (!pending) redirect("/sign-up?error=sign_up_gone");
  const { email, returnTo } = pending;
  const signIn = pageWithReturn("/sign-in", returnTo);
  const state = signUpStateOf(pending, deps.clock.now());
  if (state === "done") redirect(signIn);
  if (state === "credential") redirect("/sign-up/passkey");
  if (state !== "code") {
    return (
      <SignUpFrame title={t("confirmedTitle")} intro={t(state === "continue" ? "confirmedHere" : "confirmedLate")}>
        {state === "continue" ? (
          <form method="post" action="/sign-up/verification">
            <SubmitButton variant="primary" isWide>
              {t("continue")}
            </SubmitButton>
          </form>
        ) : (
          <ButtonLink href={signIn} variant="primary" isWide>
            {t("signIn")}
          </ButtonLink>
        )}
      </SignUpFrame>
    );
  }
  // An invitation is for one address, so an invited person can't start again with another one.
  const { kind } = await admitSignUp(deps, { returnTo, invitation: null });
  const again = kind === "admitted" ? pageWithReturn("/sign-up", returnTo) : null;
  return (
    <SignUpFrame title={t("codeTitle")} intro={t.rich("codeIntro", { email, b: (text) => <b>{text}</b> })}>
      <SignUpCodeForm error={onlyOne(query, "error")} isSent={onlyOne(query, "sent") !== null} />
      {keepsMail(deps.config) ? (
        <Notice tone="note">
          {t.rich("outbox", {
            link: (text) => (
              <a href="/operator/outbox" target="_blank" rel="noreferrer">
                {text}
              </a>
            ),
          })}
        </Notice>
      ) : null}
      {again ? (
        <p className="small">
          {t.rich("otherAddress", {
            link: (text) => <Link href={again}>{text}</Link>,
          })}
        </p>
      ) : null}
    </SignUpFrame>
  );
};

export default VerifyPage;
