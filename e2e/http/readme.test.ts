import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { currentInstance } from "../support/instance.ts";
import { postForm, send } from "../support/wire.ts";

const readme = await readFile("README.md", "utf8");
const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };

/** The addresses of the default, as the instance under test has them. */
const here = (text: string): string => {
  const { productionUrl, sandboxUrl } = currentInstance();
  return text
    .replace("http://localhost:3000", productionUrl)
    .replace("http://localhost:3001", sandboxUrl)
    .replace("http://localhost:3002", process.env["E2E_STATUS_URL"] ?? "");
};

test("every command in it is a script of package.json", () => {
  const commands = [...readme.matchAll(/npm (?:run )?([a-z][a-z:-]+)/g)].map(([, name]) => name ?? "");
  expect(commands).toContain("start");
  expect(commands).toContain("test");
  for (const name of new Set(commands)) expect(scripts[name], name).toMatch(/server\/cli\/bootstrap\.mjs/);
});

test("every file that it names or shows is there", async () => {
  const named = [...readme.matchAll(/(?:\]\(|`)((?:docs\/|\.env\.)[\w./-]*)[)`]/g)].map(([, file]) => file ?? "");
  expect(named).toContain("docs/images/consent.png");
  for (const file of new Set(named)) await access(file);
});

test("every address in it answers", async () => {
  const addresses = [...readme.matchAll(/\| (http:\/\/localhost:\d+\S*) \|/g)].map(([, address]) => address ?? "");
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const { status } = await fetch(here(address));
    expect({ address, status }).toEqual({ address, status: 200 });
  }
  expect((await send(here("http://localhost:3001/demo"))).status).toBe(200);
});

test("the sign-in that it tells works, in production and sandbox", async () => {
  const [, email = "", password = ""] = /Sign in as `([^`]+)` with the password `([^`]+)`/.exec(readme) ?? [];
  for (const url of [currentInstance().productionUrl, currentInstance().sandboxUrl]) {
    const answer = await postForm(`${url}/sign-in/session`, { email, password }, { origin: url });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/wallet"]);
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-pg_(live|test)=.*HttpOnly/);
  }
});

test("the first calls, as they stand there, are answered", async () => {
  const [, file = ""] = /^node (docs\/examples\/\S+)$/m.exec(readme) ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, [file, currentInstance().sandboxUrl]);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^client +cl_test_\w+$/),
    expect.stringMatching(/^token +Bearer, \d+ s, charges\.read mandates\.verify$/),
    expect.stringMatching(/^mandate +404, /),
    "",
  ]);
});
