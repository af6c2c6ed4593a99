import { codeLabel, disputeStatusLabels } from "../../format/labels/dispute-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";

export const disputesPath = "/operator/disputes";

type Query = { q: string | undefined; status: string | undefined; reason: string | undefined };

/** The filters of the list of all disputes. @param reasons the reasons that processors have given */
export const DisputeFilter = ({
  query,
  reasons,
  range,
  now,
  reader,
}: {
  query: Query;
  reasons: readonly string[];
  range: DateRange;
  now: Date;
  reader: Reader;
}) => (
  <FilterForm action={disputesPath} filters={query} range={range}>
    <Field
      label="Reference or ID"
      name="q"
      type="search"
      defaultValue={query.q ?? ""}
      maxLength={255}
      hint="The start of a charge’s reference, or a complete ID of a dispute, charge or merchant."
    />
    <Select label="Status" name="status" defaultValue={query.status ?? ""}>
      <option value="">All statuses</option>
      <Options labels={disputeStatusLabels} />
    </Select>
    <Select label="Reason" name="reason" defaultValue={query.reason ?? ""}>
      <option value="">All reasons</option>
      {reasons.map((reason) => (
        <option key={reason} value={reason}>
          {codeLabel(reason)}
        </option>
      ))}
    </Select>
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(period) => listAddress(disputesPath, { ...query, ...period })}
    />
  </FilterForm>
);
