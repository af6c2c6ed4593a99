import { setTimeout as sleep } from "node:timers/promises";
import { decodeProtectedHeader } from "jose";
import { send, textOf, untilAnswered } from "../support/answers/wire.ts";
import { createJwksReader } from "../support/oauth/jwks-reader.ts";
import { type Merchant, postAs } from "../support/oauth/parties.ts";

export type Load = {
  requests: number;
  verifications: number;
  copies: number;
  seconds: number;
  signers: ReadonlySet<string>;
  failures: string[];
};

const readers = 4;
const maxUnderWay = 64;
/** Two thirds of a token's lifetime, so that signatures of retired keys are used and verified too. */
const oldestSeconds = 400;

/**
 * Each round sends three requests: one for a new token, one with this token and one with an older token. All rounds
 * together send `ratePerSecond` requests a second. Several readers of the JWKS, whose copies have different ages,
 * verify each token. Runs until `isOver`.
 */
export const driveLoad = async (merchant: Merchant, ratePerSecond: number, isOver: () => boolean): Promise<Load> => {
  const jwksReaders = Array.from({ length: readers }, () =>
    createJwksReader(`${merchant.baseUrl}/.well-known/jwks.json`),
  );
  const signers = new Set<string>();
  const failures: string[] = [];
  const tokens: { token: string; at: number }[] = [];
  let [requests, verifications] = [0, 0];

  const verify = async (token: string): Promise<void> => {
    for (const reader of jwksReaders) {
      await reader.verify(token);
      verifications += 1;
    }
  };
  const use = async (token: string): Promise<void> => {
    const url = `${merchant.baseUrl}/merchant_test/charges?limit=1`;
    const answer = await untilAnswered(() => send(url, { headers: { authorization: `Bearer ${token}` } }));
    requests += 1;
    if (answer.status !== 200) throw new Error(`use: ${answer.status} ${answer.text}`);
  };
  const round = async (): Promise<void> => {
    const answer = await untilAnswered(() =>
      postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials" } }),
    );
    requests += 1;
    const token = textOf(answer, "access_token");
    signers.add(decodeProtectedHeader(token).kid ?? "");
    const older = tokens[Math.floor(Math.random() * tokens.length)] ?? { token, at: performance.now() };
    tokens.push({ token, at: performance.now() });
    await Promise.all([verify(token), use(token)]);
    if (performance.now() - older.at < oldestSeconds * 1000) await Promise.all([verify(older.token), use(older.token)]);
  };

  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const start = (): void => {
    const running = round()
      .catch((error: unknown) => void failures.push(String(error)))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  for (let started = 0; !isOver(); await sleep(5)) {
    const due = ((performance.now() - startedAt) / 1000) * (ratePerSecond / 3);
    // A slow machine starts no further round while too many are in progress. The reported rate is the actual rate.
    for (; started < due && underWay.size < maxUnderWay; started++) start();
  }
  await Promise.all(underWay);
  const copies = jwksReaders.reduce((sum, reader) => sum + reader.fetched(), 0);
  return { requests, verifications, copies, seconds: (performance.now() - startedAt) / 1000, signers, failures };
};
