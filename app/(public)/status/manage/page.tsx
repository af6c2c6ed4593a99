import type { Metadata } from "next";
import { ComponentChoice } from "#components/status/component-choice.tsx";
import { PlainForm } from "#components/status/plain-form.tsx";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { isDomainError } from "#server/kernel/errors.ts";
import { components } from "#server/status/rules/components.ts";
import { isDeployed } from "#server/status/rules/deployed.ts";
import { currentStatusDeps } from "#server/status/runtime.ts";
import { getSubscription } from "#server/status/subscriptions/manage-subscription.ts";
import { statusPage } from "../status-context.ts";

// The URL contains a token, so it must not be indexed. Our `referrer-policy` hides it from other sites.
// The policy isn't `no-referrer`, because browsers would then send `Origin: null` from the form.
export const metadata: Metadata = { title: "Your subscription", robots: { index: false } };

type Query = { token?: string | string[]; done?: string | string[] };

/** Without the database, the subscription can't be read or changed, but it can be ended. */
const find = async (token: string) => {
  try {
    return await getSubscription(currentStatusDeps(), token);
  } catch (error) {
    return isDomainError(error) ? "none" : "unreadable";
  }
};

const ManagePage = async ({ searchParams }: { searchParams: Promise<Query> }) => {
  const { token: requested, done } = await searchParams;
  const { board, now } = await statusPage();
  const token = typeof requested === "string" ? requested : "";
  const found = await find(token);
  if (found === "none") {
    return (
      <EmptyState
        isPage
        title="Subscription not found"
        act={<ButtonLink href="/status/subscribe">Get updates</ButtonLink>}
      >
        It may already have ended. In that case, we send no more updates.
      </EmptyState>
    );
  }
  const isOffered = ({ key }: (typeof components)[number]) =>
    isDeployed(board, key, now.getTime()) || (found !== "unreadable" && found.components.includes(key));
  return (
    <>
      <h1>Your subscription</h1>
      {done === "confirmed" ? <Notice tone="good">Confirmed. You will get updates.</Notice> : null}
      {done === "changed" ? <Notice tone="good">Saved. Your choice applies to all future updates.</Notice> : null}
      {found === "unreadable" ? (
        <Notice tone="warn">
          Your choice can’t be shown or changed at the moment, but it stays in effect. Please try again later.
        </Notice>
      ) : (
        <PlainForm
          title={found.kind === "email" ? "Updates by e-mail" : "Updates by webhook"}
          text="Choose the components for which you want updates."
          action="/status/subscriptions/change"
        >
          <input type="hidden" name="token" value={token} />
          <ComponentChoice
            components={components.filter(isOffered)}
            chosen={found.components.length > 0 ? found.components : null}
          />
          <SubmitButton variant="primary">Save</SubmitButton>
        </PlainForm>
      )}
      <PlainForm
        title="Unsubscribe"
        text="If you unsubscribe, we send no more updates and delete your data."
        action={`/status/subscriptions/unsubscribe?${new URLSearchParams({ token })}`}
      >
        <SubmitButton variant="danger">Unsubscribe</SubmitButton>
      </PlainForm>
    </>
  );
};

export default ManagePage;
