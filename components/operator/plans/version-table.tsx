import type { OperatorPlanComparison } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { formatShortUtcDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { Time } from "../../format/time.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { RowLink, Table } from "../../ui/table.tsx";

type Props = { plan: OperatorPlanComparison; now: Date; reader: Reader };

/** The versions of a plan, newest first. Each row opens the differences from the previous version. */
export const VersionTable = ({ plan, now, reader }: Props) => (
  <Table
    caption="Versions"
    columns={[
      "Version",
      { date: "Effective from (UTC)" },
      { date: "Applied" },
      { short: "Public list" },
      { figure: "Subscriptions" },
    ]}
  >
    <tbody>
      {plan.versions.map(({ version, effectiveFrom, isPublic, appliedAt, subscribers }) => (
        <tr key={version}>
          <td>
            <RowLink href={listAddress(`/operator/plans/${plan.id}`, { to: String(version) })}>
              Version {version}
            </RowLink>
          </td>
          <td>
            {formatShortUtcDate(effectiveFrom, reader.locale)}
            {version === plan.inEffect ? ", in effect" : null}
          </td>
          <td className="muted">
            <Time at={appliedAt} now={now} reader={reader} />
          </td>
          <td>{isPublic ? "Shown" : "Hidden"}</td>
          <td>{formatCount(subscribers)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
