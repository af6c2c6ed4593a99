import type { OperatorBlockedKey } from "#server/trpc/operator/blocklist/operator-blocklist-views.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { Time } from "../../format/time.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import styles from "./blocklist.module.css";
import { UnblockKey } from "./unblock-key.tsx";

type Props = { keys: readonly OperatorBlockedKey[]; now: Date; reader: Reader; email: string };

/** Blocked keys, newest first. */
export const BlockedKeyTable = ({ keys, now, reader, email }: Props) => (
  <Table
    caption="Blocked keys"
    columns={["Thumbprint", "Reason", { date: "Blocked" }, { figure: "Clients" }, { acts: "Actions" }]}
  >
    <tbody>
      {keys.map(({ thumbprint, reason, blockedBy, blockedAt, clients }) => (
        <tr key={thumbprint}>
          <td className={`mono ${styles.thumbprint}`}>{thumbprint}</td>
          <td className={styles.reason}>{reason}</td>
          <td className="muted">
            <Time at={blockedAt} now={now} reader={reader} />
            <CellNote>by {blockedBy ?? "a deleted account"}</CellNote>
          </td>
          <td>{formatCount(clients)}</td>
          <td>
            <IfAllowed action="blocked_key.remove">
              <UnblockKey thumbprint={thumbprint} email={email} />
            </IfAllowed>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
