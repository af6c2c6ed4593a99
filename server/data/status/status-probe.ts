import { type Sql, statement, type Tx } from "../client.ts";

type PublicKey = Readonly<Record<string, string>>;

/**
 * What the status process requests for its synthetic journeys: public keys, and the hash of a secret that only it
 * knows.
 */
export type ProbeRequest = { agentKey: PublicKey; merchantKey: PublicKey; requestedHash: string };

/** The parties of the synthetic journeys, and their grant. */
export type ProbeParties = {
  payerId: string;
  merchantId: string;
  agentClientId: string;
  merchantClientId: string;
  grantId: string;
  mandateId: string;
  /** hash of the refresh token: the requested hash, once it is granted */
  grantedHash: string;
};

export type ProbeRow = ProbeRequest & { [Name in keyof ProbeParties]: ProbeParties[Name] | null };

const columns = `p.agent_key AS "agentKey", p.merchant_key AS "merchantKey", p.requested_hash AS "requestedHash", p.payer_id AS "payerId",
     p.merchant_id AS "merchantId", p.agent_client_id AS "agentClientId", p.merchant_client_id AS "merchantClientId",
     p.grant_id AS "grantId", p.mandate_id AS "mandateId", p.granted_hash AS "grantedHash"`;

const lock = statement<ProbeRow>("lock_status_probe", `SELECT ${columns} FROM status_probe p FOR UPDATE`);

/** @returns null if nothing was requested. */
export const lockProbe = async (sql: Sql): Promise<ProbeRow | null> => (await sql.query(lock, []))[0] ?? null;

const find = statement<ProbeRow & { isLive: boolean; endsSoon: boolean }>(
  "find_status_probe",
  `SELECT ${columns},
     coalesce(m.state = 'active' AND m.valid_until > business.now AND g.ended_at IS NULL, false) AS "isLive",
     coalesce(m.valid_until <= business.now + make_interval(secs => $2::int), true) AS "endsSoon"
   FROM status_probe p
   CROSS JOIN (SELECT $1::timestamptz + make_interval(secs =>
     coalesce((SELECT clock_offset_ms FROM environment WHERE id = 1), 0) / 1000.0::float8) AS now) business
   LEFT JOIN mandate m ON m.id = p.mandate_id
   LEFT JOIN "grant" g ON g.id = p.grant_id`,
);

/**
 * Finds the probe, and whether its mandate is active in business time and ends within `soonSeconds`.
 * @returns null if nothing was requested.
 */
export const findProbe = async (sql: Sql, { now, soonSeconds }: { now: Date; soonSeconds: number }) =>
  (await sql.query(find, [now, soonSeconds]))[0] ?? null;

const upsertRequest = statement<never>(
  "request_status_probe",
  `INSERT INTO status_probe (id, agent_key, merchant_key, requested_hash, requested_at)
   VALUES (1, $1::jsonb, $2::jsonb, $3, $4::timestamptz)
   ON CONFLICT (id) DO UPDATE SET agent_key = excluded.agent_key, merchant_key = excluded.merchant_key,
     requested_hash = excluded.requested_hash, requested_at = excluded.requested_at`,
);

export const requestProbe = async (sql: Sql, request: ProbeRequest & { now: Date }): Promise<void> => {
  const { agentKey, merchantKey, requestedHash, now } = request;
  await sql.query(upsertRequest, [JSON.stringify(agentKey), JSON.stringify(merchantKey), requestedHash, now]);
};

/** The caller holds the row's lock. */
export const saveProbeParties = async (tx: Tx, parties: ProbeParties): Promise<void> => {
  await tx.statusProbe.update({ where: { id: 1 }, data: parties });
};

/** Inserts an account that can't sign in, with a payment method that no processor has. */
export const insertProbePayer = async (
  tx: Tx,
  payer: { id: string; email: string; displayName: string; passwordHash: string; paymentMethodId: string; at: Date },
): Promise<void> => {
  const { paymentMethodId, at, ...account } = payer;
  await tx.account.create({ data: { ...account, isProbe: true, createdAt: at } });
  await tx.paymentMethod.create({
    data: {
      id: paymentMethodId,
      payerId: payer.id,
      processor: "none",
      processorRef: "none",
      type: "none",
      label: "None: probes don't pay",
      isDefault: true,
      createdAt: at,
    },
  });
};

export const findProbePaymentMethod = async (tx: Tx, payerId: string): Promise<string> =>
  (await tx.paymentMethod.findFirstOrThrow({ where: { payerId }, select: { id: true } })).id;

/** Replaces the client's keys and raises its version, so that cached copies of the client are dropped. */
export const setProbeKeys = async (
  tx: Tx,
  client: { id: string; jwks: { keys: PublicKey[] }; keyThumbprintHashes: string[] },
): Promise<void> => {
  const { id, jwks, keyThumbprintHashes } = client;
  await tx.client.update({ where: { id }, data: { jwks, keyThumbprintHashes, version: { increment: 1 } } });
};
