import { beforeEach, describe, expect, it } from "vitest";
import { parseRateLimits, policiesFor, policiesOf, rateLimitDefaults } from "../../contract/limit-classes.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Refusal, SharedLevel, Usage } from "./usage-ledger.ts";

const policies = policiesOf(parseRateLimits("signed.address=20/10,signed.client=10/10"));
const byAddress = policies.classes.signed.address ?? expect.fail();
const byClient = policies.classes.signed.client ?? expect.fail();

let now = 0;
let audited: Refusal[] = [];
let reaches: boolean[] = [];
beforeEach(() => {
  now = 1000;
  audited = [];
  reaches = [];
});

/** The database's part, in memory. */
const sharedStore = () => {
  const rows = new Map<string, { fullAt: number; auditedAt: number }>();
  let isReachable = true;
  return {
    rows,
    setReachable(value: boolean) {
      isReachable = value;
    },
    async share(usages: readonly Usage[]): Promise<SharedLevel[]> {
      if (!isReachable) throw new Error("unreachable");
      return usages.map(({ key, takenMilliseconds, sinceMilliseconds, isRefused }) => {
        const row = rows.get(key) ?? { fullAt: 0, auditedAt: Number.NEGATIVE_INFINITY };
        row.fullAt = Math.max(row.fullAt, now - sinceMilliseconds) + takenMilliseconds;
        const isAuditDue = isRefused && now - row.auditedAt >= 60_000;
        if (isAuditDue) row.auditedAt = now;
        rows.set(key, row);
        return { key, owedMilliseconds: row.fullAt - now, isAuditDue };
      });
    },
  };
};

const node = (store: ReturnType<typeof sharedStore>, capacity?: number) =>
  new RateLimiter({
    policies,
    now: () => now,
    share: store.share,
    audit: async (refusal) => void audited.push(refusal),
    onReach: (isReachable) => reaches.push(isReachable),
    ...(capacity === undefined ? {} : { capacity }),
  });

const refusal = (key: string): Refusal => ({
  at: new Date(now),
  requestId: "req_1",
  operation: "token",
  policy: byClient,
  key,
  party: { actor: { kind: "client", id: key }, subjectId: key },
});

const takeAll = (limiter: RateLimiter, key: string, times: number): number =>
  Array.from({ length: times }, () => limiter.take(byClient, key)).filter(({ isAllowed }) => isAllowed).length;

