import { deviceName } from "#server/kernel/text/device-name.ts";
import { formatPlace } from "#server/kernel/text/place-name.ts";
import type { OperatorPayer } from "#server/trpc/operator/payers/payer-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Table } from "../../ui/table.tsx";
import { signInOutcomes } from "../labels/payer-labels.ts";

/** The newest sign-ins and failed attempts. */
export const PayerSignIns = ({
  signIns,
  now,
  reader,
}: Pick<OperatorPayer, "signIns"> & { now: Date; reader: Reader }) => (
  <Table caption="Sign-in history" columns={["Device", "Place", { date: "When" }, { short: "Outcome" }]}>
    <tbody>
      {signIns.map(({ id, at, outcome, userAgent, place }) => (
        <tr key={id}>
          <td>{deviceName(userAgent) ?? "Unknown device"}</td>
          <td>{place ? formatPlace(place, reader.locale) : "Unknown"}</td>
          <td className="muted">
            <Time at={at} now={now} reader={reader} />
          </td>
          <td>
            <Pill tone={signInOutcomes[outcome].tone}>{signInOutcomes[outcome].label}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
