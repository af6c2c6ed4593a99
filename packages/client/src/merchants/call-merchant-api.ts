import { RequestError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { readJson } from "../http/get-json.ts";
import { send } from "../http/send.ts";
import { observeNonce, signDpopProof } from "../keys/dpop.ts";
import type { Members } from "../wire/members.ts";
import { toCamel, toSnake } from "../wire/names.ts";
import { ensureCurrent, type Session } from "./client-credentials.ts";

type Call = {
  method: "GET" | "POST";
  /** below the merchant API */
  path: string;
  query?: Record<string, unknown>;
  body?: object;
  idempotencyKey?: string;
};

const toQuery = (query: Record<string, unknown>): string => {
  const entries = Object.entries(Object(toSnake(query))).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
};

const proofHeader = async ({ client, tokenType, accessToken }: Session, request: { method: string; url: string }) => {
  if (tokenType === "Bearer") return {};
  if (client.dpopKey === null) throw new TypeError("The session is bound to a DPoP key that its client doesn't have.");
  return { dpop: await signDpopProof(client.dpopKey, { ...request, accessToken }) };
};

const keyHeader = (idempotencyKey: string | undefined) => {
  if (idempotencyKey === undefined) return {};
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters");
  }
  return { "idempotency-key": idempotencyKey };
};

/**
 * Calls the merchant API, and converts the names of members. If the response is lost, reads and calls with an
 * idempotency key are repeated. For a repeated key, the server returns the first outcome.
 */
export const callMerchantApi = async (session: Session, call: Call, options: CallOptions): Promise<Members> => {
  const { method, path, query = {}, body, idempotencyKey } = call;
  const url = `${session.client.server.merchantResource}${path}${toQuery(query)}`;
  const content = body === undefined ? {} : { body: JSON.stringify(toSnake(body)) };
  const key = keyHeader(idempotencyKey);
  const prepare = async () => {
    const current = await ensureCurrent(session, options);
    const headers = {
      accept: "application/json",
      authorization: `${current.tokenType} ${current.accessToken}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(await proofHeader(current, { method, url })),
      ...key,
    };
    return { method, url, headers, ...content };
  };
  const isRepeatable = method === "GET" || idempotencyKey !== undefined;
  return readJson(await send({ prepare, isRepeatable, observe: observeNonce(url) }, options));
};

/** The object of a response, with this package's names. */
export const toObject = <Result>(response: Members): Result => {
  if (typeof response["id"] !== "string") throw new RequestError("invalid_response", "The response has no id.");
  return toCamel(response) as Result;
};
