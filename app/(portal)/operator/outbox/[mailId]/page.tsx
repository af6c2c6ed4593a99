import type { Metadata } from "next";
import { headers } from "next/headers";
import { cache } from "react";
import { formatDateTime } from "#components/format/dates.ts";
import { mailKindLabel, mailStates } from "#components/format/labels/mail-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { IfAllowed } from "#components/operator/if-allowed.tsx";
import { ConfirmReading } from "#components/operator/service/confirm-reading.tsx";
import { MailPage, MailText } from "#components/operator/service/mail-body.tsx";
import { RetryMail } from "#components/operator/service/retry-mail.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { authorize } from "#server/accounts/authorize.ts";
import { framedMail } from "#server/platform/mail/rules/framed-mail.ts";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ mailId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string) => {
  const page = await operatorPage(`/operator/outbox/${encodeURIComponent(id)}`, "mail.read");
  const mailId = id.slice(0, 64);
  return { ...page, mailId, mail: await orNotFound(page.api.operator.mail({ mailId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { mail } = await load((await params).mailId);
  return { title: pageTitle(`E-mail “${mail.subject}” to ${mail.recipient}`) };
};

const OutboxMailPage = async ({ params }: Props) => {
  const { api, actor, email, reader, mailId, mail } = await load((await params).mailId);
  const mayRead = authorize(actor, "mail.read", { kind: "any" }) === "allow";
  const texts = mayRead ? await orNotFound(api.operator.mailTexts({ mailId })) : null;
  const { tone, label } = mailStates[mail.state];
  const policy = (await headers()).get("content-security-policy");
  const when = (text: string) => formatDateTime(new Date(text), reader);
  return (
    <>
      <PageHead title={mail.subject}>To {mail.recipient}</PageHead>
      <Facts>
        <Fact name="Status">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        <Fact name="Kind">{mailKindLabel(mail.kind)}</Fact>
        <Fact name="Queued">{when(mail.createdAt)}</Fact>
        {mail.endedAt ? <Fact name={mail.state === "kept" ? "Kept since" : label}>{when(mail.endedAt)}</Fact> : null}
        {mail.attempts > 0 ? <Fact name="Attempts">{mail.attempts}</Fact> : null}
        {mail.nextAttemptAt ? <Fact name="Next attempt">{when(mail.nextAttemptAt)}</Fact> : null}
        {mail.problem ? <Fact name="Last error">{mail.problem}</Fact> : null}
        <Fact name="E-mail ID">{mail.id}</Fact>
      </Facts>
      {mail.state === "failed" ? (
        <div>
          <IfAllowed action="mail.retry">
            <RetryMail mailId={mail.id} />
          </IfAllowed>
        </div>
      ) : null}
      {texts ? (
        <>
          <Section title="HTML">
            <MailPage html={framedMail(texts.html, { policy, theme: null })} />
          </Section>
          <Section title="Plain text">
            <MailText text={texts.text} />
          </Section>
        </>
      ) : (
        <ConfirmReading email={email} />
      )}
      <div>
        <ButtonLink href="/operator/outbox" size="small">
          All e-mail
        </ButtonLink>
      </div>
    </>
  );
};

export default OutboxMailPage;
