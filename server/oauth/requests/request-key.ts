import { decodeJws } from "../../kernel/crypto/jws.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { TokenRequest } from "../grants/token-request.ts";

/**
 * The public key of the client assertion. It is stored with a token that isn't bound to a DPoP key, so that credentials
 * have a `cnf` (docs/spec/payments.md, Who may use a mandate).
 * @returns the members of the thumbprint (RFC 7638 §3.2); null if the client's keys have changed in the meantime.
 */
export const requestKeyOf = ({ client, form }: Pick<TokenRequest, "client" | "form">): JsonObject | null => {
  const jws = decodeJws(String(form["client_assertion"]));
  const key = jws && client.keys.find(jws.header);
  if (!key) return null;
  const { kty = "", crv, x, y, e, n } = key.export({ format: "jwk" });
  const members = Object.entries({ kty, crv, x, y, e, n });
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
};
