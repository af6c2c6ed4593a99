import type { Metadata } from "next";
import { LedgerFilter, ledgerAddress, ledgerCsvAddress } from "#components/merchant/billing/ledger/ledger-filter.tsx";
import { isLedgerAccount } from "#components/merchant/billing/ledger/ledger-labels.ts";
import { LedgerBalances, LedgerEntries } from "#components/merchant/billing/ledger/ledger-tables.tsx";
import { type DateRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { DownloadLink } from "#components/ui/button.tsx";
import { isCurrency } from "#server/kernel/money/money.ts";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Ledger" };

const readQuery = (params: SearchParams, { from, to }: DateRange) => {
  const code = searchText(params, "currency", 3)?.toUpperCase();
  return {
    account: isLedgerAccount(params["account"]) ? params["account"] : undefined,
    currency: code !== undefined && isCurrency(code) ? code : undefined,
    from,
    to,
  };
};

const LedgerPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, merchantId, reader, businessNow } = await merchantPage("/merchant/billing/ledger");
  const range = readDateRange(params, reader.timeZone);
  const query = readQuery(params, range);
  const after = searchId(params, "after");
  const page = await orNotFound(
    api.merchantLedger.statement({
      merchantId,
      ...query,
      ...periodOf(range),
      startingAfter: after,
    }),
  );
  const { balances } = page;
  // With invalid dates, the page shows the problem instead of entries of another period.
  const { entries, hasMore } = range.problem === null ? page : { entries: [], hasMore: false };
  return (
    <>
      <PageHead
        title="Ledger"
        act={
          entries.length > 0 ? (
            <DownloadLink href={ledgerCsvAddress(merchantId, query, range)}>Export CSV</DownloadLink>
          ) : null
        }
      >
        Paygrant’s ledger entries for your invoices, their payments and your credits, newest first. “Revenue” is
        Paygrant’s revenue from you.
      </PageHead>
      <LedgerFilter query={query} range={range} now={businessNow} reader={reader} />
      {balances.length > 0 && !after ? (
        <Section title="Balances today">
          <LedgerBalances balances={balances} reader={reader} />
        </Section>
      ) : null}
      {entries.length > 0 ? (
        <Section title="Entries">
          <LedgerEntries entries={entries} reader={reader} />
        </Section>
      ) : (
        <ListEmpty
          isFiltered={ledgerAddress(query) !== "/merchant/billing/ledger"}
          range={range}
          clear="/merchant/billing/ledger"
          noMatch="No entry matches these filters."
          title="No entries yet"
        >
          Entries appear here when your first invoice becomes final, or when you get a credit.
        </ListEmpty>
      )}
      <Pager
        newest={after ? ledgerAddress(query) : null}
        older={hasMore ? ledgerAddress({ ...query, after: entries.at(-1)?.id }) : null}
      />
    </>
  );
};

export default LedgerPage;
