import { describe, expect, test } from "vitest";
import { missingSettings } from "./missing-settings.ts";

const nothingSet = {
  environment: "production",
  isLoopback: false,
  smtpUrl: null,
  stripe: null,
  billingIssuer: null,
  dnsResolvers: null,
} as const;
const everythingSet = {
  ...nothingSet,
  smtpUrl: "smtps://mail.example:465",
  stripe: { secretKey: "sk_live_1", webhookSecret: "whsec_1" },
  billingIssuer: {
    name: "Example Ltd",
    line1: "1 High Street",
    line2: null,
    postalCode: null,
    city: "Dublin",
    country: "IE",
    vatNumber: null,
    email: "billing@example.test",
  },
  dnsResolvers: ["192.0.2.1:53", "192.0.2.2:53"],
};
const billed = { hasSubscriptions: true };
const one = ["192.0.2.1"];
const two = ["192.0.2.1", "192.0.2.2"];

describe("settings that production needs (docs/spec/portal.md, Operator console)", () => {
  test("all are missing on a new machine with one resolver", () => {
    expect(missingSettings(nothingSet, billed, one)).toEqual(["mail", "stripe", "billingIssuer", "dnsResolvers"]);
  });

  test("none is missing if all are set", () => {
    expect(missingSettings(everythingSet, billed, one)).toEqual([]);
  });

  test("a machine with two resolvers needs no DNS_RESOLVERS, and a resolver that is listed twice counts once", () => {
    expect(missingSettings(nothingSet, billed, two)).not.toContain("dnsResolvers");
    expect(missingSettings(nothingSet, billed, [...one, ...one])).toContain("dnsResolvers");
  });

  test("one resolver is enough on loopback", () => {
    expect(missingSettings({ ...nothingSet, isLoopback: true }, billed, one)).not.toContain("dnsResolvers");
  });

  test("without billed merchants, the issuer of invoices isn't needed", () => {
    expect(missingSettings(nothingSet, { hasSubscriptions: false }, two)).toEqual(["mail", "stripe"]);
  });

  test("the sandbox needs none", () => {
    expect(missingSettings({ ...nothingSet, environment: "sandbox" }, billed, [])).toEqual([]);
  });
});
