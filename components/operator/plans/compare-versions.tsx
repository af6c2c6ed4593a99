import type { OperatorPlanComparison } from "#server/trpc/operator/plans/operator-plan-views.ts";
import type { Reader } from "../../format/reader.ts";
import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { DifferenceTable } from "./difference-table.tsx";

type Props = { plan: OperatorPlanComparison; isChosen: boolean; reader: Reader };

const VersionSelect = ({ plan, name, label }: { plan: OperatorPlanComparison; name: "from" | "to"; label: string }) => (
  <Select label={label} name={name} defaultValue={plan[name] ?? plan.to}>
    {plan.versions.map(({ version }) => (
      <option key={version} value={version}>
        Version {version}
      </option>
    ))}
  </Select>
);

/** Selects two versions, and shows their differences. */
export const CompareVersions = ({ plan, isChosen, reader }: Props) => (
  <>
    {plan.versions.length > 1 ? (
      <FilterForm
        action={`/operator/plans/${plan.id}`}
        filters={{ versions: isChosen ? "chosen" : undefined }}
        submit="Compare"
        label="Versions"
      >
        <VersionSelect plan={plan} name="from" label="From" />
        <VersionSelect plan={plan} name="to" label="To" />
      </FilterForm>
    ) : null}
    {plan.differences.length > 0 ? (
      <>
        <p className="small muted">Unit prices are in minor units, and rates are in basis points.</p>
        <DifferenceTable plan={plan} reader={reader} />
      </>
    ) : (
      <Notice tone="note">These versions have the same values.</Notice>
    )}
  </>
);
