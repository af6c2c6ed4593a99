import type { ComponentProps } from "react";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Pager } from "../../portal/lists/pager.tsx";
import { PageHead } from "../../portal/page-head.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { EventTable } from "./event-table.tsx";

type Props = ComponentProps<typeof EventTable> & {
  /** the text of the line */
  description: string;
  hasMore: boolean;
  invoicePath: string;
  path: string;
  /** the last event of the previous page; undefined on the first page */
  after: string | undefined;
};

/** The page of the events behind a line of an invoice, for merchants and operators. */
export const LineEvents = ({ description, events, hasMore, invoicePath, path, reader, after }: Props) => (
  <>
    <PageHead title={`Events: ${description}`}>
      The events that are counted in this line, oldest first. <Link href={invoicePath}>Back to the invoice</Link>
    </PageHead>
    {events.length > 0 ? (
      <EventTable events={events} reader={reader} />
    ) : (
      <EmptyState title="No events">No events are counted in this line.</EmptyState>
    )}
    <Pager
      newest={after ? path : null}
      older={hasMore ? listAddress(path, { after: events.at(-1)?.id }) : null}
      texts={{ pages: "Pages", newest: "First", older: "Next" }}
    />
  </>
);
