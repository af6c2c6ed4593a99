import type { Metadata } from "next";
import { EventList } from "#components/docs/api/event-list.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import guide from "#components/docs/guide.module.css";
import { MeaningList } from "#components/docs/meaning-list.tsx";
import { docsSite } from "../docs-site.ts";
import { eventViews } from "../event-views.ts";

export const metadata: Metadata = { title: "Webhooks" };

const headers = [
  ["`webhook-id`", "The event’s ID. It is the same at every attempt. Ignore an event that you have already processed."],
  [
    "`webhook-timestamp`",
    "When this attempt was signed, in seconds since 1970. Refuse an attempt that is older than 5 minutes.",
  ],
  [
    "`webhook-signature`",
    "A list of signatures, separated by spaces. Each of them signs `{webhook-id}.{webhook-timestamp}.{body}`. `v1,` precedes the HMAC-SHA-256 with the secret, and `v1a,` precedes the Ed25519 signature. For 24 hours after a rotation, deliveries are signed with both secrets. Accept the request if one signature verifies.",
  ],
] as const;

/** Every event with its payload, from the same contracts as the `webhooks` of /openapi.json. */
const WebhooksPage = async () => {
  const { config: _, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs/webhooks"
      title="Webhooks"
      intro={
        <p>
          Events are sent as POST requests with a JSON body. Merchants add endpoints in the dashboard under{" "}
          <a href="/merchant/webhooks">Webhooks</a>, and can send themselves test events there; agents register{" "}
          <code>webhook_uri</code> as client metadata and get <code>webhook_secret</code> and{" "}
          <code>webhook_public_key</code> in the response.
        </p>
      }
    >
      <div className={guide.guide}>
        <section aria-labelledby="delivery">
          <h2 id="delivery">Delivery</h2>
          <p>
            Respond with a status from 200 to 299 within 15 seconds. After any other response, we try again, up to 10
            attempts in 3 days. If every attempt fails and no other delivery to the endpoint succeeds in the meantime,
            the endpoint is switched off. It is switched off immediately if it responds with status 410 (Gone). In both
            cases, its owner is notified. An event can arrive more than once. The first attempts for the events of one
            object are sent in order, but retries may arrive later. <code>sequence</code> shows the order of these
            events.
          </p>
        </section>
        <section aria-labelledby="signatures">
          <h2 id="signatures">Signatures</h2>
          <p>
            Requests follow <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. Verify the signature over
            the raw body, before you parse it.
          </p>
          <MeaningList items={headers} />
        </section>
        <EventList events={eventViews} />
      </div>
    </DocsFrame>
  );
};

export default WebhooksPage;
