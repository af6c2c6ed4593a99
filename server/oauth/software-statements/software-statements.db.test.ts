import { createLocalJWKSet, decodeJwt, type JWK, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { addVerifiedDomain } from "#e2e/support/oauth/software-statement.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { enrolMerchant } from "../../directory/participants/enrol-participant.ts";
import { directoryJwksEndpoint } from "../../endpoints/directory/keys.ts";
import { registerEndpoint } from "../../endpoints/oauth/register.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { authenticateRegistration } from "../clients/authenticate-registration.ts";
import { replaceClientRegistration } from "../clients/replace-registration.ts";
import { kidOf, revoke as revokeKey } from "../keys/signing-keys.fixture.ts";
import { issueSoftwareStatement } from "./issue-software-statement.ts";
import { listSoftwareStatements } from "./list-software-statements.ts";
import { revokeSoftwareStatement } from "./revoke-software-statement.ts";

// docs/spec/directory.md, Software statements. trpc/root.db.test.ts tests roles and tenants.

const { POST } = mount(registerEndpoint);
const day = 86_400;

let deps: TestDeps;
let accountId: string;
let publicJwk: JWK;
let merchantId: string;
let participantId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  accountId = (await makePayer(deps)).id;
  publicJwk = (await makeKey()).publicJwk;
});
afterAll(() => deps.close());
beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
  const enrolled = { merchantId, changedBy: "system", environment: "sandbox", at: deps.clock.now() } as const;
  await deps.db.sqlTransaction((sql) => enrolMerchant(sql, enrolled));
  participantId = (await deps.db.prisma.participant.findUniqueOrThrow({ where: { merchantId } })).id;
  await verify("shop.example");
});

const by = () => ({ actor: { kind: "merchant", id: accountId }, requestId: "req_test" }) as const;
const verify = (domain: string) => addVerifiedDomain(deps, { participantId, domain });
const demote = (domain: string) =>
  deps.db.prisma.participantDomain.updateMany({ where: { participantId, domain }, data: { verifiedAt: null } });

const bot = () => ({
  softwareId: "grocer-bot",
  clientName: "Grocer Bot",
  redirectUris: ["https://app.shop.example/callback"],
  jwks: { keys: [publicJwk] },
  jwksUri: null,
});
const issue = (software: object = {}, ttlSeconds = day) =>
  issueSoftwareStatement(deps, { merchantId, software: { ...bot(), ...software }, ttlSeconds, ...by() });
const revoke = (statementId: string, owner = merchantId) =>
  revokeSoftwareStatement(deps, { statementId, merchantId: owner, ...by() });

