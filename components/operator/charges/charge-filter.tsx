import type { Reader } from "../../format/reader.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { operatorChargeStates } from "../labels/operator-charge-labels.ts";
import { chargesPath } from "./charge-tabs.tsx";

/** A reference has at most 255 characters. */
export const maxChargeSearch = 255;

/** The filters of the list of all charges: search, state and dates. */
export const ChargeFilter = ({
  query: { q, state },
  range,
  now,
  reader,
}: {
  query: { q: string | undefined; state: string | undefined };
  range: DateRange;
  now: Date;
  reader: Reader;
}) => (
  <FilterForm action={chargesPath} filters={{ q, state }} range={range}>
    <Field
      label="Reference, merchant or ID"
      name="q"
      type="search"
      defaultValue={q ?? ""}
      maxLength={maxChargeSearch}
      hint="The start of a reference, a part of a merchant’s name, or a complete ID."
    />
    <Select label="Status" name="state" defaultValue={state ?? ""}>
      <option value="">All statuses</option>
      <Options labels={operatorChargeStates} />
    </Select>
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(period) => listAddress(chargesPath, { q, state, ...period })}
    />
  </FilterForm>
);
