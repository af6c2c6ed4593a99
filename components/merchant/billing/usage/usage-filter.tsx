import { meterTitle, serviceMeters } from "#server/kernel/billing/meter-title.ts";
import type { Reader } from "../../../format/reader.ts";
import { DateFilter } from "../../../portal/lists/date-filter.tsx";
import type { DateRange } from "../../../portal/lists/date-range.ts";
import { FilterForm } from "../../../portal/lists/filter-form.tsx";
import { Field, Select } from "../../../ui/field/field.tsx";
import { Options } from "../../../ui/field/options.tsx";
import { type UsageQuery, usageAddress, usageWindowNames } from "./usage-query.ts";

type Props = {
  query: UsageQuery;
  chosen: Readonly<Record<string, string | undefined>>;
  range: DateRange;
  ownMeters: readonly string[];
  problems: { zone: string | null; window: string | null };
  now: Date;
  reader: Reader;
};

export const UsageFilter = ({ query, chosen, range, ownMeters, problems, now, reader }: Props) => {
  const meters = [...new Set([...serviceMeters, ...ownMeters, query.meter])];
  return (
    <FilterForm
      action="/merchant/billing/usage"
      filters={chosen}
      hasError={problems.zone !== null || problems.window !== null || range.problem !== null}
      submit="Show"
    >
      <Select label="Meter" name="meter" defaultValue={query.meter}>
        {meters.map((meter) => (
          <option key={meter} value={meter}>
            {meterTitle(meter)}
          </option>
        ))}
      </Select>
      <Select label="Window" name="window" defaultValue={query.window} error={problems.window}>
        <Options labels={usageWindowNames} />
      </Select>
      <Field
        label="Time zone"
        name="zone"
        defaultValue={query.zone}
        maxLength={64}
        placeholder="Europe/Berlin"
        autoComplete="off"
        spellCheck={false}
        error={problems.zone}
      />
      <DateFilter
        range={range}
        now={now}
        reader={{ ...reader, timeZone: query.zone }}
        addressOf={(dates) => usageAddress({ ...query, ...dates, at: undefined, after: undefined })}
      />
    </FilterForm>
  );
};
