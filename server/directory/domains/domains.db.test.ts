import type http from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Dns } from "../../deps/dns.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { dialAddress } from "../../platform/outbound/dial.ts";
import { createDns } from "../../platform/outbound/dns.ts";
import { type DnsServer, startDnsServer } from "../../platform/outbound/dns-server.fixture.ts";
import { createOutbound, OutboundError } from "../../platform/outbound/outbound.ts";
import { claimDomain, giveUpDomain } from "./claim-domain.ts";
import { recheckDomains } from "./recheck-domains.ts";
import { verifyDomain } from "./verify-domain.ts";

// Domains are checked with two name servers and a web server on loopback, through the real guards.

const publicAddress = "93.184.215.14";
/** IP addresses of a domain's name, one for each look-up; the last one is used for all later look-ups. */
const addresses = new Map<string, string[]>();
const dialled: string[] = [];
type Reply = (response: http.ServerResponse) => void;
const web = new Map<string, Reply>();
const json = (document: object): Reply => {
  return (response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
};

let deps: TestDeps;
let resolvers: [DnsServer, DnsServer];
let site: http.Server;
beforeAll(async () => {
  resolvers = [await startDnsServer(), await startDnsServer()];
  site = createServer((request, response) => {
    const reply = web.get(`${request.headers.host}${request.url}`);
    if (reply) reply(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const outbound = createOutbound({
    allowLoopback: false,
    resolve: async (name) => {
      const known = addresses.get(name) ?? [];
      return known.length > 1 ? [known.shift() ?? ""] : known;
    },
    dial: ({ address }, signal) => {
      dialled.push(address);
      return dialAddress({ address: "127.0.0.1", port, tlsName: null }, signal);
    },
  });
  deps = await createTestDeps({ outbound, dns: createDns(resolvers.map(({ address }) => address)) });
});
beforeEach(() => {
  dialled.length = 0;
});
afterAll(async () => {
  site.close();
  for (const resolver of resolvers) resolver.close();
  await deps.close();
});

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
let made = 0;

/** A participant that claimed a new domain, and the token of the claim. */
const claimed = async () => {
  const { client_id: clientId } = await registerClient(deps, {
    metadata: {
      client_name: "Grocer Bot",
      grant_types: ["client_credentials"],
      scope: "directory.write",
      jwks: { keys: [(await makeKey()).publicJwk] },
    },
    authorization: null,
    info,
  });
  const { participantId } = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
  const domain = `shop-${++made}.example`;
  addresses.set(domain, [publicAddress]);
  const own = { participantId: participantId ?? "", clientId, domain, requestId: "req_test" };
  const { claim } = await claimDomain(deps, own);
  return { ...own, token: claim.token };
};
type Claimed = Awaited<ReturnType<typeof claimed>>;

const publishDocument = ({ domain, participantId, token }: Claimed) =>
  web.set(`${domain}/.well-known/paygrant-participants.json`, json({ [participantId]: token }));
const publishRecord = ({ domain, token }: Claimed, at: readonly DnsServer[] = resolvers) => {
  const records = [["v=other"], [token.slice(0, 20), token.slice(20)]];
  for (const { zone } of at) zone.set(`_paygrant-challenge.${domain}`, records);
};

const outcomeOf = (own: Claimed): Promise<string> =>
  verifyDomain(deps, own).then(
    () => "verified",
    (error: unknown) => {
      if (isDomainError(error)) return error.code;
      throw error;
    },
  );
const statusOf = async ({ participantId }: Claimed) => {
  const rows = await deps.db.prisma.participantVersion.findMany({
    where: { participantId },
    orderBy: { version: "asc" },
    select: { change: true, document: true },
  });
  return { changes: rows.map(({ change }) => change), document: rows.at(-1)?.document };
};

describe("a claim by DNS TXT record (docs/spec/directory.md, Domains)", () => {
  test("is proved if both resolvers have the token, even among other records and without a web server", async () => {
    const own = await claimed();
    addresses.set(own.domain, []);
    publishRecord(own);
    expect(await outcomeOf(own)).toBe("verified");
    expect(await statusOf(own)).toMatchObject({
      changes: ["registered", "domain_verified"],
      document: { status: "active", verified_domains: [{ domain: own.domain }] },
    });
  });

  test("isn't proved if only one resolver has the record, or if the token is another participant's", async () => {
    const [own, other] = [await claimed(), await claimed()];
    publishRecord(own, [resolvers[0]]);
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    publishRecord({ ...own, token: other.token });
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    publishRecord({ ...own, token: `${own.token}x` });
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    expect((await statusOf(own)).changes).toEqual(["registered"]);
  });
});

describe("a server with only one DNS resolver (docs/spec/directory.md, Domains)", () => {
  const one: Dns = { txtAtEach: async (name) => (await deps.dns.txtAtEach(name)).slice(0, 1) };
  const alone = () => ({ ...deps, dns: one });
  const inProduction = () => {
    const config = { ...deps.config, environment: "production" as const, isLoopback: false };
    return { ...alone(), config };
  };

  test("accepts the record, except in production at a public address; there, the document still proves the claim", async () => {
    const [own, other] = [await claimed(), await claimed()];
    for (const each of [own, other]) publishRecord(each);
    await expect(verifyDomain(inProduction(), own)).rejects.toMatchObject({
      code: "domain_not_proved",
      message: expect.stringContaining("second DNS resolver"),
    });
    publishDocument(own);
    expect(await verifyDomain(inProduction(), own)).toMatchObject({ verifiedAt: expect.any(Date) });
    expect(await verifyDomain(alone(), other)).toMatchObject({ verifiedAt: expect.any(Date) });
  });

  test("counts a daily check as failed only if the check doesn't find the record", async () => {
    await deps.db.prisma.participantDomain.deleteMany();
    const own = await claimed();
    publishRecord(own);
    await verifyDomain(deps, own);
    const check = async () => {
      await deps.db.prisma.participantDomain.updateMany({ data: { checkDueAt: deps.clock.now() } });
      await recheckDomains(inProduction(), { limit: 10, requestId: "req_check" });
      return deps.db.prisma.participantDomain.findFirstOrThrow({ where: { domain: own.domain } });
    };
    const unconfirmed = await check();
    expect(unconfirmed).toMatchObject({ failedChecks: 0, verifiedAt: expect.any(Date), checkedAt: deps.clock.now() });
    // The next check is due after the same time as after any other result.
    const tomorrow = addSeconds(deps.clock.now(), 24 * 3600);
    expect(unconfirmed.checkDueAt?.getTime()).toBeGreaterThanOrEqual(tomorrow.getTime());
    for (const { zone } of resolvers) zone.delete(`_paygrant-challenge.${own.domain}`);
    expect(await check()).toMatchObject({ failedChecks: 1 });
    publishRecord(own);
    expect(await check()).toMatchObject({ failedChecks: 1 });
  });
});

describe("the request for a claim's document isn't sent to an address of our network", () => {
  test("if the domain redirects to it: redirects aren't followed", async () => {
    const own = await claimed();
    const target = "https://10.0.0.7/.well-known/paygrant-participants.json";
    web.set(`${own.domain}/.well-known/paygrant-participants.json`, (response) =>
      response.writeHead(302, { location: target, "content-type": "application/json" }).end("{}"),
    );
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    expect(dialled).toEqual([publicAddress]);
  });

  test.each(["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00::7", "::ffff:10.0.0.7"])(
    "if the domain's IP address changes to %s",
    async (address) => {
      const own = await claimed();
      publishDocument({ ...own, token: "another token" });
      addresses.set(own.domain, [publicAddress, address]);
      expect(await outcomeOf(own)).toBe("domain_not_proved");
      expect(await outcomeOf(own)).toBe("domain_not_proved");
      expect(dialled).toEqual([publicAddress]);
    },
  );
});

const day = 25 * 3600;
const work = { limit: 100, requestId: "req_check" };
/** Sets the clock a day ahead, and then runs all checks that are due. */
const checkNextDay = async (change: Partial<TestDeps> = {}) => {
  deps.clock.advance(day);
  await recheckDomains({ ...deps, ...change }, work);
};
/** @param contactsAt the participant's contacts; `DOMAIN` in them is replaced by the claimed domain. */
const verifiedByRecord = async (contactsAt: string[] = []) => {
  const own = await claimed();
  const contacts = contactsAt.map((contact) => contact.replace("DOMAIN", own.domain));
  addresses.set(own.domain, []);
  publishRecord(own);
  const data = { contacts, contactSalts: contacts.map(() => "AAAAAAAAAAAAAAAAAAAAAA") };
  await deps.db.prisma.participant.update({ where: { id: own.participantId }, data });
  await verifyDomain(deps, own);
  return own;
};
const withdrawRecord = ({ domain }: Claimed) => {
  for (const { zone } of resolvers) zone.delete(`_paygrant-challenge.${domain}`);
};
const mailsTo = async (recipient: string) =>
  (await deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } })).map(({ kind }) => kind);
const actionsOf = async ({ participantId }: Claimed) => {
  const rows = await deps.db.prisma.$queryRaw<{ action: string }[]>`
    SELECT action FROM audit_entry WHERE subject_id = ${participantId} AND actor_kind = 'system' ORDER BY seq`;
  return rows.map(({ action }) => action);
};

describe("daily checks of verified domains (docs/spec/directory.md, Daily checks)", () => {
  // A check looks at all domains that are due, so each test starts without verified domains.
  beforeEach(async () => {
    await deps.db.prisma.participantDomain.deleteMany();
    for (const { zone, requested } of resolvers) {
      zone.clear();
      requested.length = 0;
    }
  });

  test("the third failure in a row ends the verification; the owner gets an e-mail after the first and the third failure", async () => {
    const own = await verifiedByRecord(["owner@DOMAIN", "stranger@elsewhere.example"]);
    await checkNextDay();
    expect(await actionsOf(own)).toEqual([]);
    withdrawRecord(own);
    await checkNextDay();
    await checkNextDay();
    expect(await mailsTo(`owner@${own.domain}`)).toEqual(["domain_check_failed"]);
    expect((await statusOf(own)).changes).toEqual(["registered", "domain_verified"]);
    await checkNextDay();
    expect(await mailsTo(`owner@${own.domain}`)).toEqual(["domain_check_failed", "domain_unverified"]);
    expect(await actionsOf(own)).toEqual(["participant.domain_check_failed", "participant.domain_unverified"]);
    expect(await statusOf(own)).toMatchObject({
      changes: ["registered", "domain_verified", "domain_unverified"],
      document: { status: "pending", verified_domains: [] },
    });
    const last = await deps.db.prisma.participantVersion.findFirstOrThrow({
      where: { participantId: own.participantId, change: "domain_unverified" },
      include: { place: true },
    });
    expect(last).toMatchObject({ changedBy: "system", place: { logIndex: expect.any(BigInt) } });
    await checkNextDay();
    expect(await mailsTo(`owner@${own.domain}`)).toHaveLength(2);
    expect(await mailsTo("stranger@elsewhere.example")).toEqual([]);
    publishRecord(own);
    expect(await outcomeOf(own)).toBe("verified");
  });

  test("a domain that is proved again, by the record or the document, starts at zero failures", async () => {
    const own = await verifiedByRecord();
    withdrawRecord(own);
    await checkNextDay();
    await checkNextDay();
    addresses.set(own.domain, [publicAddress]);
    publishDocument(own);
    await checkNextDay();
    web.clear();
    await checkNextDay();
    await checkNextDay();
    expect((await statusOf(own)).document).toMatchObject({ status: "active" });
    expect(await actionsOf(own)).toEqual([
      "participant.domain_check_failed",
      "participant.domain_check_passed",
      "participant.domain_check_failed",
    ]);
  });

  test("a verified domain whose last check failed can be checked at any time, and the time of each result is stored", async () => {
    const own = await verifiedByRecord();
    const row = () => deps.db.prisma.participantDomain.findFirstOrThrow({ where: { domain: own.domain } });
    withdrawRecord(own);
    await checkNextDay();
    expect(await row()).toMatchObject({ failedChecks: 1, checkedAt: deps.clock.now(), unverifiedAt: null });
    deps.clock.advance(60);
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    expect(await row()).toMatchObject({ failedChecks: 1, checkedAt: deps.clock.now(), verifiedAt: expect.any(Date) });
    publishRecord(own);
    expect(await outcomeOf(own)).toBe("verified");
    expect(await row()).toMatchObject({ failedChecks: 0, provedAt: deps.clock.now() });
    withdrawRecord(own);
    for (let failure = 0; failure < 3; failure += 1) await checkNextDay();
    expect(await row()).toMatchObject({
      verifiedAt: null,
      unverifiedAt: deps.clock.now(),
      checkedAt: deps.clock.now(),
    });
    publishRecord(own);
    expect(await outcomeOf(own)).toBe("verified");
    expect(await row()).toMatchObject({ unverifiedAt: null });
  });

  test("three failures within less than 72 hours since the last proof don't end the verification", async () => {
    const own = await verifiedByRecord();
    withdrawRecord(own);
    for (let failure = 0; failure < 3; failure += 1) {
      deps.clock.advance(3600);
      await deps.db.prisma.participantDomain.updateMany({ data: { checkDueAt: deps.clock.now() } });
      await recheckDomains(deps, work);
    }
    expect((await statusOf(own)).document).toMatchObject({ status: "active" });
    await checkNextDay();
    await checkNextDay();
    expect((await statusOf(own)).document).toMatchObject({ status: "active" });
    await checkNextDay();
    expect((await statusOf(own)).document).toMatchObject({ status: "pending" });
  });

  test("each domain is checked once a day, even with three concurrent workers, and the times of the checks differ", async () => {
    const owned = await Promise.all(Array.from({ length: 6 }, () => verifiedByRecord()));
    for (const { requested } of resolvers) requested.length = 0;
    deps.clock.advance(day);
    const workers = await Promise.all([1, 2, 3].map(() => recheckDomains(deps, work)));
    expect(workers.reduce((sum, one) => sum + one, 0)).toBe(6);
    const names = owned.map(({ domain }) => `_paygrant-challenge.${domain}`).toSorted();
    expect(resolvers.map(({ requested }) => requested.toSorted())).toEqual([names, names]);
    expect(await recheckDomains(deps, work)).toBe(0);
    const times = (await deps.db.prisma.participantDomain.findMany()).map(({ checkDueAt }) => Number(checkDueAt));
    expect(new Set(times).size).toBeGreaterThan(1);
    const { earliest, latest } = { earliest: Math.min(...times), latest: Math.max(...times) };
    expect(earliest - deps.clock.now().getTime()).toBeGreaterThanOrEqual(24 * 3600_000);
    expect(latest - deps.clock.now().getTime()).toBeLessThanOrEqual(25 * 3600_000);
  });

  test("a check that could not start because of other look-ups isn't a failure, and is repeated after a minute", async () => {
    const own = await verifiedByRecord();
    const busy: Dns = {
      txtAtEach: () => Promise.reject(new OutboundError("busy", "too many look-ups")),
    };
    await checkNextDay({ dns: busy });
    const row = await deps.db.prisma.participantDomain.findFirstOrThrow({ where: { domain: own.domain } });
    expect(row).toMatchObject({ failedChecks: 0, checkDueAt: new Date(deps.clock.now().getTime() + 60_000) });
  });

  test("a domain that is given up or claimed again during its check keeps its new state", async () => {
    const own = await verifiedByRecord(["owner@DOMAIN"]);
    const changing: Dns = {
      txtAtEach: async () => {
        await giveUpDomain(deps, own);
        await claimDomain(deps, own);
        return [];
      },
    };
    await checkNextDay({ dns: changing });
    const row = await deps.db.prisma.participantDomain.findFirstOrThrow({ where: { domain: own.domain } });
    expect(row).toMatchObject({ failedChecks: 0, verifiedAt: null });
    expect(await mailsTo(`owner@${own.domain}`)).toEqual([]);
    expect(await actionsOf(own)).toEqual([]);
  });

  test("the e-mail about a merchant's domain is sent to its owners and admins; a withdrawn participant gets no e-mail", async () => {
    const [own, gone] = [await verifiedByRecord(["contact@DOMAIN"]), await verifiedByRecord(["gone@DOMAIN"])];
    const { id: merchantId } = await makeMerchant(deps);
    const { id: accountId } = await makePayer(deps);
    const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    await deps.db.prisma.merchantMember.create({
      data: { merchantId, accountId, role: "owner", createdAt: deps.clock.now() },
    });
    await deps.db.prisma.participant.update({ where: { id: own.participantId }, data: { merchantId } });
    const withdrawnAt = deps.clock.now();
    await deps.db.prisma.participant.update({ where: { id: gone.participantId }, data: { withdrawnAt } });
    for (const one of [own, gone]) withdrawRecord(one);
    await checkNextDay();
    expect(await mailsTo(email)).toEqual(["domain_check_failed"]);
    expect([...(await mailsTo(`contact@${own.domain}`)), ...(await mailsTo(`gone@${gone.domain}`))]).toEqual([]);
  });
});
