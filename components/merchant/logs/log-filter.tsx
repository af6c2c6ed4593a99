import type { MerchantApp } from "#server/trpc/merchant/app-views.ts";
import type { Reader } from "../../format/reader.ts";
import { DateFilter } from "../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { type LogQuery, logMethods, logsAddress, statusClasses } from "./log-query.ts";

type Props = { query: LogQuery; range: DateRange; apps: readonly MerchantApp[]; now: Date; reader: Reader };

export const LogFilter = ({ query, range, apps, now, reader }: Props) => (
  <FilterForm action="/merchant/logs" filters={query} range={range}>
    <Field label="Path contains" name="path" type="search" defaultValue={query.path} maxLength={200} />
    <Field label="Request ID" name="request" type="search" defaultValue={query.request} maxLength={64} />
    <Select label="App" name="app" defaultValue={query.app ?? ""}>
      <option value="">All apps</option>
      {apps.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
    <Select label="Method" name="method" defaultValue={query.method ?? ""}>
      <option value="">All methods</option>
      {logMethods.map((method) => (
        <option key={method}>{method}</option>
      ))}
    </Select>
    <Select label="Status" name="status" defaultValue={query.status ?? ""}>
      <option value="">All statuses</option>
      <Options labels={statusClasses} />
    </Select>
    <DateFilter
      range={range}
      now={now}
      reader={reader}
      addressOf={(days) => logsAddress({ ...query, ...days, after: undefined })}
    />
  </FilterForm>
);
