import type { OperatorSigningKey } from "#server/trpc/operator/operator-service-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RevokeKey } from "./key-acts.tsx";

type State = OperatorSigningKey["state"];

const states: Readonly<Record<State, { tone: Tone; label: string; coming: string | null }>> = {
  next: { tone: "note", label: "Next", coming: "May sign from" },
  active: { tone: "good", label: "Signs", coming: "Rotates" },
  retired: { tone: "neutral", label: "Retired", coming: "Published until" },
  deleted: { tone: "neutral", label: "Deleted", coming: null },
  revoked: { tone: "bad", label: "Revoked", coming: null },
};

/** The keys of one purpose, the newest first. */
export const KeyTable = ({
  caption,
  keys,
  now,
  reader,
  email,
}: {
  caption: string;
  keys: readonly OperatorSigningKey[];
  now: Date;
  reader: Reader;
  email: string;
}) => (
  <Table caption={caption} columns={["Key", { wide: "State" }, { wide: "What comes" }, { hidden: "Acts" }]}>
    <tbody>
      {keys.map(({ kid, state, since, until }) => {
        const { tone, label, coming } = states[state];
        return (
          <tr key={kid}>
            <td>
              {kid}
              <CellNote isNarrow>{label}</CellNote>
              <CellNote>since {formatRelativeDateTime(new Date(since), now, reader)}</CellNote>
            </td>
            <td data-wide>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td className="muted" data-wide>
              {coming && until ? `${coming} ${formatRelativeDateTime(new Date(until), now, reader)}` : null}
            </td>
            <td>
              {state === "deleted" || state === "revoked" ? null : <RevokeKey kid={kid} state={state} email={email} />}
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
