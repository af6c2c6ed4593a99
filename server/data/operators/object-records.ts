import { type Sql, statement } from "../client.ts";

export type ActOnObject = {
  at: Date;
  actorKind: string;
  actorId: string;
  subjectId: string;
  action: string;
  data: unknown;
};

const acts = statement<ActOnObject>(
  "find_acts_on_objects",
  `SELECT at, actor_kind AS "actorKind", actor_id AS "actorId", subject_id AS "subjectId", action, data FROM audit_entry
    WHERE subject_id = ANY ($1::text[]) AND at >= $2::timestamptz ORDER BY at DESC, seq DESC LIMIT $3::int`,
);

/** The audit log's entries about these objects since `from`, newest first. */
export const findActsOnObjects = (
  sql: Sql,
  { subjectIds, from, limit }: { subjectIds: readonly string[]; from: Date; limit: number },
): Promise<ActOnObject[]> => sql.query(acts, [subjectIds, from, limit]);

/** The delivery of one event to one endpoint. */
export type DeliveryOfObject = {
  id: string;
  eventType: string;
  state: "pending" | "delivered" | "failed" | "stopped";
  attempts: number;
  createdAt: Date;
  /** null: the endpoint was deleted */
  ownerKind: "client" | "merchant" | null;
  url: string | null;
  /** of the last attempt: the status of the response, or why there was none */
  lastStatus: number | null;
  lastProblem: string | null;
};

const deliveries = statement<DeliveryOfObject>(
  "find_deliveries_of_objects",
  `SELECT d.id, d.event_type AS "eventType", d.state::text AS state, d.attempts, d.created_at AS "createdAt",
          e.owner_kind::text AS "ownerKind", e.url, a.status AS "lastStatus", a.problem AS "lastProblem"
     FROM (SELECT * FROM webhook_delivery WHERE object_id = ANY ($1::text[])
            ORDER BY created_at DESC, id DESC LIMIT $2::int) d
     LEFT JOIN webhook_endpoint e ON e.id = d.endpoint_id
     LEFT JOIN LATERAL (
       SELECT status, problem FROM webhook_attempt w
        WHERE w.delivery_id = d.id AND w.delivery_at = d.created_at ORDER BY w.number DESC LIMIT 1
     ) a ON true
    ORDER BY d.created_at DESC, d.id DESC`,
);

/** The newest deliveries of events about these objects. */
export const findDeliveriesOfObjects = (
  sql: Sql,
  objectIds: readonly string[],
  limit: number,
): Promise<DeliveryOfObject[]> => sql.query(deliveries, [objectIds, limit]);
