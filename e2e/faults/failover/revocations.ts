import { request } from "node:http";
import { clientToken, postAs } from "../../support/oauth/parties.ts";
import type { PooledMandate } from "../mandate-pool.ts";

type Node = { url: string; baseUrl: string };

/** Sends a charge to one web process, without nginx. @returns the HTTP status of the response. */
const chargeAt = ({ url, baseUrl }: Node, { token, mandate }: { token: string; mandate: PooledMandate }) =>
  new Promise<number>((resolve, reject) => {
    const headers = {
      host: new URL(baseUrl).host,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    const body = { mandate_id: mandate.mandateId, amount: 1, currency: "EUR", payer_presence: "in_session" };
    request(`${url}/merchant_test/charge`, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once("error", reject)
      .end(JSON.stringify(body));
  });

const findRefreshed = async ({ agent, dpop, refreshToken, mandateId }: PooledMandate): Promise<string[]> => {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const { status } = await postAs(agent, "/oauth/token", { form, dpop });
  return status === 400 ? [] : [`the refresh token of revoked mandate ${mandateId} was answered with ${status}`];
};

/**
 * @param revoked mandates whose revocation was acknowledged
 * @param nodeUrls addresses of all web processes
 * @returns which of the mandates a web process still accepts, in words.
 */
export const findUnrevoked = async (
  revoked: readonly PooledMandate[],
  { baseUrl, nodeUrls }: { baseUrl: string; nodeUrls: readonly string[] },
): Promise<string[]> => {
  const tokens = new Map<string, string>();
  const problems: string[] = [];
  for (const mandate of revoked) {
    const [merchant] = mandate.merchants;
    if (!merchant) throw new Error("the mandate has no merchant");
    const token = tokens.get(merchant.id) ?? (await clientToken(merchant));
    tokens.set(merchant.id, token);
    for (const url of nodeUrls) {
      const status = await chargeAt({ url, baseUrl }, { token, mandate });
      if (status !== 403) problems.push(`${url} answers ${status} to a charge of revoked mandate ${mandate.mandateId}`);
    }
    problems.push(...(await findRefreshed(mandate)));
  }
  return problems;
};
