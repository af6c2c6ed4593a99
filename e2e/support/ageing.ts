import { hashDated } from "#server/kernel/time/dated.ts";
import { query } from "./instance.ts";

const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** For each kind of secret: its table and the columns whose times tests move into the past. */
const aged = {
  requestUri: { table: "pushed_request", key: "request_uri_hash", instants: ["expires_at", "complete_by"] },
  code: { table: "authorization_code", key: "code_hash", instants: ["expires_at"] },
  session: { table: "session", key: "secret_hash", instants: ["auth_time"] },
  payerAuthentication: { table: "refresh_token", key: "secret_hash", instants: ["auth_time"] },
  refreshToken: { table: "refresh_token", key: "secret_hash", instants: ["expires_at", "rotated_at"] },
} as const;

/**
 * Moves the times of one secret in the sandbox into the past by `seconds`, so that no test must wait until the secret
 * expires.
 */
export const age = async (kind: keyof typeof aged, secret: string, seconds: number): Promise<void> => {
  const { table, key, instants } = aged[kind];
  const hash = hashDated(secret.replace(requestUriPrefix, ""));
  const changes = instants.map((instant) => `${instant} = ${instant} - make_interval(secs => $2)`);
  const text = `UPDATE ${table} SET ${changes} WHERE ${key} = $1`;
  const { rowCount } = await query((client) => client.query(text, [hash, seconds]));
  if (rowCount !== 1) throw new Error(`no row in ${table} has this ${kind}`);
};
