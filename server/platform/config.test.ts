import os from "node:os";
import { describe, expect, test } from "vitest";
import { readVariables, toConfig } from "./config.ts";

const variables = {
  DATABASE_URL: "postgres://paygrant@127.0.0.1:5432/paygrant",
  MASTER_KEY: Buffer.alloc(32, 1).toString("base64url"),
};
const live = "sk_live_0123456789";
const secret = "whsec_0123456789";
const configOf = (environment: "production" | "sandbox", change: Record<string, string>) =>
  toConfig(readVariables({ ...variables, PAYGRANT_ENVIRONMENT: environment, ...change }));
const complaintOf = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("not refused");
};

describe("Stripe's settings (docs/spec/operations.md, Environment variables)", () => {
  test("a key and a webhook secret configure Stripe; production accepts any key", () => {
    expect(configOf("production", { STRIPE_SECRET_KEY: live, STRIPE_WEBHOOK_SECRET: secret }).stripe).toEqual({
      secretKey: live,
      webhookSecret: secret,
    });
    expect(configOf("production", {}).stripe).toBeNull();
  });

  test.each([
    ["the sandbox accepts only a test key", { STRIPE_SECRET_KEY: live, STRIPE_WEBHOOK_SECRET: secret }, "sk_test_"],
    ["a key without its webhook secret", { STRIPE_SECRET_KEY: "sk_test_01234" }, "STRIPE_WEBHOOK_SECRET: missing"],
    ["a webhook secret without its key", { STRIPE_WEBHOOK_SECRET: secret }, "STRIPE_SECRET_KEY: missing"],
    ["a key that isn't Stripe's", { STRIPE_SECRET_KEY: "pk_oops_0123", STRIPE_WEBHOOK_SECRET: secret }, "STRIPE_SEC"],
  ])("%s: the start is refused with a message without secrets", (_name, change, expected) => {
    const complaint = complaintOf(() => configOf("sandbox", change));
    expect(complaint).toContain(expected);
    for (const value of Object.values(change)) expect(complaint).not.toContain(value);
  });
});

describe("a stand-in for Stripe requires a test key and an address of this machine (docs/operating.md, Settings)", () => {
  const key = { STRIPE_SECRET_KEY: "sk_test_01234", STRIPE_WEBHOOK_SECRET: secret };
  const standIn = { STRIPE_API_URL: "http://127.0.0.1:4000" };
  test("a loopback address with a test key is used", () => {
    expect(configOf("production", { ...key, ...standIn }).stripe).toMatchObject({ apiUrl: "http://127.0.0.1:4000" });
  });

  test.each([
    [{ STRIPE_API_URL: "https://stripe.example" }, "must be a loopback address"],
    [{ ...standIn, BASE_URL: "https://pay.example.com" }, "BASE_URL must be a loopback address"],
    [{ ...standIn, STRIPE_SECRET_KEY: live }, "must start with sk_test_"],
  ])("%o is refused", (change, expected) => {
    expect(complaintOf(() => configOf("production", { ...key, ...change }))).toContain(expected);
  });
});

test.each(["BASE_URL", "SANDBOX_URL"])("%s has no path, because clients find the metadata at its root", (name) => {
  expect(complaintOf(() => configOf("production", { [name]: "https://pay.example/auth" }))).toContain(name);
  expect(configOf("production", { BASE_URL: "https://pay.example/" }).baseUrl).toBe("https://pay.example");
});

describe("DATABASE_DIRECT_URL (docs/runbooks/several-web-nodes.md, Connection poolers)", () => {
  const direct = "postgresql://paygrant@127.0.0.1:5433/paygrant";
  test("is DATABASE_URL by default", () => {
    expect(configOf("production", {}).databaseDirectUrl).toBe(variables.DATABASE_URL);
    expect(configOf("production", { DATABASE_DIRECT_URL: direct }).databaseDirectUrl).toBe(direct);
  });

  test.each([
    [{ DATABASE_DIRECT_URL: direct }, "DATABASE_DIRECT_URL: needs DATABASE_URL"],
    [{ SANDBOX_DATABASE_DIRECT_URL: direct }, "SANDBOX_DATABASE_DIRECT_URL: needs SANDBOX_DATABASE_URL"],
    [{ DATABASE_REPLICA_URL: direct }, "DATABASE_REPLICA_URL: needs DATABASE_URL"],
    [{ SANDBOX_DATABASE_REPLICA_URL: direct }, "SANDBOX_DATABASE_REPLICA_URL: needs SANDBOX_DATABASE_URL"],
    [{ ...variables, DATABASE_DIRECT_URL: "http://127.0.0.1" }, "DATABASE_DIRECT_URL: "],
    [{ DATABASE_STATEMENTS: "prepared" }, "DATABASE_STATEMENTS: "],
  ])("%o is refused with an error that names the variable", (environment, expected) => {
    expect(complaintOf(() => readVariables(environment))).toContain(expected);
  });
});