const register = async (software_statement: string) => {
  const request = new Request(`${deps.config.baseUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Other name", software_statement }),
  });
  const response = await POST(request);
  return { status: response.status, body: await response.json() };
};
/** @returns the error of a registration. */
const refusalOf = async (statement: string) => {
  const { body } = await register(statement);
  return [body.error, body.error_description];
};

/** The key set at the `jwks_uri` of the directory's metadata. */
const directoryKeys = async () => {
  const answer = await mount(directoryJwksEndpoint).GET(new Request(`${deps.config.discoveryUrl}/v1/jwks`));
  return answer.json();
};

const auditOf = (subjectId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; data: object }[]>`
    SELECT action, data FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;

describe("a software statement", () => {
  test("is verified with the keys at the directory's jwks_uri, and has the claims of the software", async () => {
    const { id, statement, expiresAt } = await issue();
    const { payload, protectedHeader } = await jwtVerify(statement, createLocalJWKSet(await directoryKeys()), {
      issuer: deps.config.discoveryUrl,
      subject: participantId,
      currentDate: deps.clock.now(),
    });
    expect(protectedHeader).toEqual({
      alg: "ES256",
      typ: "paygrant-software-statement+jwt",
      kid: kidOf(deps, "directory"),
    });
    const iat = Math.floor(deps.clock.now().getTime() / 1000);
    expect(payload).toEqual({
      iss: deps.config.discoveryUrl,
      sub: participantId,
      jti: id,
      iat,
      exp: iat + day,
      software_id: "grocer-bot",
      client_name: "Grocer Bot",
      redirect_uris: ["https://app.shop.example/callback"],
      jwks: { keys: [expect.objectContaining({ kty: "EC", x: publicJwk.x, y: publicJwk.y })] },
    });
    expect(expiresAt).toEqual(addSeconds(deps.clock.now(), day));
  });

  test("registers clients, and its values override the request", async () => {
    const { statement } = await issue();
    const { status, body } = await register(statement);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      client_name: "Grocer Bot",
      software_id: "grocer-bot",
      redirect_uris: ["https://app.shop.example/callback"],
      software_statement: statement,
    });
  });

  test("is audited and listed without the JWT", async () => {
    const { id, statement, expiresAt } = await issue();
    const { statements } = await listSoftwareStatements(deps, { merchantId, limit: 10 });
    const { displayName } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    expect(statements).toEqual([
      {
        id,
        softwareId: "grocer-bot",
        clientName: "Grocer Bot",
        createdAt: deps.clock.now(),
        expiresAt,
        revokedAt: null,
        maker: displayName,
      },
    ]);
    const entries = await auditOf(id);
    expect(entries).toMatchObject([
      { action: "software_statement.issued", data: { merchant_id: merchantId, software_id: "grocer-bot" } },
    ]);
    const row = await deps.db.prisma.softwareStatement.findUniqueOrThrow({ where: { id } });
    const signature = statement.split(".")[2] ?? "";
    expect(JSON.stringify([entries, row])).not.toContain(signature);
  });

  test("is listed newest first in pages, without other merchants' statements", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await issue()).id);
      deps.clock.advance(1);
    }
    const page = async (startingAfter?: string, owner = merchantId) => {
      const { statements, hasMore } = await listSoftwareStatements(deps, {
        merchantId: owner,
        startingAfter,
        limit: 2,
      });
      return { ids: statements.map(({ id }) => id), hasMore };
    };
    expect(await page()).toEqual({ ids: ids.slice(0, 2), hasMore: true });
    expect(await page(ids[1])).toEqual({ ids: ids.slice(2), hasMore: false });
    expect(await page(undefined, (await makeMerchant(deps)).id)).toEqual({ ids: [], hasMore: false });
  });
});

describe("registration refuses a statement", () => {
  const unapproved = (problem: string) => ["unapproved_software_statement", `software_statement: ${problem}`];

  test("whose participant is suspended, until the suspension ends", async () => {
    const { statement } = await issue();
    const suspend = (isSuspended: boolean) =>
      setSuspension(deps, {
        merchantId,
        isSuspended,
        reason: "fraud",
        actor: { kind: "system", id: "test" },
        requestId: "-",
      });
    await suspend(true);
    expect(await refusalOf(statement)).toEqual(
      unapproved("belongs to a participant that is not active in the directory"),
    );
    await suspend(false);
    expect((await register(statement)).status).toBe(201);
  });

  test("whose domain is no longer verified, until it is verified again", async () => {
    const { statement } = await issue();
    await demote("shop.example");
    expect(await refusalOf(statement)).toEqual(
      unapproved("belongs to a participant that is not active in the directory"),
    );
    // The participant is active again, with another domain.
    await verify("other.example");
    expect(await refusalOf(statement)).toEqual(unapproved("has a URL outside the verified domains of the participant"));
    await deps.db.prisma.participantDomain.updateMany({
      where: { participantId, domain: "shop.example" },
      data: { verifiedAt: deps.clock.now() },
    });
    expect((await register(statement)).status).toBe(201);
  });

  test("that has expired", async () => {
    const { statement } = await issue({}, 3600);
    deps.clock.advance(3600);
    expect(await refusalOf(statement)).toEqual(["invalid_software_statement", "software_statement: has expired"]);
  });

  test("that was revoked; the client that registered with it is kept and may send it back", async () => {
    const { id, statement } = await issue();
    const { body } = await register(statement);
    expect(await revoke(id)).toEqual({ isNew: true });
    expect(await revoke(id)).toEqual({ isNew: false });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "software_statement.issued",
      "software_statement.revoked",
    ]);
    expect(await refusalOf(statement)).toEqual(unapproved("has been revoked"));
    const info = { requestId: "-", ipAddress: "", userAgent: "" };
    const authorization = `Bearer ${body.registration_access_token}`;
    const caller = await authenticateRegistration(deps, { clientId: body.client_id, authorization, info });
    const metadata = { software_statement: statement };
    expect(await replaceClientRegistration(deps, { caller, metadata, info })).toMatchObject({
      client_name: "Grocer Bot",
    });
  });

  test("that the directory has no record of, for example after a restore", async () => {
    const { id, statement } = await issue();
    await deps.db.prisma.softwareStatement.delete({ where: { id } });
    expect(await refusalOf(statement)).toEqual(unapproved("is not known to the directory"));
  });

  test("whose key is no longer published", async () => {
    const { statement } = await issue();
    await revokeKey(deps, kidOf(deps, "directory"));
    expect(await refusalOf(statement)).toEqual([
      "invalid_software_statement",
      "software_statement: is not signed by a key of the directory",
    ]);
    expect((await register((await issue()).statement)).status).toBe(201);
  });
});

