import type { Reader } from "../../format/reader.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { FilterForm, SearchField } from "../../portal/lists/filter-form.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { auditTopicLabels } from "./audit-labels.ts";
import { type AuditQuery, auditListAddress } from "./audit-query.ts";

type Props = {
  query: AuditQuery;
  range: DateRange;
  members: readonly { accountId: string; name: string }[];
  now: Date;
  reader: Reader;
};

export const AuditFilter = ({ query, range, members, now, reader }: Props) => (
  <FilterForm action="/merchant/audit" filters={query} range={range}>
    <SearchField label="ID of an object or request" value={query.q} />
    <Select label="Topic" name="topic" defaultValue={query.topic ?? ""}>
      <option value="">All topics</option>
      <Options labels={auditTopicLabels} />
    </Select>
    <Select label="Actor" name="actor" defaultValue={query.actor ?? ""}>
      <option value="">All actors</option>
      {members.map(({ accountId, name }) => (
        <option key={accountId} value={accountId}>
          {name}
        </option>
      ))}
      <option value="operator">Paygrant</option>
      <option value="system">System</option>
    </Select>
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(dates) => auditListAddress({ ...query, ...dates, after: undefined })}
    />
  </FilterForm>
);