describe("SIGN_UP (docs/spec/portal.md, Sign-up)", () => {
  const elsewhere = { BASE_URL: "https://pay.example.com" };
  test.each([
    ["production", {}, "open"],
    ["production", elsewhere, "invite"],
    ["sandbox", elsewhere, "open"],
    ["production", { ...elsewhere, SIGN_UP: "open" }, "open"],
    ["sandbox", { SIGN_UP: "closed" }, "closed"],
  ] as const)("%s with %o: %s", (environment, change, expected) => {
    expect(configOf(environment, change).signUp).toBe(expected);
  });

  test("refuses another value", () => {
    expect(complaintOf(() => configOf("production", { SIGN_UP: "yes" }))).toContain("SIGN_UP: ");
  });
});

describe("connections to PostgreSQL (docs/spec/operations.md, Environment variables)", () => {
  test("the default is four per CPU, but at most 16", () => {
    expect(configOf("production", {}).databasePoolSize).toBe(Math.min(4 * os.availableParallelism(), 16));
    expect(configOf("sandbox", { DATABASE_POOL_SIZE: "40" }).databasePoolSize).toBe(40);
  });

  test.each(["2", "101", "4.5", "many"])("refuses %s and names the variable", (size) => {
    const complaint = complaintOf(() => configOf("production", { DATABASE_POOL_SIZE: size }));
    expect(complaint).toBe("DATABASE_POOL_SIZE: must be a whole number of connections, 3 to 100");
  });
});

describe("mail's settings (docs/spec/operations.md, Environment variables)", () => {
  test("without SMTP_URL no mail is sent; the default sender has BASE_URL's host", () => {
    const base = { BASE_URL: "https://pay.example" };
    expect(configOf("production", base)).toMatchObject({ smtpUrl: null, mailFrom: "no-reply@pay.example" });
    const chosen = { SMTP_URL: "smtps://user:pass@mail.example:465", MAIL_FROM: "hello@pay.example" };
    expect(configOf("production", { ...base, ...chosen })).toMatchObject({
      smtpUrl: chosen.SMTP_URL,
      mailFrom: "hello@pay.example",
    });
  });

  test.each([
    ["another protocol", { SMTP_URL: "https://user:secret-word@mail.example" }, "SMTP_URL"],
    ["no host", { SMTP_URL: "smtp://" }, "SMTP_URL"],
    ["no address", { MAIL_FROM: "Paygrant <hello@pay.example>" }, "MAIL_FROM: must be a single address"],
    ["two lines", { MAIL_FROM: "a@pay.example\r\nBcc: b@evil.example" }, "MAIL_FROM: must be a single address"],
  ])("%s: the start is refused with a message without secrets", (_name, change, expected) => {
    const complaint = complaintOf(() => configOf("production", change));
    expect(complaint).toContain(expected);
    for (const value of Object.values(change)) expect(complaint).not.toContain(value);
  });
});

describe("addresses (docs/spec/operations.md, Environment variables; RFC 8414 §2)", () => {
  const names = ["BASE_URL", "WALLET_URL", "DISCOVERY_URL", "CDN_URL", "SANDBOX_URL", "STATUS_URL", "PRODUCTION_URL"];

  test.each(names)("%s with a query, a fragment or a user name is refused with an error of one line", (name) => {
    for (const end of ["?", "?tenant=1", "/?tenant=1", "#", "/#top"]) {
      expect(complaintOf(() => configOf("production", { [name]: `https://pay.example${end}` }))).toBe(
        `${name}: must be an http or https address without query, fragment or user name`,
      );
    }
    for (const other of [
      "https://user:secret-word@pay.example",
      "pay.example",
      "ftp://pay.example",
      'https://pay".example',
      "https://pay\\.example",
    ]) {
      const complaint = complaintOf(() => configOf("production", { [name]: other }));
      expect(complaint).toBe(`${name}: must be an http or https address without query, fragment or user name`);
    }
  });

  test.each(["https://pay.example", "http://localhost:3000/", "http://[::1]:3000", "https://pay.example/directory/"])(
    "%s is accepted, without its last slash",
    (address) => {
      expect(configOf("production", { DISCOVERY_URL: address }).discoveryUrl).toBe(address.replace(/\/$/, ""));
    },
  );
});

test("receivers on loopback are allowed by default only in an embedded sandbox on loopback (docs/spec/payments.md, Webhooks)", () => {
  const embedded = { PAYGRANT_EMBEDDED: "1" };
  expect(configOf("sandbox", embedded).webhookLoopback).toBe(true);
  expect(configOf("sandbox", { ...embedded, OUTBOUND_LOOPBACK: "0" }).webhookLoopback).toBe(false);
  expect(configOf("sandbox", { ...embedded, BASE_URL: "https://sandbox.example" }).webhookLoopback).toBe(false);
  expect(configOf("sandbox", {}).webhookLoopback).toBe(false);
  expect(configOf("production", embedded).webhookLoopback).toBe(false);
  expect(configOf("production", { OUTBOUND_LOOPBACK: "1" }).webhookLoopback).toBe(true);
});

test("other addresses on loopback are refused by default (docs/spec/oauth.md, Client keys)", () => {
  const embedded = { PAYGRANT_EMBEDDED: "1" };
  expect(configOf("sandbox", embedded).outboundLoopback).toBe(false);
  expect(configOf("sandbox", { ...embedded, OUTBOUND_LOOPBACK: "1" }).outboundLoopback).toBe(true);
});
