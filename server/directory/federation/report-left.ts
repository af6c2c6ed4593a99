import { type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { notifyEntryOwners } from "../participants/notify-entry-owners.ts";

type Entity = { participantId: string; merchantId: string | null; entityId: string };

/** The audit entry of a change that the service itself makes to an entity. */
export const appendEntityAudit = (
  sql: Sql,
  { participantId, merchantId, entityId }: Entity,
  { data, ...entry }: Pick<AuditEntry, "at" | "requestId" | "action" | "data">,
): Promise<void> =>
  appendAudit(sql, {
    ...entry,
    actor: { kind: "system", id: "federation-checks" },
    subjectId: participantId,
    data: { entity_id: entityId, ...data, ...(merchantId === null ? {} : { merchant_id: merchantId }) },
  });

type Leaving = { problem: string; at: Date; requestId: string };

/** Reports that an entity left the federation: the owners get an e-mail, and the audit log an entry. */
export const reportLeft = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { entity, problem, at, requestId }: Leaving & { entity: Entity },
): Promise<void> => {
  const { participantId, entityId } = entity;
  const change = { kind: "federation_left", entityId, problem } as const;
  await notifyEntryOwners(deps, sql, { participantId, change, at, requestId });
  await appendEntityAudit(sql, entity, { at, requestId, action: "participant.federation_left", data: { problem } });
};
