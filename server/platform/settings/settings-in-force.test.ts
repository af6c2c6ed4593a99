import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readVariables, toConfig } from "../config.ts";
import { settingsInForce } from "./settings-in-force.ts";

const secrets = {
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
  DATABASE_URL: "postgresql://paygrant:hidden-db-pass@db.example:5432/paygrant?password=hidden-db-query",
  SMTP_URL: "smtps://hidden-user:hidden-smtp-pass@mail.example:465",
  STRIPE_SECRET_KEY: "sk_live_hidden",
  STRIPE_WEBHOOK_SECRET: "whsec_hidden",
  SIMULATOR_KEY: "hidden-simulator-key",
  PRODUCTION_FINGERPRINTS: "",
};
const given = { ...secrets, BASE_URL: "https://pay.example.com", RATE_LIMITS: "signed.client=2000/20" };

const listOf = (environment: Record<string, string>) =>
  settingsInForce(environment, toConfig(readVariables(environment)));
const find = (list: ReturnType<typeof listOf>, name: string) => list.find((one) => one.name === name);

describe("the settings in force (docs/spec/portal.md, Operator console)", () => {
  test("no secret value appears, not even as a part of a URL", () => {
    const text = JSON.stringify(listOf(given));
    for (const hidden of ["hidden", secrets.MASTER_KEY, "sk_live", "whsec"]) expect(text).not.toContain(hidden);
    expect(find(listOf(given), "DATABASE_URL")).toMatchObject({ value: "db.example:5432/paygrant" });
    expect(find(listOf(given), "SMTP_URL")).toMatchObject({ value: "mail.example:465" });
    expect(find(listOf(given), "MASTER_KEY")).toEqual({
      name: "MASTER_KEY",
      value: null,
      isSecret: true,
      source: "environment",
    });
  });

  test("each value names its source", () => {
    const list = listOf(given);
    expect(find(list, "BASE_URL")).toMatchObject({ value: "https://pay.example.com", source: "environment" });
    expect(find(list, "WALLET_URL")).toMatchObject({ value: "https://pay.example.com", source: "derived" });
    expect(find(list, "JWKS_MAX_AGE")).toMatchObject({ value: "60", source: "default" });
    expect(find(list, "RATE_LIMITS")).toMatchObject({ value: "signed.client=2000/20", source: "environment" });
    expect(find(list, "TRUSTED_PROXIES")).toMatchObject({ value: null, source: "default" });
  });

  test("a setting that the supervisor passes on counts as set only if its caller set it", () => {
    const list = listOf({ ...given, LOG_LEVEL: "info", JWKS_MAX_AGE: "60", PAYGRANT_SET: "BASE_URL,LOG_LEVEL" });
    expect(find(list, "LOG_LEVEL")).toMatchObject({ source: "environment" });
    expect(find(list, "JWKS_MAX_AGE")).toMatchObject({ source: "default" });
    expect(find(list, "MASTER_KEY")).toMatchObject({ source: "derived" });
  });

  test("the sandbox shows its own settings under their names", () => {
    const { STRIPE_SECRET_KEY: _, STRIPE_WEBHOOK_SECRET: __, SMTP_URL: ___, ...rest } = given;
    const list = listOf({ ...rest, PAYGRANT_ENVIRONMENT: "sandbox", PAYGRANT_SET: "SANDBOX_MASTER_KEY" });
    expect(find(list, "SANDBOX_MASTER_KEY")).toMatchObject({ isSecret: true, source: "environment" });
    expect(find(list, "MASTER_KEY")).toBeUndefined();
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  });

  test("every setting of .env.example is listed", () => {
    const names = [...readFileSync(".env.example", "utf8").matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name ?? "");
    const ofSandbox = /^SANDBOX_(DATABASE|MASTER|SMTP|MAIL|STRIPE)/;
    const listed = listOf(given).map(({ name }) => name);
    expect(names.filter((name) => name !== "CHROMIUM_PATH" && !ofSandbox.test(name) && !listed.includes(name))).toEqual(
      [],
    );
  });
});
