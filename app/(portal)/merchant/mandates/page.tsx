import type { Metadata } from "next";
import { MerchantMandateTable } from "#components/merchant/mandates/mandate-table.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Select } from "#components/ui/field/field.tsx";
import { orNotFound } from "../../portal-context.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Mandates" };

const path = "/merchant/mandates";
const shows = { active: "Active", suspended: "Suspended", ended: "Ended" } as const;
type Show = keyof typeof shows;
const isShow = (text: unknown): text is Show => typeof text === "string" && Object.hasOwn(shows, text);

const MandatesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const show = isShow(params["show"]) ? params["show"] : undefined;
  const [q, cursor] = [searchText(params, "q"), searchText(params, "after")];
  const { api, merchantId, reader } = await merchantPage(path);
  const { mandates, nextCursor } = await orNotFound(api.merchantMandates.list({ merchantId, show, search: q, cursor }));
  const isFiltered = show !== undefined || q !== undefined;
  return (
    <>
      <PageHead title="Mandates">Mandates that name your merchant or that you have charged, newest first.</PageHead>
      <FilterForm action={path} filters={{ q, show }}>
        <SearchField label="Mandate ID, agent name or client ID" value={q} />
        <Select label="Status" name="show" defaultValue={show ?? ""}>
          <option value="">All statuses</option>
          {Object.entries(shows).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {mandates.length > 0 ? (
        <MerchantMandateTable mandates={mandates} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={path}
          noMatch={
            nextCursor
              ? "No match in the mandates searched so far. To search older mandates, select Older."
              : "No mandate matches these filters."
          }
          title="No mandates yet"
        >
          A mandate appears here when a payer approves one that names your merchant, or when your app charges one.
        </ListEmpty>
      )}
      <Pager
        newest={cursor === undefined ? null : listAddress(path, { show, q })}
        older={nextCursor ? listAddress(path, { show, q, after: nextCursor }) : null}
      />
    </>
  );
};

export default MandatesPage;
