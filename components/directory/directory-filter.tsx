import { FilterForm, SearchField } from "../portal/lists/filter-form.tsx";
import { Select } from "../ui/field/field.tsx";
import { Options } from "../ui/field/options.tsx";
import styles from "./directory.module.css";
import { capabilityLabel, environmentLabels, roleLabels, statusLabels } from "./directory-labels.ts";

/** The filters in the URL, with the same names as in the API. */
export type DirectoryQuery = Partial<
  Record<"q" | "role" | "capability" | "currency" | "environment" | "status" | "cursor", string>
>;

type Choices = { name: "role" | "capability" | "environment" | "status"; label: string };

const Choice = ({
  name,
  label,
  value,
  labels,
}: Choices & { value: string | undefined; labels: Readonly<Record<string, string | { label: string }>> }) => (
  <Select label={label} name={name} defaultValue={value ?? ""}>
    <option value="">All</option>
    <Options labels={labels} />
  </Select>
);

/** A native GET form, so that the URL contains the search and all filters. @param base URL of the list */
export const DirectoryFilter = ({
  query,
  capabilities,
  currencies,
  base,
}: {
  query: DirectoryQuery;
  capabilities: readonly string[];
  currencies: readonly string[];
  base: string;
}) => {
  const capabilityLabels = Object.fromEntries(capabilities.map((value) => [value, capabilityLabel(value)]));
  const { cursor: _, ...filters } = query;
  return (
    <FilterForm action={base} filters={filters} submit="Search">
      <div className={styles.search}>
        <SearchField label="Search" value={query.q} hint="Name, verified domain, issuer or ID" />
      </div>
      <Choice name="role" label="Role" value={query.role} labels={roleLabels} />
      <Choice name="capability" label="Capability" value={query.capability} labels={capabilityLabels} />
      <Select label="Currency" name="currency" defaultValue={query.currency ?? ""}>
        <option value="">All</option>
        {currencies.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </Select>
      <Choice name="environment" label="Environment" value={query.environment} labels={environmentLabels} />
      <Choice name="status" label="Status" value={query.status} labels={statusLabels} />
    </FilterForm>
  );
};
