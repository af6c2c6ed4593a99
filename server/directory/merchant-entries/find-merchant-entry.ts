import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import { findParticipantDomains, type ParticipantDomainRow } from "../../data/directory/participant-domains.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { EntryQuery } from "../participants/find-participant.ts";
import { editTag, type Participant, toParticipant } from "../participants/participant.wire.ts";

export type MerchantEntry = {
  participant: Participant;
  /** whether it or its merchant is suspended, even if the status is withdrawn */
  isSuspended: boolean;
  etag: string;
  domains: ParticipantDomainRow[];
};

type ByMerchant = { merchantId: string };

/** A merchant's entry with all its claims; null before the merchant is approved. */
export const findMerchantEntry = async (
  deps: Pick<Deps, "config" | "db" | "clock">,
  { merchantId, server }: ByMerchant & Pick<EntryQuery, "server">,
): Promise<MerchantEntry | null> => {
  const id = await findParticipantOfMerchant(deps.db.sql, merchantId);
  if (id === null) return null;
  const [row, domains] = await Promise.all([findParticipant(deps.db.sql, id), findParticipantDomains(deps.db.sql, id)]);
  if (!row) return null;
  const { environment } = deps.config;
  const participant = toParticipant(row, { environment, server, now: deps.clock.now() });
  return { participant, isSuspended: row.isSuspended, etag: editTag(participant), domains };
};

/** The id of a merchant's entry. @throws DomainError participant_not_found. */
export const getMerchantEntryId = async ({ db }: Pick<Deps, "db">, { merchantId }: ByMerchant): Promise<string> => {
  const id = await findParticipantOfMerchant(db.sql, merchantId);
  if (id === null) throw merchantWithoutEntry();
  return id;
};

export const merchantWithoutEntry = () =>
  new DomainError("conflict", {
    code: "participant_not_found",
    message: "Your merchant has no entry in the directory yet. It gets one when it is approved.",
  });
