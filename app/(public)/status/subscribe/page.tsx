import type { Metadata } from "next";
import { ComponentChoice } from "#components/status/component-choice.tsx";
import { PlainForm } from "#components/status/plain-form.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { deployedComponents } from "#server/status/rules/deployed.ts";
import { currentStatusDeps } from "#server/status/runtime.ts";
import { openSubscriptionDraft, type SubscriptionDraft } from "#server/status/subscriptions/subscription-draft.ts";
import { statusPage } from "../status-context.ts";

export const metadata: Metadata = { title: "Get updates" };

type Query = { sent?: string | string[]; component?: string | string[]; draft?: string | string[] };

/** @param requested the component that the link to the page names. @returns null: all components */
const chosenOf = (draft: SubscriptionDraft | null, requested: readonly string[]): readonly string[] | null => {
  if (draft) return draft.components;
  return requested.length > 0 ? requested : null;
};

const SubscribePage = async ({ searchParams }: { searchParams: Promise<Query> }) => {
  const { sent, component, draft: sealed } = await searchParams;
  const { board, now } = await statusPage();
  const components = deployedComponents(board, now.getTime());
  const requested = components.filter(({ key }) => key === component).map(({ key }) => key);
  const draft = openSubscriptionDraft(currentStatusDeps(), typeof sealed === "string" ? sealed : null);
  const valuesOf = (kind: SubscriptionDraft["kind"]) => (draft?.kind === kind ? draft : null);
  const [email, webhook] = [valuesOf("email"), valuesOf("webhook")];
  return (
    <>
      <h1>Get updates</h1>
      {sent ? (
        <Notice tone="good">
          We sent you a confirmation e-mail, unless you requested one within the last hour. Open its link within 24
          hours and select Confirm. Nothing changes until then.
        </Notice>
      ) : null}
      <PlainForm
        title="By e-mail"
        text="One e-mail per update of an incident or maintenance. Each e-mail has a link to unsubscribe."
        action="/status/subscriptions"
      >
        <input type="hidden" name="kind" value="email" />
        <Field
          label="E-mail address"
          name="address"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          defaultValue={email?.address}
        />
        <ComponentChoice components={components} chosen={chosenOf(email, requested)} />
        <SubmitButton variant="primary">Send confirmation e-mail</SubmitButton>
      </PlainForm>
      <PlainForm
        title="By webhook"
        text="One JSON POST per update, signed with Standard Webhooks. The URL must use https on port 443. When you subscribe, we send a test event. Your server must respond to it with a status from 200 to 299."
        action="/status/subscriptions"
      >
        <input type="hidden" name="kind" value="webhook" />
        <Field
          label="URL"
          name="address"
          type="url"
          placeholder="https://"
          required
          maxLength={2000}
          defaultValue={webhook?.address}
        />
        <ComponentChoice components={components} chosen={chosenOf(webhook, requested)} />
        <SubmitButton>Send a test event and subscribe</SubmitButton>
      </PlainForm>
      <p className="small muted">
        Or use a feed: <a href="/status/feed.rss">RSS</a> or <a href="/status/feed.atom">Atom</a>. Each component has
        its own feeds too. Planned maintenance has an <a href="/status/maintenance.ics">iCalendar feed</a>.
      </p>
    </>
  );
};

export default SubscribePage;
