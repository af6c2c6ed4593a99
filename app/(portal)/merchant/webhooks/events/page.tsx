import type { Metadata } from "next";
import { EventList } from "#components/docs/api/event-list.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Link } from "#components/ui/link.tsx";
import { eventViews } from "../../../../(public)/docs/event-views.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Webhook events" };

const EventsPage = async () => {
  await merchantPage("/merchant/webhooks/events");
  return (
    <>
      <PageHead title="Webhook events">
        Every event that an endpoint can receive, with an example of its payload.{" "}
        <Link href="/docs/webhooks">How to verify signatures</Link>
      </PageHead>
      <EventList events={eventViews} />
    </>
  );
};

export default EventsPage;
