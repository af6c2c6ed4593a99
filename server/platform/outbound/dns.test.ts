import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Dns } from "../../deps/dns.ts";
import { createDns } from "./dns.ts";
import { type DnsServer, startDnsServer } from "./dns-server.fixture.ts";

let servers: [DnsServer, DnsServer];
let dns: Dns;
beforeAll(async () => {
  servers = [await startDnsServer(), await startDnsServer()];
  dns = createDns(servers.map(({ address }) => address));
});
beforeEach(() => {
  for (const server of servers) {
    server.zone.clear();
    server.isSilent = false;
    server.requested.length = 0;
  }
});
afterAll(() => {
  for (const server of servers) server.close();
});

const name = "_paygrant-challenge.shop.example";

describe("a look-up of TXT records (docs/spec/directory.md, Domains)", () => {
  test("sends one request to each resolver, and joins the strings of a record", async () => {
    servers[0].zone.set(name, [["one"], ["a", "b", "c"]]);
    servers[1].zone.set(name, [["other"]]);
    expect(await dns.txtAtEach(name)).toEqual([["one", "abc"], ["other"]]);
    expect(servers.map(({ requested }) => requested)).toEqual([[name], [name]]);
  });

  test("returns changed records: no answer is cached", async () => {
    servers[0].zone.set(name, [["before"]]);
    expect(await dns.txtAtEach(name)).toEqual([["before"], []]);
    servers[0].zone.set(name, [["after"]]);
    expect(await dns.txtAtEach(name)).toEqual([["after"], []]);
  });

  test("returns an empty list for a name without records, and for a name that is too long", async () => {
    expect(await dns.txtAtEach(name)).toEqual([[], []]);
    expect(await dns.txtAtEach(`_paygrant-challenge.${"a.".repeat(123)}example`)).toEqual([[], []]);
  });

  test("returns an empty list if there are too many records, or if they are too long", async () => {
    servers[0].zone.set(name, [["token"], ...Array.from({ length: 100 }, () => ["x"])]);
    servers[1].zone.set(name, [["token"], Array.from({ length: 66 }, () => "x".repeat(250))]);
    expect(await dns.txtAtEach(name)).toEqual([[], []]);
    servers[0].zone.set(name, [["token"], ...Array.from({ length: 99 }, () => ["x"])]);
    expect((await dns.txtAtEach(name))[0]).toHaveLength(100);
  });

  // Measured in real time. Other load on the machine may delay one measurement, but is unlikely to delay all three.
  test("waits for a silent resolver for at most 4 seconds; one domain has at most 8 look-ups at a time", {
    retry: 2,
  }, async () => {
    servers[0].zone.set("0.slow.example", [["token"]]);
    servers[1].isSilent = true;
    const startedAt = performance.now();
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => dns.txtAtEach(`${index}.slow.example`)),
    );
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect(answers[0]).toMatchObject({ value: [["token"], []] });
    const refused = answers.filter(({ status }) => status === "rejected");
    expect(refused).toEqual(
      Array(2).fill({ status: "rejected", reason: expect.objectContaining({ problem: "busy" }) }),
    );
    servers[1].isSilent = false;
    expect(await dns.txtAtEach("1.slow.example")).toEqual([[], []]);
  });
});