describe("a merchant's statement", () => {
  test("is signed only for an active participant", async () => {
    await demote("shop.example");
    await expect(issue()).rejects.toMatchObject({ code: "participant_not_verified" });
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: deps.clock.now() } });
    await expect(issue()).rejects.toMatchObject({ code: "participant_suspended" });
    merchantId = (await makeMerchant(deps)).id;
    await expect(issue()).rejects.toMatchObject({ code: "participant_not_verified" });
  });

  test.each([
    ["https://shop.example.evil.example/cb"],
    ["https://notshop.example/cb"],
    ["http://127.0.0.1/cb"],
    ["https://app.shop.example/cb#fragment"],
    ["com.example.app:/cb"],
  ])("is signed only for redirect URIs on verified domains: %s is refused", async (uri) => {
    await expect(issue({ redirectUris: [uri] })).rejects.toMatchObject({ errors: [{ pointer: "/redirectUris" }] });
  });

  test.each([
    [{ softwareId: "" }, "/softwareId"],
    [{ softwareId: "x".repeat(201) }, "/softwareId"],
    [{ clientName: "" }, "/clientName"],
    [{ clientName: "Grocer\u202eBot" }, "/clientName"],
    [{ redirectUris: Array(21).fill("https://shop.example/cb") }, "/redirectUris"],
    [{ jwks: null }, "/jwks"],
    [{ jwksUri: "https://shop.example/jwks" }, "/jwksUri"],
    [{ jwks: { keys: [] } }, "/jwks"],
    [{ jwks: { keys: [{ kty: "oct", k: "AAAA" }] } }, "/jwks"],
    [{ jwks: null, jwksUri: "https://evil.example/jwks" }, "/jwksUri"],
    [{ jwks: null, jwksUri: "http://shop.example/jwks" }, "/jwksUri"],
  ])("is signed only for valid values: %j is refused at %s", async (software, pointer) => {
    await expect(issue(software)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  test("is valid for one hour to 90 days", async () => {
    for (const seconds of [3599, 90 * day + 1, 7200.5]) {
      await expect(issue({}, seconds)).rejects.toMatchObject({ errors: [{ pointer: "/ttlSeconds" }] });
    }
    const { statement } = await issue({ jwks: null, jwksUri: "https://keys.shop.example/jwks" }, 90 * day);
    const claims = decodeJwt(statement);
    expect(claims).toMatchObject({ jwks_uri: "https://keys.shop.example/jwks" });
    expect(claims).not.toHaveProperty("jwks");
  });

  test("is refused if the participant has 20 valid statements, even with concurrent requests", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => issue()));
    const [signed, refused] = [
      outcomes.filter((outcome) => outcome.status === "fulfilled"),
      outcomes.filter((outcome) => outcome.status === "rejected"),
    ];
    expect(signed).toHaveLength(20);
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill("too_many_statements"));
    await revoke(signed[0]?.value.id ?? "");
    await issue();
  });

  test("is revoked only by its own merchant", async () => {
    const { id } = await issue();
    const other = (await makeMerchant(deps)).id;
    await expect(revoke(id, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(revoke("sst_nowhere")).rejects.toMatchObject({ code: "not_found" });
  });
});
