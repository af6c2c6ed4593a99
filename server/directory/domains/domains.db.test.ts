import type http from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { dialAddress } from "../../platform/outbound/dial.ts";
import { createDns } from "../../platform/outbound/dns.ts";
import { type DnsServer, startDnsServer } from "../../platform/outbound/dns-server.fixture.ts";
import { createOutbound } from "../../platform/outbound/outbound.ts";
import { claimDomain } from "./claim-domain.ts";
import { verifyDomain } from "./verify-domain.ts";

// Domains are checked with two name servers and a web server on loopback, through the real guards.

const publicAddress = "93.184.215.14";
/** Addresses that a domain's name has at each look-up; the last one stays. */
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

/** A participant that claimed a domain of its own, and the token of the claim. */
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
  test("is proved if both resolvers have the token, also beside other records and without a web server", async () => {
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

describe("the request for a claim's document can't be led to an address of our network", () => {
  test("by a redirect: none is followed", async () => {
    const own = await claimed();
    const target = "https://10.0.0.7/.well-known/paygrant-participants.json";
    web.set(`${own.domain}/.well-known/paygrant-participants.json`, (response) =>
      response.writeHead(302, { location: target, "content-type": "application/json" }).end("{}"),
    );
    expect(await outcomeOf(own)).toBe("domain_not_proved");
    expect(dialled).toEqual([publicAddress]);
  });

  test.each(["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00::7", "::ffff:10.0.0.7"])(
    "by a name that changes to %s",
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
