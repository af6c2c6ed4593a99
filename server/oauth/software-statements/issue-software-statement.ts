import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { countValidSoftwareStatements, insertSoftwareStatement } from "../../data/directory/software-statements.ts";
import type { Deps } from "../../deps/deps.ts";
import { lockMerchantParticipant } from "../../directory/participants/lock-own-participant.ts";
import { DomainError, sentenceRefusal } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refuseUnapproved } from "../../merchants/refuse-unapproved.ts";
import { signSoftwareStatement } from "./sign-software-statement.ts";
import { type Software, statementMetadata } from "./statement-metadata.ts";

const hour = 3600;
/** The key that signs a statement stays published for longer than this (rules/key-life.ts). */
const maxSeconds = 90 * 24 * hour;
const maxValid = 20;

type Input = { merchantId: string; software: Software; ttlSeconds: number; actor: Actor; requestId: string };

/**
 * Signs a software statement for a merchant's participant, which must be active. The statement is returned once and
 * isn't stored.
 * @throws DomainError participant_not_verified, too_many_statements; invalid, naming the field; merchant_pending,
 *   merchant_declined, and the errors of `lockMerchantParticipant`.
 */
export const issueSoftwareStatement = (
  deps: Pick<Deps, "db" | "clock" | "config" | "keys">,
  { merchantId, software, ttlSeconds, actor, requestId }: Input,
): Promise<{ id: string; statement: string; expiresAt: Date }> =>
  deps.db.sqlTransaction(async (sql) => {
    const participant = await lockMerchantParticipant(sql, merchantId);
    await refuseUnapproved(sql, merchantId);
    if (participant?.status !== "active") throw notVerified();
    const { id: participantId, verifiedDomains } = participant;
    if (!Number.isInteger(ttlSeconds) || ttlSeconds < hour || ttlSeconds > maxSeconds) {
      throw sentenceRefusal("/ttlSeconds", "Choose a time between one hour and 90 days.");
    }
    const metadata = statementMetadata(software, verifiedDomains);
    const issuedAt = deps.clock.now();
    if ((await countValidSoftwareStatements(sql, participantId, issuedAt)) >= maxValid) throw tooMany();
    const id = newId("sst");
    const expiresAt = addSeconds(issuedAt, ttlSeconds);
    const { softwareId, clientName } = software;
    const row = { id, participantId, softwareId, clientName, createdBy: actor.id, createdAt: issuedAt, expiresAt };
    await insertSoftwareStatement(sql, row);
    await appendAudit(sql, {
      at: issuedAt,
      actor,
      requestId,
      action: "software_statement.issued",
      subjectId: id,
      data: {
        merchant_id: merchantId,
        participant_id: participantId,
        software_id: softwareId,
        members: Object.keys(metadata),
      },
    });
    const statement = await signSoftwareStatement(deps, { id, participantId, metadata, issuedAt, expiresAt });
    return { id, statement, expiresAt };
  });

const notVerified = () =>
  new DomainError("forbidden", {
    code: "participant_not_verified",
    message: "The entry needs a verified domain to get software statements.",
  });

const tooMany = () =>
  new DomainError("conflict", {
    code: "too_many_statements",
    message: `You already have ${maxValid} valid software statements. Revoke one first.`,
  });
