import { expect, test } from "vitest";
import { readVariables } from "../../platform/config.ts";
import { ConfigError } from "../../platform/settings/config-error.ts";
import { productionService, sandboxService, statusEnvironment } from "./environments.ts";

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url");
const outer = {
  DATABASE_URL: "postgresql://p@127.0.0.1/production",
  MASTER_KEY: key(1),
  SANDBOX_DATABASE_URL: "postgresql://s@127.0.0.1/sandbox",
  SANDBOX_MASTER_KEY: key(2),
};
const inputOf = (variables: Record<string, string>) => ({
  outer: { ...variables, NODE_ENV: "test" as const },
  variables: readVariables(variables),
  secrets: {
    postgresPassword: "-",
    production: { databasePassword: "-", masterKey: key(3), simulatorKey: "-" },
    sandbox: { databasePassword: "-", masterKey: key(4), simulatorKey: "-" },
  },
});

test("the status process gets the sandbox's database, and none of the sandbox's keys (docs/spec/status.md, Probes)", () => {
  const input = inputOf(outer);
  const production = productionService(input);
  const status = statusEnvironment(input, production, sandboxService(input, production));
  expect(status["SANDBOX_DATABASE_URL"]).toBe(outer.SANDBOX_DATABASE_URL);
  expect(Object.values(status)).not.toContain(key(2));
  expect(readVariables(status)).toMatchObject({ SANDBOX_DATABASE_URL: outer.SANDBOX_DATABASE_URL });
});

test("refuses a sandbox with a configured database but without a master key (docs/spec/operations.md, Environment variables)", () => {
  const { SANDBOX_MASTER_KEY: _, ...rest } = outer;
  const input = inputOf(rest);
  expect(() => sandboxService(input, productionService(input))).toThrow(ConfigError);
});

test("gives each environment its own mail server (docs/spec/operations.md, E-mail)", () => {
  const mailServers = {
    SMTP_URL: "smtps://live:secret@mail.example:465",
    SANDBOX_SMTP_URL: "smtp://127.0.0.1:25",
    SANDBOX_MAIL_FROM: "sandbox@pay.example",
  };
  const senderOf = (variables: Record<string, string>) => {
    const input = inputOf({ ...outer, SANDBOX_URL: "https://sandbox.example", ...variables });
    const { smtpUrl = null, mailFrom } = sandboxService(input, productionService(input))?.config ?? {};
    return { smtpUrl, mailFrom };
  };
  expect(senderOf(mailServers)).toEqual({ smtpUrl: "smtp://127.0.0.1:25", mailFrom: "sandbox@pay.example" });
  expect(senderOf({ SMTP_URL: mailServers.SMTP_URL })).toEqual({ smtpUrl: null, mailFrom: "no-reply@sandbox.example" });
});