describe("rate limiter", () => {
  it("keeps a separate bucket for each client and each IP address", () => {
    const limiter = node(sharedStore());
    expect(takeAll(limiter, "cl_a", 30)).toBe(10);
    expect(takeAll(limiter, "cl_b", 30)).toBe(10);
    expect(limiter.take(byAddress, "cl_a").isAllowed).toBe(true);
  });

  it("doesn't count a request that is given back", async () => {
    const store = sharedStore();
    const limiter = node(store);
    for (let count = 0; count < 30; count++) {
      expect(limiter.take(byClient, "cl_a").isAllowed).toBe(true);
      limiter.giveBack(byClient, "cl_a");
    }
    await limiter.share();
    expect(store.rows.size).toBe(0);
    expect(takeAll(limiter, "cl_a", 30)).toBe(10);
  });

  it("corrects its report if a reported request is given back", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    expect(takeAll(left, "cl_a", 3)).toBe(3);
    await left.share();
    for (let count = 0; count < 3; count++) left.giveBack(byClient, "cl_a");
    await left.share();
    expect(takeAll(right, "cl_a", 1)).toBe(1);
    await right.share();
    expect(takeAll(right, "cl_a", 30)).toBe(9);
    expect(takeAll(left, "cl_a", 30)).toBe(10);
  });

  it("applies a drain on one node to the bucket on every node", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    expect(left.drain(byClient, "cl_a", 9)).toMatchObject({ remaining: 1 });
    await left.share();
    expect(takeAll(right, "cl_a", 1)).toBe(1);
    await right.share();
    expect(takeAll(right, "cl_a", 1)).toBe(0);
    expect(takeAll(left, "cl_a", 30)).toBe(1);
  });

  it("limits two nodes together to the quota of one node after they have reported to each other", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    expect(takeAll(left, "cl_a", 6)).toBe(6);
    await left.share();
    expect(takeAll(right, "cl_a", 1)).toBe(1);
    await right.share();
    expect(takeAll(right, "cl_a", 30)).toBe(3);
  });

  it("under constant load, limits two nodes together to the quota of one node plus one full bucket", async () => {
    const store = sharedStore();
    const nodes = [node(store), node(store)];
    let passed = 0;
    const seconds = 120;
    for (let step = 0; step < seconds * 20; step++) {
      now += 50;
      for (const limiter of nodes) passed += takeAll(limiter, "cl_a", 1);
      if (step % 20 === 0) for (const limiter of nodes) await limiter.share();
    }
    const byOne = byClient.quota.requests + seconds;
    expect(passed).toBeGreaterThanOrEqual(byOne - 2);
    expect(passed).toBeLessThanOrEqual(byOne + byClient.quota.requests);
  });

  it("allows a node the same number of requests whether or not it reports its usage", async () => {
    const [alone, telling] = [node(sharedStore()), node(sharedStore())];
    for (let step = 0; step < 2000; step++) {
      now += 37 + ((step * 7919) % 400);
      const { isAllowed, remaining } = alone.take(byClient, "cl_a");
      expect(telling.take(byClient, "cl_a")).toMatchObject({ isAllowed, remaining });
      if (step % 3 === 0) await telling.share();
    }
  });

  it("announces a wait that is long enough for any concurrent usage of another node", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    for (const limiter of [left, right]) takeAll(limiter, "cl_a", 10);
    const { untilNextMilliseconds } = left.take(byClient, "cl_a");
    for (const limiter of [left, right]) {
      limiter.noteRefusal(refusal("cl_a"));
      await limiter.share();
    }
    left.noteRefusal(refusal("cl_a"));
    await left.share();
    now += untilNextMilliseconds;
    expect(takeAll(left, "cl_a", 1)).toBe(1);
  });

  it("announces the exact wait after the others have reported", async () => {
    const limiter = node(sharedStore());
    takeAll(limiter, "cl_a", 10);
    await limiter.share();
    limiter.noteRefusal(refusal("cl_a"));
    await limiter.share();
    expect(limiter.take(byClient, "cl_a").untilNextMilliseconds).toBeCloseTo(1000);
  });

  it("applies the limits on its own while the database is unavailable, and reports its usage afterwards", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    store.setReachable(false);
    expect(takeAll(left, "cl_a", 30)).toBe(10);
    await left.share();
    await left.share();
    expect(reaches).toEqual([false]);
    expect(left.take(byClient, "cl_a").untilNextMilliseconds).toBeCloseTo(1000);
    store.setReachable(true);
    await left.share();
    expect(reaches).toEqual([false, true]);
    expect(takeAll(right, "cl_a", 1)).toBe(1);
    await right.share();
    expect(takeAll(right, "cl_a", 30)).toBe(0);
  });

  it("keeps a bounded number of IP addresses, and they never displace a client's bucket", async () => {
    const limiter = node(sharedStore(), 1000);
    takeAll(limiter, "cl_a", 10);
    for (let index = 0; index < 100_000; index++) limiter.take(byAddress, `198.51.100.${index}`);
    expect(limiter.size).toBeLessThanOrEqual(3000);
    expect(takeAll(limiter, "cl_a", 1)).toBe(0);
  });

  it("never refuses an IP address because of other IP addresses, however many there are", () => {
    const limiter = node(sharedStore(), 100);
    for (let index = 0; index < 10_000; index++) {
      expect(limiter.take(byAddress, `2001:db8:0:${index.toString(16)}::/64`).isAllowed).toBe(true);
    }
  });

  it("reports at most 500 buckets at a time, the heaviest first", async () => {
    const store = sharedStore();
    const limiter = node(store);
    for (let index = 0; index < 600; index++) takeAll(limiter, `cl_${index}`, index < 100 ? 1 : 2);
    await limiter.share();
    expect(store.rows.size).toBe(500);
    expect(store.rows.has("signed-client cl_599")).toBe(true);
    await limiter.share();
    expect(store.rows.size).toBe(600);
  });

  it("doesn't report negligible usage", async () => {
    const store = sharedStore();
    const limiter = new RateLimiter({
      policies: policiesOf(parseRateLimits("")),
      now: () => now,
      share: store.share,
      audit: async () => {},
      onReach: () => {},
    });
    const policy = policiesOf(parseRateLimits("")).classes.signed.client ?? expect.fail();
    limiter.take(policy, "cl_a");
    await limiter.share();
    expect(store.rows.size).toBe(0);
  });

  it("audits at most one refusal of a bucket per minute, over all nodes", async () => {
    const store = sharedStore();
    const [left, right] = [node(store), node(store)];
    for (const limiter of [left, right, left]) {
      limiter.noteRefusal(refusal("cl_a"));
      limiter.noteRefusal(refusal("cl_a"));
      await limiter.share();
    }
    expect(audited).toHaveLength(1);
    now += 60_000;
    right.noteRefusal(refusal("cl_a"));
    left.noteRefusal(refusal("cl_b"));
    await right.share();
    await left.share();
    expect(audited.map(({ key }) => key)).toEqual(["cl_a", "cl_a", "cl_b"]);
  });
});

describe("RATE_LIMITS", () => {
  it("overrides only the limits that it names", () => {
    const limits = parseRateLimits(" registration.address=5/60, signed.client=off ");
    expect(limits.classes.registration.address).toEqual({ requests: 5, seconds: 60 });
    expect(limits.classes.signed).toEqual({ ...rateLimitDefaults.signed, client: null });
    expect(limits.classes.open).toEqual(rateLimitDefaults.open);
    expect(limits.endpoints).toEqual({});
  });

  it("gives a named endpoint its own quota; the others share the quota of their class (docs/spec/product.md, Rate limits)", () => {
    const { classes, endpoints } = policiesOf(parseRateLimits("token.client=5/60,introspectToken.address=off"));
    const of = (operationId: string, limitClass: "signed" | "introspection") =>
      policiesFor({ classes, endpoints }, { operationId, limitClass });
    expect(of("token", "signed")).toEqual({
      address: classes.signed.address,
      client: {
        name: "token-client",
        subject: "client",
        quota: { requests: 5, seconds: 60 },
        field: '"token-client";q=5;w=60',
      },
    });
    expect(of("introspectToken", "introspection")).toEqual({ address: null, client: classes.introspection.client });
    expect(of("pushAuthorizationRequest", "signed")).toEqual(classes.signed);
  });

  it.each(["signed=5/60", "signed.client=0/60", "signed.client=5", "signed.owner=5/60", "token-.client=5/60"])(
    "is refused with an error that names the invalid entry: %s",
    (text) => {
      expect(() => parseRateLimits(text)).toThrow(text);
    },
  );
});
