import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { Field, Select } from "../../ui/field/field.tsx";

/** The filters of a list whose rows have a title and a state. @param states the label of each state */
export const TitleFilter = ({
  action,
  search,
  state,
  states,
}: {
  action: string;
  search: string | undefined;
  state: string | undefined;
  states: Readonly<Record<string, { label: string }>>;
}) => (
  <FilterForm action={action} filters={{ q: search, state }}>
    <Field label="Title or ID" name="q" type="search" defaultValue={search ?? ""} maxLength={200} />
    <Select label="Status" name="state" defaultValue={state ?? ""}>
      <option value="">All statuses</option>
      {Object.entries(states).map(([value, { label }]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  </FilterForm>
);
