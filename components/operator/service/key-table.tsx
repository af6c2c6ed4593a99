import type { OperatorSigningKey } from "#server/trpc/operator/operator-service-views.ts";
import { formatRelativeInSentence } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { RevokeKey } from "./revoke-key.tsx";

type State = OperatorSigningKey["state"];

const states: Readonly<Record<State, { tone: Tone; label: string; nextChange: string | null }>> = {
  next: { tone: "note", label: "Next", nextChange: "Can become active from" },
  active: { tone: "good", label: "Active", nextChange: "Active until" },
  retired: { tone: "neutral", label: "Retired", nextChange: "Published until" },
  deleted: { tone: "neutral", label: "Deleted", nextChange: null },
  revoked: { tone: "bad", label: "Revoked", nextChange: null },
};

/** The keys of one purpose, newest first. */
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
  <Table isAligned caption={caption} columns={[{ id: "Key" }, "Next change", { short: "Status" }, { acts: "Actions" }]}>
    <tbody>
      {keys.map(({ kid, state, since, until }) => {
        const { tone, label, nextChange } = states[state];
        return (
          <tr key={kid}>
            <td>
              {kid}
              <CellNote>
                since <Time at={since} now={now} reader={reader} isInSentence />
              </CellNote>
            </td>
            <td className="muted">
              {nextChange && until ? `${nextChange} ${formatRelativeInSentence(new Date(until), now, reader)}` : null}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>
              <IfAllowed action="signing_key.revoke">
                {state === "deleted" || state === "revoked" ? null : (
                  <RevokeKey kid={kid} state={state} email={email} />
                )}
              </IfAllowed>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
