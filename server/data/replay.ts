import { randomUUID } from "node:crypto";
import { type Sql, statement } from "./client.ts";

const insertAssertion = statement<{ request_id: string }>(
  "insert_assertion_jti",
  `INSERT INTO assertion_jti (client_id, jti, exp, request_id) VALUES ($1, $2, $3::timestamptz, $4::uuid)
   ON CONFLICT DO NOTHING RETURNING request_id`,
);

/** At most one caller per (client, jti, exp) gets true, whichever process it asks. */
export const consumeAssertion = async (
  sql: Sql,
  assertion: { clientId: string; jti: string; expiresAt: Date },
): Promise<boolean> => {
  const rows = await sql.query(insertAssertion, [assertion.clientId, assertion.jti, assertion.expiresAt, randomUUID()]);
  return rows.length === 1;
};

const insertProof = statement<{ request_id: string }>(
  "insert_dpop_jti",
  `INSERT INTO dpop_jti (jkt, jti, htu, iat, request_id) VALUES ($1, $2, $3, $4::timestamptz, $5::uuid)
   ON CONFLICT DO NOTHING RETURNING request_id`,
);

/** At most one caller per (jkt, jti, htu, iat) gets true. */
export const consumeProof = async (
  sql: Sql,
  proof: { jkt: string; jti: string; htu: string; issuedAt: Date },
): Promise<boolean> => {
  const rows = await sql.query(insertProof, [proof.jkt, proof.jti, proof.htu, proof.issuedAt, randomUUID()]);
  return rows.length === 1;
};
