import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, test } from "vitest";
import { findAuthlib } from "#server/cli/checks/find-authlib.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import { redirectUri } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

type Report = {
  client_id: string;
  own: { token: object; claims: object; charges: number };
  granted: { token: object; claims: object; charges: object };
  rotated: boolean;
  introspected: object;
  foreign: object;
  revoked: number;
  ended: object;
  again: string | null;
};

/** Runs the program and answers its prompts as the payer. @returns its report. @throws Error with its traceback. */
const walk = async (): Promise<Report> => {
  const child = spawn(await findAuthlib(), ["e2e/outside/authlib_client.py"], {
    env: { NODE_ENV: "production", PATH: process.env["PATH"], BASE_URL: sandboxUrl, PYTHONDONTWRITEBYTECODE: "1" },
  });
  let traceback = "";
  child.stderr.on("data", (chunk: Buffer) => (traceback += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  for await (const text of createInterface(child.stdout)) {
    const line: { authorize?: string; report?: Report } = JSON.parse(text);
    if (line.report) return line.report;
    const query = new URL(line.authorize ?? "").searchParams;
    const [clientId, requestUri] = [query.get("client_id") ?? "", query.get("request_uri") ?? ""];
    child.stdin.write(`${redirectUri}?${await consent(sandboxUrl, { clientId, requestUri })}\n`);
  }
  throw new Error(`Authlib ended with ${await ended}: ${traceback}`);
};

describe("Authlib from Debian's package, with Bearer tokens, which the sandbox allows", () => {
  let report: Report;
  // The package may have to be installed first.
  beforeAll(async () => {
    report = await walk();
  }, 600_000);

  test("gets a token for itself with private_key_jwt and verifies it with the published keys (RFC 7523, RFC 9068)", () => {
    expect(report.own).toMatchObject({
      token: { token_type: "Bearer", expires_in: 600, scope: "charges.read" },
      claims: { scope: "charges.read" },
      charges: 200,
    });
  });

  test("gets a mandate with PAR, PKCE and consent; the redirect returns the state (RFC 9126, RFC 7636)", () => {
    expect(report.granted).toMatchObject({
      token: { token_type: "Bearer", authorization_details: [{ type: "payment_mandate_v1", currency: "EUR" }] },
      claims: { client_id: report.client_id, authorization_details: [{ type: "payment_mandate_v1" }] },
      charges: { data: [], has_more: false },
    });
  });

  test("refreshes and gets a new refresh token (RFC 9700 §4.14.2)", () => {
    expect(report.rotated).toBe(true);
  });

  test("can introspect only its own tokens (RFC 7662)", () => {
    expect(report.introspected).toMatchObject({ active: true, client_id: report.client_id, token_type: "Bearer" });
    expect(report.foreign).toEqual({ active: false });
  });

  test("revokes its grant, after which the tokens of the grant don't work (RFC 7009)", () => {
    expect(report).toMatchObject({ revoked: 200, ended: { active: false }, again: "invalid_grant" });
  });
});
