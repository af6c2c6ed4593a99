import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { formType, parse } from "../../support/answers/wire.ts";
import { assertionType, signAssertion, signProof } from "../../support/oauth/oauth-client.ts";
import { clientToken, type Party } from "../../support/oauth/parties.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { PooledMandate } from "../mandate-pool.ts";

type Node = { url: string; baseUrl: string };

type Reply = { status: number; json: Record<string, unknown> | null };

/** A process that was killed is started again, which takes longer on a busy machine. */
const awaitNode = ({ url }: Node): Promise<void> =>
  waitUntil(() =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** Sends a request to one web process, without nginx. */
const postTo = (
  { url, baseUrl }: Node,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const own = { host: new URL(baseUrl).host, ...headers };
    request(`${url}${path}`, { method: "POST", headers: own }, (answer) => {
      readText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, json: parse(text) }), reject);
    })
      .once("error", reject)
      .end(body);
  });

/** Repeats a request that a process can't answer yet. */
const untilAnswered = async (act: () => Promise<Reply>, tries = 30): Promise<Reply> => {
  const reply = await act();
  if (reply.status !== 503 || tries === 1) return reply;
  await sleep(1_000);
  return untilAnswered(act, tries - 1);
};

/** A payment of the smallest amount under the mandate. */
const pay = (node: Node, path: string, { token, mandate }: { token: string; mandate: PooledMandate }): Promise<Reply> =>
  postTo(node, path, {
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(path === chargePath ? { "idempotency-key": crypto.randomUUID() } : {}),
    },
    body: JSON.stringify({ mandate_id: mandate.mandateId, amount: 1, currency: "EUR", payer_presence: "in_session" }),
  });

const chargePath = "/merchant_test/charge";
const verifyPath = "/merchant_test/verify-mandate";

const postForm = async (
  node: Node,
  path: string,
  { agent, form, headers = {} }: { agent: Party; form: Record<string, string>; headers?: Record<string, string> },
): Promise<Reply> => {
  const assertion = {
    client_assertion_type: assertionType,
    client_assertion: await signAssertion(agent, node.baseUrl),
  };
  const body = new URLSearchParams({ ...assertion, ...form }).toString();
  return postTo(node, path, { headers: { "content-type": formType, ...headers }, body });
};

const namesRevocation = ({ json }: Reply): boolean =>
  JSON.stringify(json?.["reasons"] ?? []).includes("mandate_revoked");

/** @returns what this web process still accepts of a revoked mandate, in words. */
const findAccepted = async (node: Node, token: string, mandate: PooledMandate): Promise<string[]> => {
  const { agent, dpop, accessToken, refreshToken: refresh_token } = mandate;
  const charge = await untilAnswered(() => pay(node, chargePath, { token, mandate }));
  const verdict = await untilAnswered(() => pay(node, verifyPath, { token, mandate }));
  const introspection = await untilAnswered(() =>
    postForm(node, "/oauth/introspect", { agent, form: { token: accessToken } }),
  );
  const refreshed = await untilAnswered(async () =>
    postForm(node, "/oauth/token", {
      agent,
      form: { grant_type: "refresh_token", refresh_token },
      headers: { dpop: await signProof(dpop, { url: `${node.baseUrl}/oauth/token` }) },
    }),
  );
  const refusals = {
    "a charge": [charge, charge.status === 403 && namesRevocation(charge)],
    "a verification": [verdict, verdict.json?.["valid"] === false && namesRevocation(verdict)],
    "an introspection of the access token": [introspection, introspection.json?.["active"] === false],
    "the refresh token": [refreshed, refreshed.status === 400 && refreshed.json?.["error"] === "invalid_grant"],
  } as const;
  return Object.entries(refusals)
    .filter(([, [, isRefused]]) => !isRefused)
    .map(([name, [{ status, json }]]) => `${name}: ${status} ${JSON.stringify(json)}`.slice(0, 300));
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
      const node = { url, baseUrl };
      await awaitNode(node);
      const accepted = await findAccepted(node, token, mandate);
      problems.push(...accepted.map((what) => `${url} accepts revoked mandate ${mandate.mandateId}: ${what}`));
    }
  }
  return problems;
};
