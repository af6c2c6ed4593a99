import type { Sql } from "../../data/client.ts";
import { findParticipant, type ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { findOwnerAddresses } from "../domains/find-owner-addresses.ts";

type EntryChange =
  | { kind: "entry_suspended" | "entry_resumed" }
  | { kind: "federation_keys_changed"; entityId: string; keyCount: number }
  | { kind: "federation_left"; entityId: string; problem: string }
  | { kind: "app_deleted"; appName: string; clientId: string }
  | ({ domain: string; url: string; record: string; provedAt: Date } & (
      | { kind: "domain_check_failed"; unverifiedFrom: Date }
      | { kind: "domain_unverified" }
    ));

type Notice = {
  participantId: string;
  change: EntryChange;
  at: Date;
  requestId: string;
  /** domains to treat as verified, even if a failed check has just ended their verification */
  alsoVerified?: readonly string[];
};

/** The page on which the owners see their entry; without a merchant, the entry's public page. */
const ownersPage = (
  { discoveryUrl, walletUrl }: Deps["config"],
  { id, merchantId }: Pick<ParticipantRow, "id" | "merchantId">,
): string => (merchantId === null ? `${discoveryUrl}/${id}` : merchantPageUrl(walletUrl, merchantId, "/directory"));

/**
 * Informs the owners of an entry about a change that they didn't make, in the transaction of the change. The e-mail
 * doesn't contain an operator's reason.
 */
export const notifyEntryOwners = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { participantId, change, at, requestId, alsoVerified }: Notice,
): Promise<void> => {
  const row = await findParticipant(sql, participantId);
  if (!row || !isOfInterest(row, change)) return;
  const recipients = await findOwnerAddresses(sql, row, alsoVerified);
  const about = { participantName: row.displayName, at, entryUrl: ownersPage(deps.config, row) };
  const content = (timeZone: string) => ({ ...change, ...about, timeZone });
  await queueMailToEach(deps, sql, { recipients, content, requestId });
};

/** The owners of a withdrawn entry are informed only about the deletion of an app. */
const isOfInterest = ({ status }: Pick<ParticipantRow, "status">, { kind }: EntryChange): boolean => {
  if (status === "withdrawn") return kind === "app_deleted";
  // While its merchant is suspended, the entry stays suspended.
  return kind !== "entry_resumed" || status !== "suspended";
};
