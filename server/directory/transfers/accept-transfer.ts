import type { Actor } from "../../data/audit/audit.ts";
import { type Sql, sqlState } from "../../data/client.ts";
import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import { lockEntriesToMove } from "../../data/directory/transfers/entry-moves.ts";
import {
  endTransfer,
  hasOpenTransfer,
  type TransferRow,
} from "../../data/directory/transfers/participant-transfers.ts";
import { lockMerchant, type MerchantRow } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { acceptRefusal, canReceive } from "../rules/transfers.ts";
import { moveEntry } from "./move-entry.ts";
import { reportTransfer } from "./report-transfer.ts";
import { transferNotOpen } from "./transfer-not-open.ts";

type Input = { merchantId: string; transferId: string; actor: Actor; requestId: string };
type AcceptDeps = Pick<Deps, "db" | "clock" | "config">;

/**
 * The merchant that was offered an entry becomes its owner. `moveEntry` documents what is transferred with the entry.
 * Lock order: the offer, both merchants, tokens, clients, entries.
 * @throws DomainError transfer_not_open, recipient_suspended, own_entry_offered, participant_suspended,
 *   participant_withdrawn, entry_changed.
 */
export const acceptTransfer = async (deps: AcceptDeps, input: Input): Promise<{ participantId: string }> => {
  try {
    return await deps.db.sqlTransaction((sql) => accept(deps, sql, input));
  } catch (error) {
    // The merchant's first app was registered at the same time, which inserted an entry for the merchant.
    throw sqlState(error) === "23505" ? entryAppeared() : error;
  }
};

const accept = async (deps: AcceptDeps, sql: Sql, { merchantId, transferId, actor, requestId }: Input) => {
  const at = deps.clock.now();
  const side = { toMerchantId: merchantId };
  const transfer = await endTransfer(sql, { id: transferId, side, outcome: "accepted", endedBy: actor.id, at });
  if (transfer === null) throw transferNotOpen();
  const { from, to } = await lockMerchants(sql, transfer);
  if (!canReceive(to)) throw recipientSuspended();
  const { participantId } = transfer;
  const replacedId = await findParticipantOfMerchant(sql, merchantId);
  await lockEntriesToMove(sql, replacedId === null ? [participantId] : [participantId, replacedId]);
  await refuseEntry(sql, transfer);
  if (replacedId !== null) await refuseReplaced(sql, replacedId, at);
  const { environment } = deps.config;
  const moved = await moveEntry(sql, { participantId, replacedId, from, to, changedBy: actor.kind, environment, at });
  const data = {
    new_entry_of_former_owner: moved.newId,
    ...(replacedId === null ? {} : { replaced_entry: replacedId }),
    revoked_tokens: moved.tokens,
    revoked_statements: moved.statements,
  };
  await reportTransfer(deps, sql, { transfer, step: "accepted", actor, at, requestId, data });
  return { participantId };
};

/** In the order of their ids, so that two transfers between the same merchants can't deadlock. */
const lockMerchants = async (
  sql: Sql,
  { fromMerchantId, toMerchantId }: TransferRow,
): Promise<{ from: MerchantRow; to: MerchantRow }> => {
  const locked = new Map<string, MerchantRow | null>();
  for (const id of [fromMerchantId, toMerchantId].toSorted()) locked.set(id, await lockMerchant(sql, id));
  const [from, to] = [locked.get(fromMerchantId), locked.get(toMerchantId)];
  if (!from || !to) throw transferNotOpen();
  return { from, to };
};

const refuseEntry = async (sql: Sql, { participantId, fromMerchantId }: TransferRow): Promise<void> => {
  const entry = await findParticipant(sql, participantId);
  if (entry?.merchantId !== fromMerchantId) throw transferNotOpen();
  const refusal = acceptRefusal(entry.status);
  if (refusal) throw refusal;
};

/** The transfer withdraws the recipient's own entry. This must end neither a suspension nor an open offer. */
const refuseReplaced = async (sql: Sql, id: string, at: Date): Promise<void> => {
  if ((await findParticipant(sql, id))?.suspendedAt) throw ownEntrySuspended();
  if (await hasOpenTransfer(sql, id, at)) throw ownEntryOffered();
};

const recipientSuspended = () =>
  new DomainError("conflict", {
    code: "recipient_suspended",
    message: "Your merchant is suspended. You can accept the entry when the suspension is lifted.",
  });

const ownEntrySuspended = () =>
  new DomainError("conflict", {
    code: "participant_suspended",
    message: "Your own entry is suspended. You can accept another entry when the suspension ends.",
  });

const ownEntryOffered = () =>
  new DomainError("conflict", {
    code: "own_entry_offered",
    message: "Your own entry is offered to another merchant. Cancel this offer first.",
  });

const entryAppeared = () =>
  new DomainError("conflict", {
    code: "entry_changed",
    message: "Your merchant got an entry at the same time. Reload the page, and accept again.",
  });
