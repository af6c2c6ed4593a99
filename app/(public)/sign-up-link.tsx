import { Link } from "#components/ui/link.tsx";
import { admitSignUp } from "#server/accounts/sign-up/admit-sign-up.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale, currentSession, pageDeps } from "../page-context.ts";
import { pageWithReturn } from "./page-query.ts";

/** Shown to visitors who may sign up. A person with an open session already has an account. */
export const SignUpLink = async ({ returnTo }: { returnTo: string }) => {
  const [deps, session, locale] = await Promise.all([pageDeps(), currentSession(), currentLocale()]);
  if (session || (await admitSignUp(deps, { returnTo, invitation: null })).kind === "refused") return null;
  return (
    <p className="small">
      {translator(locale, "sign-up").rich("link", {
        link: (text) => <Link href={pageWithReturn("/sign-up", returnTo)}>{text}</Link>,
      })}
    </p>
  );
};
