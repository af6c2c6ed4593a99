import type { ActivityShow } from "#server/charges/payers/rules/activity-states.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletEntry } from "#server/trpc/wallet/views.ts";
import type { Reader } from "../format/reader.ts";
import { DateFilter } from "../portal/lists/date-filter.tsx";
import type { DateRange } from "../portal/lists/date-range.ts";
import { FilterForm } from "../portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId } from "../portal/lists/list-address.ts";
import { Select } from "../ui/field/field.tsx";
import { dateFilterTexts } from "./list-texts.ts";

const shows: readonly ActivityShow[] = ["paid", "under_way", "failed", "refunded"];

const kinds: readonly WalletEntry["kind"][] = ["charge", "refund"];

export type ActivityQuery = {
  agent: string | undefined;
  merchant: string | undefined;
  mandate: string | undefined;
  kind: WalletEntry["kind"] | undefined;
  show: ActivityShow | undefined;
};

/** The filters in the page's URL. Unknown values are ignored. */
export const readActivityQuery = (params: SearchParams): ActivityQuery => ({
  agent: searchId(params, "agent"),
  merchant: searchId(params, "merchant"),
  mandate: searchId(params, "mandate"),
  kind: kinds.find((name) => name === params["kind"]),
  show: shows.find((name) => name === params["show"]),
});

type Choice = { id: string; name: string };

export const ActivityFilter = ({
  query,
  range,
  now,
  reader,
  choices,
  mandates,
}: {
  query: ActivityQuery;
  range: DateRange;
  now: Date;
  reader: Reader;
  choices: { clients: readonly Choice[]; merchants: readonly Choice[] };
  mandates: readonly { id: string; label: string }[];
}) => {
  const t = translator(reader.locale, "activity");
  const words = translator(reader.locale, "wallet");
  return (
    <FilterForm
      action="/wallet/activity"
      filters={query}
      range={range}
      label={words("list.filters")}
      submit={words("list.filter")}
      clear={words("list.clear")}
    >
      <Options label={t("filters.agent")} name="agent" all={t("filters.allAgents")} value={query.agent}>
        {choices.clients.map(({ id, name }) => ({ id, label: name }))}
      </Options>
      <Options label={t("filters.merchant")} name="merchant" all={t("filters.allMerchants")} value={query.merchant}>
        {choices.merchants.map(({ id, name }) => ({ id, label: name }))}
      </Options>
      <Options label={t("filters.mandate")} name="mandate" all={t("filters.allMandates")} value={query.mandate}>
        {mandates}
      </Options>
      <Options label={t("filters.kind")} name="kind" all={t("filters.allKinds")} value={query.kind}>
        {kinds.map((id) => ({ id, label: t(`filters.${id}`) }))}
      </Options>
      <Options label={t("filters.show")} name="show" all={t("filters.everything")} value={query.show}>
        {shows.map((id) => ({ id, label: t(`filters.${id}`) }))}
      </Options>
      <DateFilter
        range={range}
        now={now}
        reader={reader}
        addressOf={(chosen) => listAddress("/wallet/activity", { ...query, ...chosen })}
        texts={dateFilterTexts(reader.locale)}
      />
    </FilterForm>
  );
};

const Options = ({
  label,
  name,
  all,
  value,
  children,
}: {
  label: string;
  name: string;
  /** the choice without a filter */
  all: string;
  value: string | undefined;
  children: readonly { id: string; label: string }[];
}) => (
  <Select label={label} name={name} defaultValue={value ?? ""}>
    <option value="">{all}</option>
    {children.map((choice) => (
      <option key={choice.id} value={choice.id}>
        {choice.label}
      </option>
    ))}
  </Select>
);
