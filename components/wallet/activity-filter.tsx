import { FilterForm } from "../portal/lists/filter-form.tsx";
import { Select } from "../ui/field.tsx";

const shows = {
  paid: "Paid",
  under_way: "In progress",
  failed: "Failed",
  refunded: "Refunded",
} as const;

export type Show = keyof typeof shows;
export const isShow = (text: string | undefined): text is Show => text !== undefined && Object.hasOwn(shows, text);

export type ActivityQuery = { mandate?: string; show?: Show; after?: string };

export const activityUrl = (query: ActivityQuery): string => {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  return parameters.size > 0 ? `/wallet/activity?${parameters}` : "/wallet/activity";
};

export const ActivityFilter = ({
  query,
  mandates,
}: {
  query: ActivityQuery;
  mandates: readonly { id: string; label: string }[];
}) => (
  <FilterForm action="/wallet/activity" isFiltered={Boolean(query.mandate || query.show)}>
    <Select label="Mandate" name="mandate" defaultValue={query.mandate ?? ""}>
      <option value="">All mandates</option>
      {mandates.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
    <Select label="Show" name="show" defaultValue={query.show ?? ""}>
      <option value="">Everything</option>
      {Object.entries(shows).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  </FilterForm>
);
