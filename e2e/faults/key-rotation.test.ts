import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { decodeProtectedHeader, type JSONWebKeySet } from "jose";
import { beforeAll, expect, test } from "vitest";
import { connectDatabase, statement } from "#server/data/client.ts";
import { send } from "../support/answers/wire.ts";
import { databaseUrlOf } from "../support/instance.ts";
import { keysCommand } from "../support/keys-command.ts";
import { agentGet, makeChargeableMandate } from "../support/oauth/mandate-flow.ts";
import { clientToken, type Merchant, postAs, registerMerchant } from "../support/oauth/parties.ts";
import { sharedService } from "../support/shared-service.ts";
import { waitUntil } from "../support/wait-until.ts";
import { driveLoad } from "./rotation-driver.ts";

/**
 * The short form runs with the other tests. ROTATIONS=10 ROTATION_RATE=300 makes ten rotations in a minute at 300
 * requests/s.
 */
const rotations = Number(process.env["ROTATIONS"] ?? 2);
const ratePerSecond = Number(process.env["ROTATION_RATE"] ?? 90);
/** With JWKS_MAX_AGE=1, the next key may sign 5 s after its publication. Each rotation checks this. */
const betweenMilliseconds = 5_600;

const { environment, variables, sandboxUrl, productionUrl } = sharedService();
Object.assign(process.env, variables);
let merchant: Merchant;
beforeAll(async () => {
  merchant = await registerMerchant(sandboxUrl);
  // The last test waits until the sandbox has fetched production's keys, which takes up to a minute.
  await keys("revoke", "--purpose", "directory");
});

const keys = (...args: string[]) => keysCommand(environment, ...args);
const rotate = () => keys("rotate", "--purpose", "access_token", "--sandbox");
const kidOf = (jws: string): string => decodeProtectedHeader(jws).kid ?? "";
/** Enough in parallel to reach both web processes. */
const ofAll = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 24 }, ask));
const readJwks = async (baseUrl: string): Promise<string[]> => {
  const answer = await send(`${baseUrl}/.well-known/jwks.json`);
  return (answer.json as unknown as JSONWebKeySet).keys.map(({ kid }) => kid ?? "");
};

test(`verification never fails during ${rotations} rotations at ${ratePerSecond} requests/s if readers follow Cache-Control (docs/spec/oauth.md, Signing keys)`, async () => {
  let isOver = false;
  const driving = driveLoad(merchant, ratePerSecond, () => isOver);
  await sleep(1_500);
  const at: number[] = [];
  try {
    // The duration of the previous command is subtracted from the pause before a rotation. A command that runs too
    // early is repeated.
    for (let [count, took] = [0, 0]; count < rotations; count++) {
      if (count > 0) await sleep(Math.max(0, betweenMilliseconds - took));
      await waitUntil(async () => {
        const startedAt = performance.now();
        const output = await rotate();
        took = performance.now() - startedAt;
        return / now signs$/.test(output);
      });
      at.push(performance.now());
    }
    await sleep(2_500);
  } finally {
    isOver = true;
  }
  const { failures, signers, requests, verifications, copies, seconds } = await driving;
  const span = ((at.at(-1) ?? 0) - (at[0] ?? 0)) / 1000;
  console.log(
    `${rotations} rotations in ${span.toFixed(1)} s; ${requests} requests, ${Math.round(requests / seconds)}/s; ` +
      `${verifications} verifications by ${copies} copies of the JWKS; ${failures.length} failed`,
  );
  expect([...new Set(failures)]).toEqual([]);
  expect(signers.size).toBeGreaterThan(rotations);
});

test("every process refuses a revoked key's signatures at the next request, and another key signs (docs/spec/oauth.md, Signing keys)", async () => {
  const token = await clientToken(merchant);
  const use = (used: string) =>
    send(`${sandboxUrl}/merchant_test/charges`, { headers: { authorization: `Bearer ${used}` } });
  expect((await ofAll(() => use(token))).every(({ status }) => status === 200)).toBe(true);
  expect(
    await keys("revoke", "--purpose", "access_token", "--kid", kidOf(token), "--reason", "lost", "--sandbox"),
  ).toMatch(/is revoked$/);
  for (const { status } of await ofAll(() => use(token))) expect(status).toBe(401);
  for (const answer of await ofAll(() => postAs(merchant, "/oauth/introspect", { form: { token } }))) {
    expect(answer.text).toBe('{"active":false}');
  }
  for (const kids of await ofAll(() => readJwks(sandboxUrl))) expect(kids).not.toContain(kidOf(token));
  for (const fresh of await ofAll(() => clientToken(merchant))) {
    expect(kidOf(fresh)).not.toBe(kidOf(token));
    expect((await use(fresh)).status).toBe(200);
  }
  expect(await keys("revoke", "--purpose", "access_token", "--kid", kidOf(token), "--sandbox")).toMatch(
    /already revoked$/,
  );
});

// Measured in real time. Other load on the machine may delay one measurement, but is unlikely to delay all three.
test("lists and credentials are signed again within 5 s after their key is revoked (docs/spec/oauth.md, Signing keys)", {
  retry: 2,
}, async () => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const readCredential = async () => {
    const answer = await agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/credential`);
    expect(answer.status, answer.text).toBe(200);
    return answer.text.split("~")[0] ?? "";
  };
  const listKids = async () => {
    const answers = await ofAll(() => send(`${sandboxUrl}/oauth/status-list`));
    return new Set(answers.map(({ text }) => kidOf(text)));
  };
  const kid = kidOf(await readCredential());
  await waitUntil(async () => isDeepStrictEqual(await listKids(), new Set([kid])));
  await keys("revoke", "--purpose", "credential", "--sandbox");
  const present = kidOf(await readCredential());
  expect(present).not.toBe(kid);
  await waitUntil(async () => !(await listKids()).has(kid), 5);
  expect(await listKids()).toEqual(new Set([present]));
  await waitUntil(async () => !(await keys("list", "--sandbox")).includes("not informed yet"));
});

test("the list of keys shows purpose, state, kid and ages in both environments, and no secret", async () => {
  for (const [environment, baseUrl] of [
    [[], productionUrl],
    [["--sandbox"], sandboxUrl],
  ] as const) {
    const listed = await keys("list", ...environment);
    for (const kid of await readJwks(baseUrl)) expect(listed).toContain(kid);
    expect(listed).toMatch(/^credential +active +[\w-]{43} +made .+ ago +active for .+ +rotates in .+$/m);
    expect(listed).toMatch(/^directory +next +[\w-]{43} /m);
    expect(listed).not.toMatch(/v1\.|"d"/);
  }
  await expect(keys("rotate")).rejects.toThrow(/--purpose/);
  await expect(keys("revoke", "--kid", "unknown", "--purpose", "receipt")).rejects.toThrow(/Signing key not found/);
});

test("after a rotation in production, the sandbox's list of refused keys contains the new key and the revoked one (docs/spec/oauth.md, Key separation)", async () => {
  const kids = (await keys("list", "--all", "--purpose", "directory")).match(/[\w-]{43}/g) ?? [];
  expect(kids).toHaveLength(3);
  const hashes = kids.map((kid) => createHash("sha256").update(kid).digest("base64url"));
  const db = connectDatabase(databaseUrlOf("sandbox"), 1);
  const count = statement<{ count: number }>(
    "count_foreign_keys",
    "SELECT count(*)::int AS count FROM foreign_client_key WHERE thumbprint_hash = ANY ($1::text[])",
  );
  try {
    await waitUntil(async () => (await db.sql.query(count, [hashes]))[0]?.count === 3);
  } finally {
    await db.close();
  }
});
