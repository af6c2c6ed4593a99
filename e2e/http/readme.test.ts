import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { postForm, send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";

/**
 * Runs the examples of README.md and docs/first-calls.md against a running service.
 * server/cli/checks/docs-guides.test.ts covers the rest.
 */
const readme = await readFile("README.md", "utf8");
const firstCalls = await readFile("docs/first-calls.md", "utf8");

/** Replaces the default URLs with the URLs of the instance under test. */
const here = (text: string): string => {
  const { productionUrl, sandboxUrl } = currentInstance();
  return text
    .replace("http://localhost:3000", productionUrl)
    .replace("http://localhost:3001", sandboxUrl)
    .replace("http://localhost:3002", process.env["E2E_STATUS_URL"] ?? "");
};

const expectAnswers = async (addresses: readonly string[]): Promise<void> => {
  for (const address of addresses) {
    const { status } = await fetch(here(address));
    expect({ address, status }).toEqual({ address, status: 200 });
  }
};

describe("README.md", () => {
  test("every address in README.md answers", async () => {
    const addresses = [...readme.matchAll(/\| (http:\/\/localhost:\d+\S*) \|/g)].map(([, address]) => address ?? "");
    expect(addresses).toHaveLength(4);
    await expectAnswers(addresses);
    expect((await send(here("http://localhost:3001/demo"))).status).toBe(200);
  });

  const [, password = ""] = /password is `([^`]+)`/.exec(readme) ?? [];
  const signIns = [...readme.matchAll(/^\| `(\S+@\S+)` \| `(\S+)` \|$/gm)].map(([, email = "", page = ""]) => ({
    email,
    page,
  }));

  test("lists the three demo sign-ins", () => {
    expect(signIns.map(({ page }) => page)).toEqual(["/wallet", "/merchant", "/operator"]);
  });

  test.each(signIns)("$email opens $page in production and sandbox", async ({ email, page }) => {
    for (const url of [currentInstance().productionUrl, currentInstance().sandboxUrl]) {
      const answer = await postForm(`${url}/sign-in/session`, { email, password }, { origin: url });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
      expect(answer.headers.get("set-cookie")).toMatch(/^__Host-pg_(live|test)=.*HttpOnly/);
    }
  });
});

describe("docs/first-calls.md", () => {
  test("the example runs against the sandbox", async () => {
    const [, file = ""] = /^npx node (docs\/examples\/\S+)$/m.exec(firstCalls) ?? [];
    const { stdout } = await promisify(execFile)(process.execPath, [file, currentInstance().sandboxUrl]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^client +cl_test_\w+$/),
      expect.stringMatching(/^token +Bearer, \d+ s, charges\.read mandates\.verify$/),
      expect.stringMatching(/^mandate +404, /),
      "",
    ]);
  });

  test("every linked page and document answers", async () => {
    const linked = [...firstCalls.matchAll(/[`<](http:\/\/localhost:3001\/[^\s`>?]+)[`>]/g)];
    const addresses = [...new Set(linked.map(([, address]) => address ?? ""))];
    expect(addresses).toContain("http://localhost:3001/docs/sandbox");
    await expectAnswers(addresses);
  });
});
