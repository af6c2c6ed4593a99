import type { Metadata } from "next";
import { isMailState, mailStates } from "#components/format/labels/mail-labels.ts";
import { MailTable } from "#components/operator/service/mail-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { addressOf, idOf, type Params, textOf } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field, Select } from "#components/ui/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Outbox" };

const here = "/operator/outbox";

const OutboxPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const { api, reader, now, config } = await operatorPage(here);
  const [search, wished, after] = [textOf(params, "q"), textOf(params, "state"), idOf(params, "after")];
  const state = isMailState(wished) ? wished : undefined;
  const { mail, hasMore } = await api.operator.outbox({ search, state, startingAfter: after });
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Outbox">
        {config.smtpUrl === null
          ? "No mail leaves this environment: what would be sent is kept here for 30 days."
          : "What goes out by the mail server, for 30 days."}
      </PageHead>
      <FilterForm action={here} isFiltered={isFiltered}>
        <Field label="Recipient, subject or id" name="q" type="search" defaultValue={search ?? ""} maxLength={100} />
        <Select label="State" name="state" defaultValue={state ?? ""}>
          <option value="">Any</option>
          {Object.entries(mailStates).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {mail.length > 0 ? (
        <MailTable mail={mail} now={now} reader={reader} />
      ) : (
        <EmptyState title={isFiltered ? "Nothing matches" : "No mail yet"}>
          {isFiltered
            ? "No mail of the last 30 days fits these filters. Clear them to see everything."
            : "Mail to payers, merchants and clients will be listed here."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : addressOf(here, { q: search, state })}
        older={hasMore ? addressOf(here, { q: search, state, after: mail.at(-1)?.id }) : null}
      />
    </>
  );
};

export default OutboxPage;
