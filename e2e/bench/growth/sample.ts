import type { Deps } from "#server/deps/deps.ts";
import { introspectEndpoint } from "#server/endpoints/oauth/introspect.ts";
import { parEndpoint } from "#server/endpoints/oauth/par.ts";
import { tokenEndpoint } from "#server/endpoints/oauth/token.ts";
import { serve } from "#server/http/serve.ts";
import { makeAgentClient, makeMerchant, makeMerchantClient, type TestClient } from "../../support/factories.ts";
import { assertionType, formBody, makePkce, signAssertion } from "../../support/oauth/oauth-client.ts";
import { benchMandateDetails } from "../actors.ts";

const handlers = {
  client_credentials: serve(tokenEndpoint),
  PAR: serve(parEndpoint),
  introspect: serve(introspectEndpoint),
} as const;
export type Operation = keyof typeof handlers;
export const operations = Object.keys(handlers) as Operation[];

const paths: Readonly<Record<Operation, string>> = {
  client_credentials: tokenEndpoint.path,
  PAR: parEndpoint.path,
  introspect: introspectEndpoint.path,
};
const successes: Readonly<Record<Operation, number>> = { client_credentials: 200, PAR: 201, introspect: 200 };

export type Clients = { agent: TestClient; merchant: TestClient; merchantId: string };

export const makeClients = async (deps: Deps): Promise<Clients> => {
  const { id: merchantId } = await makeMerchant(deps);
  return { agent: await makeAgentClient(deps), merchant: await makeMerchantClient(deps, merchantId), merchantId };
};

type Prepared = { operation: Operation; request: Request };

const prepare = async (
  deps: Deps,
  clients: Clients,
  { operation, token }: { operation: Operation; token: string },
): Promise<Prepared> => {
  const { baseUrl } = deps.config;
  const fields: Record<Operation, Record<string, string>> = {
    client_credentials: { grant_type: "client_credentials", scope: "mandates.verify" },
    PAR: {
      response_type: "code",
      redirect_uri: "http://127.0.0.1:9/callback",
      code_challenge: makePkce().challenge,
      code_challenge_method: "S256",
      authorization_details: JSON.stringify([benchMandateDetails(clients.merchantId)]),
    },
    introspect: { token },
  };
  const client = operation === "PAR" ? clients.agent : clients.merchant;
  const assertion = await signAssertion(client, baseUrl, { now: deps.clock.now() });
  const body = formBody({ ...fields[operation], client_assertion_type: assertionType, client_assertion: assertion });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { operation, request: new Request(baseUrl + paths[operation], { method: "POST", headers, body }) };
};

/** Sends one request through the real handler and checks that it succeeds. @returns milliseconds and the answer. */
const send = async ({ operation, request }: Prepared): Promise<{ milliseconds: number; answer: unknown }> => {
  const startedAt = performance.now();
  const response = await handlers[operation](request);
  const milliseconds = performance.now() - startedAt;
  const answer: unknown = await response.json();
  const isActive = operation !== "introspect" || (answer as { active: boolean }).active;
  if (response.status !== successes[operation] || !isActive) {
    throw new Error(`${operation} answered ${response.status} ${JSON.stringify(answer)}`);
  }
  return { milliseconds, answer };
};

const rounds = 9;
const perRound = 400;

export type Latency = { p50: number; p99: number };

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
const median = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** The median over rounds, so that other load during one round doesn't look like growth. */
export const sample = async (deps: Deps, clients: Clients): Promise<Record<Operation, Latency>> => {
  const measured = new Map<Operation, Latency[]>(operations.map((operation) => [operation, []]));
  for (let round = 0; round <= rounds; round++) {
    const first = await send(await prepare(deps, clients, { operation: "client_credentials", token: "" }));
    const token = String((first.answer as { access_token: string }).access_token);
    for (const operation of operations) {
      const times: number[] = [];
      for (let count = 0; count < perRound; count++) {
        times.push((await send(await prepare(deps, clients, { operation, token }))).milliseconds);
      }
      const sorted = times.toSorted((a, b) => a - b);
      // The first round only warms up.
      if (round > 0) measured.get(operation)?.push({ p50: at(sorted, 0.5), p99: at(sorted, 0.99) });
    }
  }
  return Object.fromEntries(
    [...measured].map(([operation, all]) => [
      operation,
      { p50: median(all.map(({ p50 }) => p50)), p99: median(all.map(({ p99 }) => p99)) },
    ]),
  ) as Record<Operation, Latency>;
};
