import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { englishReader } from "#components/format/reader.ts";
import { PageFrame, SignedInAs } from "#components/layout/page-frame.tsx";
import { AcceptOperatorInvitation } from "#components/operator/invitation/accept-operator-invitation.tsx";
import { NewOperatorForm } from "#components/operator/invitation/new-operator-form.tsx";
import { operatorRoleLabels } from "#components/operator/team/role-labels.ts";
import { ActContext } from "#components/portal/acts/act-context.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { defaultLocales } from "#server/kernel/messages/languages.ts";
import { findOperatorInvitation, type Invitation } from "#server/operators/invitations/find-operator-invitation.ts";
import { currentProofMethods, currentSession, currentTheme, pageDeps } from "../../../page-context.ts";
import { onlyOne } from "../../page-query.ts";
import styles from "../operator-box.module.css";

export const metadata: Metadata = { title: "Invitation · Operator" };

type Props = { searchParams: Promise<SearchParams> };

/** A GET changes nothing, because mail scanners open links. */
const InvitationPage = async ({ searchParams }: Props) => {
  const token = onlyOne(await searchParams, "token")?.slice(0, 100) ?? "";
  const [deps, session, proofMethods, theme] = await Promise.all([
    pageDeps(),
    currentSession(),
    currentProofMethods(),
    currentTheme(),
  ]);
  const invitation = await findOperatorInvitation(deps, { token });
  const { environment, statusUrl } = deps.config;
  const email = session?.account.email ?? null;
  const reader = englishReader(session?.account ?? { locale: defaultLocales.en, timeZone: "UTC" });
  return (
    <PageFrame
      width="narrow"
      environment={environment}
      theme={theme}
      statusUrl={statusUrl}
      aside={email ? <SignedInAs email={email} /> : null}
    >
      <section className={`card ${styles.box} ${invitation ? "" : styles.message}`}>
        {invitation ? (
          <>
            <Introduction invitation={invitation} until={formatDateTime(invitation.expiresAt, reader)} />
            <ActContext locale={defaultLocales.en} proofMethods={proofMethods}>
              <NextStep invitation={invitation} token={token} signedInAs={email} />
            </ActContext>
          </>
        ) : (
          <InvitationGone />
        )}
      </section>
    </PageFrame>
  );
};

const Introduction = ({ invitation: { email, role, isReset }, until }: { invitation: Invitation; until: string }) => (
  <div>
    <h1>{isReset ? "Reset your second factor" : "Become an operator"}</h1>
    <p className="muted small">
      {isReset ? (
        <>
          This link resets the second factor of <b>{email}</b>. It removes your authenticator app. If you sign in with a
          passkey now, your passkeys stay. Otherwise, all your passkeys are removed too, and you set up a new second
          factor.
        </>
      ) : (
        <>
          You are invited to run this service as <b>{email}</b>, with the role <b>{operatorRoleLabels[role].name}</b>:{" "}
          {operatorRoleLabels[role].meaning}
        </>
      )}
    </p>
    <p className="muted small">You can use the link once, until {until}.</p>
  </div>
);

const NextStep = ({
  invitation: { email, hasAccount, isReset },
  token,
  signedInAs,
}: {
  invitation: Invitation;
  token: string;
  signedInAs: string | null;
}) => {
  if (signedInAs !== null && signedInAs !== email) {
    return (
      <>
        <Notice tone="warn">
          You are signed in as {signedInAs}. Sign out, then open this link again to continue as {email}.
        </Notice>
        <form method="post" action="/sign-out">
          <SubmitButton>Sign out</SubmitButton>
        </form>
      </>
    );
  }
  if (signedInAs !== null) return <AcceptOperatorInvitation token={token} isReset={isReset} />;
  if (!hasAccount) return <NewOperatorForm token={token} email={email} />;
  const returnTo = `/operator/invitation?token=${encodeURIComponent(token)}`;
  return (
    <ButtonLink variant="primary" isWide href={`/sign-in?return_to=${encodeURIComponent(returnTo)}`}>
      Sign in to continue
    </ButtonLink>
  );
};

const InvitationGone = () => (
  <>
    <h1>This link isn’t valid</h1>
    <Notice tone="warn">
      It has expired, was already used, or was canceled or replaced. Ask an admin for a new one, or run{" "}
      <code>npm run operators -- add</code> again.
    </Notice>
    <ButtonLink href="/sign-in?return_to=%2Foperator">Sign in</ButtonLink>
  </>
);

export default InvitationPage;
