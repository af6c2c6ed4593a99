import type { Metadata } from "next";
import { cache } from "react";
import { formatDateTime } from "#components/format/dates.ts";
import { englishReader } from "#components/format/reader.ts";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { pageTitle } from "#components/layout/page-title.ts";
import { JoinTeam } from "#components/merchant/team/join-team.tsx";
import { roleName, roleTexts } from "#components/merchant/team/roles.ts";
import { ActContext } from "#components/portal/acts/act-context.tsx";
import styles from "#components/portal/portal.module.css";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { defaultLocales } from "#server/kernel/messages/languages.ts";
import { findTeamInvitation } from "#server/merchants/team/find-team-invitation.ts";
import { currentProofMethods, currentSession, currentTheme, pageDeps } from "../../../page-context.ts";

type Props = { params: Promise<{ token: string }> };

/** Loaded once per request, for the title and the page. */
const loadInvitation = cache(async (token: string) =>
  findTeamInvitation(await pageDeps(), { token: token.slice(0, 100) }),
);

// The URL contains a secret, so it must not be indexed. Our `referrer-policy` hides it from other sites.
export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const invitation = await loadInvitation((await params).token);
  const title = invitation ? `Join ${invitation.merchantName}` : "Invitation not valid";
  return { title: pageTitle(title), robots: { index: false } };
};

const InvitationPage = async ({ params }: Props) => {
  const { token } = await params;
  const [deps, session, proofMethods, theme] = await Promise.all([
    pageDeps(),
    currentSession(),
    currentProofMethods(),
    currentTheme(),
  ]);
  const invitation = await loadInvitation(token);
  const { environment, statusUrl } = deps.config;
  const reader = englishReader(session?.account ?? { locale: defaultLocales.en, timeZone: "UTC" });
  return (
    <PageFrame width="narrow" environment={environment} theme={theme} statusUrl={statusUrl}>
      {invitation ? (
        <div className={styles.form}>
          <h1>Join the team of {invitation.merchantName}</h1>
          <p>
            {invitation.inviterName || `A member of ${invitation.merchantName}`} invites you to the merchant dashboard.
          </p>
          <Facts>
            <Fact name="Role">
              {roleName(invitation.role)}
              <div className="small muted">{roleTexts[invitation.role]}</div>
            </Fact>
            <Fact name="Invited address">{invitation.email}</Fact>
            <Fact name="Valid until">{formatDateTime(invitation.expiresAt, reader)}</Fact>
          </Facts>
          <ActContext locale={defaultLocales.en} proofMethods={proofMethods}>
            <NextStep token={token} invitation={invitation} email={session?.account.email ?? null} />
          </ActContext>
        </div>
      ) : (
        <div className={styles.form}>
          <h1>This invitation isn’t valid</h1>
          <p>
            It was used, canceled or replaced, or it has expired. If you have joined the team already, open the
            dashboard. Otherwise ask the person who invited you for a new invitation.
          </p>
          <div>
            <ButtonLink href="/merchant">Open the dashboard</ButtonLink>
          </div>
        </div>
      )}
    </PageFrame>
  );
};

/** Every visitor gets the same links, so that the page doesn't reveal whether the invited address has an account. */
const NextStep = ({
  token,
  invitation,
  email,
}: {
  token: string;
  invitation: { merchantName: string; email: string };
  /** null: not signed in */
  email: string | null;
}) => {
  const here = encodeURIComponent(`/invitations/${token}`);
  if (email === invitation.email) {
    return (
      <div className={styles.acts}>
        <JoinTeam token={token} merchantName={invitation.merchantName} />
      </div>
    );
  }
  if (email !== null) {
    return (
      <>
        <p>
          You are signed in as <b>{email}</b>. The invitation is for <b>{invitation.email}</b>. Sign out, then open the
          link again, or ask for an invitation to your address.
        </p>
        <form method="post" action="/sign-out">
          <SubmitButton>Sign out</SubmitButton>
        </form>
      </>
    );
  }
  return (
    <div className={styles.acts}>
      <ButtonLink href={`/sign-in?return_to=${here}`} variant="primary">
        Sign in to join
      </ButtonLink>
      <ButtonLink href={`/sign-up?invitation=${encodeURIComponent(token)}&return_to=${here}`}>
        Create an account
      </ButtonLink>
    </div>
  );
};

export default InvitationPage;
