import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isMailState, mailStates } from "#components/format/labels/mail-labels.ts";
import { MailTable } from "#components/operator/service/mail-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Outbox" };

const here = "/operator/outbox";

const OutboxPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, now, config, may } = await operatorPage(here);
  if (!may("mail.list")) notFound();
  const [search, requestedState, after] = [
    searchText(params, "q"),
    searchText(params, "state"),
    searchId(params, "after"),
  ];
  const state = isMailState(requestedState) ? requestedState : undefined;
  const { mail, hasMore } = await api.operator.outbox({ search, state, startingAfter: after });
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Outbox">
        {config.smtpUrl === null
          ? "This environment sends no e-mail. E-mails are kept here for 30 days."
          : "All e-mail of the last 30 days."}
      </PageHead>
      <FilterForm action={here} filters={{ q: search, state }}>
        <Field label="Recipient, subject or ID" name="q" type="search" defaultValue={search ?? ""} maxLength={100} />
        <Select label="Status" name="state" defaultValue={state ?? ""}>
          <option value="">All statuses</option>
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
        <EmptyState title={isFiltered ? "No results" : "No e-mail yet"}>
          {isFiltered
            ? "No e-mail of the last 30 days matches these filters. Clear the filters to see all e-mail."
            : "E-mail to payers, merchants, subscribers and operators is listed here."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search, state })}
        older={hasMore ? listAddress(here, { q: search, state, after: mail.at(-1)?.id }) : null}
      />
    </>
  );
};

export default OutboxPage;
