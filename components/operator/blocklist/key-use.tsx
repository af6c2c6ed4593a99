import type { OperatorKeyUse } from "#server/trpc/operator/blocklist/operator-blocklist-views.ts";
import { formatCount } from "../../format/text.ts";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./blocklist.module.css";

/** The effect of blocking a key: which clients have the key now, and what the block means for them. */
export const KeyUse = ({ use: { thumbprint, isBlocked, total, clients } }: { use: OperatorKeyUse }) => {
  if (isBlocked) {
    return (
      <Notice tone="note" isLive>
        This key is already blocked. Its thumbprint is <span className={`mono ${styles.thumbprint}`}>{thumbprint}</span>
        .
      </Notice>
    );
  }
  return (
    <>
      <Notice tone={total > 0 ? "warn" : "note"} isLive>
        {effectOf(total)} Thumbprint: <span className={`mono ${styles.thumbprint}`}>{thumbprint}</span>
      </Notice>
      {total > 0 ? (
        <ul className={styles.clients} aria-label="Clients that have this key">
          {clients.map(({ id, name, kind, merchantName, isOnlyKey }) => (
            <li key={id}>
              <Link href={`/operator/clients/${id}`}>{name}</Link> <span className="mono">{id}</span>,{" "}
              {kind === "agent" ? "agent" : `app of ${merchantName ?? "a merchant"}`}
              {isOnlyKey ? ". It has no other key." : ". It has other keys."}
            </li>
          ))}
          {total > clients.length ? <li>and {formatCount(total - clients.length)} more</li> : null}
        </ul>
      ) : null}
    </>
  );
};

const effectOf = (total: number): string => {
  if (total === 0) return "No client has registered this key. After you block the key, proofs that use it are refused.";
  if (total === 1) {
    return "One client has this key. If you block it, all access tokens of this client become invalid immediately. If the client has no other key, it can’t get new tokens.";
  }
  return `${formatCount(total)} clients have this key. If you block it, all access tokens of these clients become invalid immediately. A client that has no other key can’t get new tokens.`;
};
