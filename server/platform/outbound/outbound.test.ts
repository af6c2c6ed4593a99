import { execFile } from "node:child_process";
import http from "node:http";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Outbound } from "../../deps/outbound.ts";
import { type Dial, dialAddress } from "./dial.ts";
import { getJson } from "./get-json.ts";
import { certificate, privateKey } from "./keys-example.fixture.ts";
import { createOutbound } from "./outbound.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const listen = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

/** An HTTP server in place of a public one. */
const serve = (handler: http.RequestListener) => listen(http.createServer(handler));
const json = (response: http.ServerResponse, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);

/** Connects every dialled address to a local server, and records the address. */
const dialTo = (port: number) => {
  const dialled: string[] = [];
  const dial: Dial = async ({ address, tlsName }, signal) => {
    dialled.push(`${address} as ${tlsName}`);
    return dialAddress({ address: "127.0.0.1", port, tlsName: null }, signal);
  };
  return { dial, dialled };
};

const publicAddress = "93.184.215.14";
const of = (dial: Dial, addresses: string[] = [publicAddress]): Outbound =>
  createOutbound({ allowLoopback: false, resolve: async () => addresses, dial });
const limits = { method: "GET", headers: {}, maxBytes: 65_536, timeoutMilliseconds: 20_000 } as const;
const problemOf = async (request: Promise<unknown>) =>
  request.then(
    () => "none",
    (error: { problem?: string }) => error.problem ?? String(error),
  );

describe("a URL that another party chose", () => {
  const outbound = createOutbound({ allowLoopback: false });
  test.each([
    "http://keys.example/jwks",
    "https://keys.example:8443/jwks",
    "https://keys.example/jwks#1",
    "https://user@keys.example/jwks",
    "https://keys.example/ä",
    "ftp://keys.example/jwks",
    "file:///etc/passwd",
    "//keys.example/jwks",
    "https://",
    "http://127.0.0.1:3000/jwks",
    `https://keys.example/${"a".repeat(2000)}`,
    "",
  ])("is refused before any connection: %s", async (url) => {
    expect(outbound.urlProblem(url)).toEqual(expect.any(String));
    expect(await problemOf(outbound.request({ ...limits, url }))).toBe("bad_address");
  });

  test.each([
    "https://keys.example/jwks",
    "https://keys.example:443/jwks?a=b",
    "https://[2606:4700::1]/",
    "https://8.8.8.8/",
  ])("is accepted: %s", (url) => {
    expect(outbound.urlProblem(url)).toBeNull();
  });

  test("accepts http on a loopback IP address if the setting allows it, but not for a name that resolves to such an address", () => {
    const testing = createOutbound({ allowLoopback: true });
    expect(testing.urlProblem("http://127.0.0.1:4000/jwks")).toBeNull();
    expect(testing.urlProblem("http://[::1]:4000/jwks")).toBeNull();
    for (const url of [
      "http://localhost:4000/",
      "http://8.8.8.8/",
      "https://127.0.0.1:4000/",
      "http://[::ffff:7f00:1]/",
    ]) {
      expect(testing.urlProblem(url)).toEqual(expect.any(String));
    }
  });
});

describe("the socket connects to the address that was checked", () => {
  test("the name is resolved once, so a name that later resolves to 127.0.0.1 never reaches loopback", async () => {
    const port = await serve((_request, response) => json(response, "{}"));
    const { dial, dialled } = dialTo(port);
    const answers = [[publicAddress], ["127.0.0.1"], ["127.0.0.1"]];
    const outbound = createOutbound({ allowLoopback: false, dial, resolve: async () => answers.shift() ?? [] });
    const url = "https://rebound.example/jwks";
    expect((await getJson(outbound, url)).value).toEqual({});
    expect(answers).toHaveLength(2);
    expect(await problemOf(getJson(outbound, url))).toBe("unreachable");
    expect(await problemOf(getJson(outbound, url))).toBe("unreachable");
    expect(dialled).toEqual([`${publicAddress} as rebound.example`]);
  });

  test.each([
    ["one of several addresses is private", [publicAddress, "10.0.0.1"]],
    ["an IPv6 address maps loopback", ["::ffff:127.0.0.1"]],
    ["a NAT64 address contains a private address", ["64:ff9b::a00:1"]],
    ["a name server returns an invalid address", ["localhost"]],
    ["there is no address", []],
  ])("dials no address if %s", async (_title, addresses) => {
    const { dial, dialled } = dialTo(1);
    expect(await problemOf(of(dial, addresses).request({ ...limits, url: "https://keys.example/" }))).toBe(
      "unreachable",
    );
    expect(dialled).toEqual([]);
  });

  test.each([
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://169.254.169.254/",
  ])("dials no address for the literal %s, in any spelling", async (url) => {
    const { dial, dialled } = dialTo(1);
    expect(await problemOf(of(dial).request({ ...limits, url }))).toBe("unreachable");
    expect(dialled).toEqual([]);
  });

  test("never dials an address that isn't globally reachable, with any answer of the resolver", async () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom("127.0.0.1", "::1", "8.8.8.8", "::ffff:7f00:1", "x"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 4 }), async (addresses) => {
        const dialled: string[] = [];
        const dial: Dial = async (target) => {
          dialled.push(target.address);
          throw new Error("no answer");
        };
        await problemOf(of(dial, addresses).request({ ...limits, url: "https://keys.example/" }));
        expect(dialled.filter((one) => /^(127|10|0)\.|^(::|f[c-f]|64:ff9b)/i.test(one))).toEqual([]);
      }),
    );
  });

  test("tries the next address if one doesn't answer, IPv4 first", async () => {
    const port = await serve((_request, response) => json(response, "{}"));
    const dialled: string[] = [];
    const dial: Dial = async (target, signal) => {
      dialled.push(target.address);
      if (target.address !== "8.8.4.4") throw new Error("refused");
      return dialAddress({ address: "127.0.0.1", port, tlsName: null }, signal);
    };
    await getJson(of(dial, ["2606:4700::1", "8.8.8.8", "8.8.4.4"]), "https://keys.example/");
    expect(dialled).toEqual(["8.8.8.8", "8.8.4.4"]);
  });

  test("SNI and certificate check use the name", async () => {
    const names: unknown[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    const server = tls.createServer({ key: privateKey, cert: certificate, SNICallback }, (socket) => {
      socket.on("error", () => {}).end();
    });
    server.on("tlsClientError", () => {});
    const port = await listen(server);
    const trusted = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...trusted, certificate]);
    closing.push(() => tls.setDefaultCACertificates(trusted));
    const dial = (tlsName: string) => dialAddress({ address: "127.0.0.1", port, tlsName }, AbortSignal.timeout(20_000));
    (await dial("keys.example")).destroy();
    expect(names).toEqual(["keys.example"]);
    await expect(dial("other.example")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    await expect(dial("127.0.0.1")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    tls.setDefaultCACertificates(trusted);
    await expect(dial("keys.example")).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });
});

describe("a response is read within its limits", () => {
  const ask = async (handler: http.RequestListener, timeoutMilliseconds = 20_000) => {
    const { dial } = dialTo(await serve(handler));
    return of(dial).request({ ...limits, timeoutMilliseconds, url: "https://keys.example/jwks?a=b" });
  };

  test("sends Host and requests no compression", async () => {
    let seen: http.IncomingMessage | undefined;
    const answer = await ask((request, response) => {
      seen = request;
      json(response, '{"keys":[]}');
    });
    expect(answer.body.toString()).toBe('{"keys":[]}');
    expect([seen?.method, seen?.url]).toEqual(["GET", "/jwks?a=b"]);
    expect(seen?.headers).toEqual({ host: "keys.example", "accept-encoding": "identity", connection: "close" });
  });

  test("sends a body unchanged", async () => {
    let sent = "";
    const { dial } = dialTo(
      await serve(async (request, response) => {
        for await (const chunk of request) sent += chunk;
        response.writeHead(204).end();
      }),
    );
    const answer = await of(dial).request({ ...limits, method: "POST", body: "{}", url: "https://keys.example/" });
    expect([answer.status, sent]).toEqual([204, "{}"]);
  });

  test("reads at most 64 KiB, with or without Content-Length", async () => {
    expect((await ask((_request, response) => response.end("x".repeat(65_536)))).body).toHaveLength(65_536);
    expect(await problemOf(ask((_request, response) => response.end("x".repeat(65_537))))).toBe("too_large");
    const endless = ask((_request, response) => {
      const more = () => response.write("x".repeat(8192), () => setImmediate(more));
      more();
    });
    expect(await problemOf(endless)).toBe("too_large");
  });

  test("reads only the start of a longer body, in any encoding, if the caller needs only the start", async () => {
    const { dial } = dialTo(
      await serve((_request, response) =>
        response.writeHead(410, { "content-encoding": "x" }).end("ab".repeat(65_536)),
      ),
    );
    const answer = await of(dial).request({
      ...limits,
      maxBytes: 5,
      isStartEnough: true,
      url: "https://keys.example/",
    });
    expect([answer.status, answer.body.toString()]).toEqual([410, "ababa"]);
  });

  test("an unrequested protocol switch is an error (RFC 9110 §15.2.2)", async () => {
    const switching = ask((request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    });
    expect(await problemOf(switching)).toBe("bad_answer");
  });

  test("has one time limit for the whole exchange, which a server can't prolong by sending single bytes", async () => {
    const startedAt = performance.now();
    const dripping = ask((_request, response) => {
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    }, 400);
    expect(await problemOf(dripping)).toBe("timed_out");
    expect(await problemOf(ask(() => {}, 300))).toBe("timed_out");
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  test("gives up waiting for a resolver that never answers", async () => {
    const resolve = (_name: string, signal: AbortSignal) =>
      new Promise<string[]>((done) => signal.addEventListener("abort", () => done([])));
    const outbound = createOutbound({ allowLoopback: false, resolve });
    const response = outbound.request({ ...limits, timeoutMilliseconds: 200, url: "https://keys.example/" });
    expect(await problemOf(response)).toBe("timed_out");
  });

  test("a broken connection is an error", async () => {
    const broken = ask((request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await problemOf(broken)).toBe("unreachable");
  });

  test("refuses a compressed response, whose size says nothing about its content", async () => {
    expect(await problemOf(ask((_request, response) => json(response, "{}", { "content-encoding": "gzip" })))).toBe(
      "bad_answer",
    );
  });
});

describe("a JSON document", () => {
  const ask = async (handler: http.RequestListener) => {
    const { dial, dialled } = dialTo(await serve(handler));
    return { problem: await problemOf(getJson(of(dial), "https://keys.example/jwks")), dialled };
  };

  test.each(["application/json", "application/json; charset=utf-8", "application/jwk-set+json"])(
    "accepts %s",
    async (type) => {
      expect((await ask((_request, response) => json(response, "{}", { "content-type": type }))).problem).toBe("none");
    },
  );

  test.each(["text/html", "text/json", "application/jsonp", "application/xml"])("refuses %s", async (type) => {
    const { problem } = await ask((_request, response) => json(response, "{}", { "content-type": type }));
    expect(problem).toBe("bad_answer");
  });

  test("refuses a body that isn't JSON", async () => {
    for (const body of ["", "{", "<html>"]) {
      expect((await ask((_request, response) => json(response, body))).problem).toBe("bad_answer");
    }
    const { problem } = await ask((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xff, 0x22])),
    );
    expect(problem).toBe("bad_answer");
  });

  test.each([301, 302, 303, 307, 308])("a redirect (%d) is not followed", async (status) => {
    const { problem, dialled } = await ask((_request, response) =>
      response.writeHead(status, { location: "https://other.example/jwks" }).end(),
    );
    expect([problem, dialled.length]).toEqual(["bad_answer", 1]);
  });

  test.each([204, 206, 404, 500])("a status %d is an error", async (status) => {
    expect((await ask((_request, response) => response.writeHead(status).end())).problem).toBe("bad_answer");
  });
});

test("no proxy of the environment is used", async () => {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.url ?? "");
    json(response, '{"direct":true}');
  });
  const proxied: string[] = [];
  const proxy = await serve((request, response) => {
    proxied.push(request.url ?? "");
    json(response, '{"direct":false}');
  });
  const port = await listen(server);
  const script = `
    import { createOutbound } from ${JSON.stringify(path.resolve(import.meta.dirname, "outbound.ts"))};
    const answer = await createOutbound({ allowLoopback: true }).request({
      url: "http://127.0.0.1:${port}/jwks", method: "GET", headers: {}, maxBytes: 1000, timeoutMilliseconds: 20000 });
    process.stdout.write(answer.body);`;
  const address = `http://127.0.0.1:${proxy}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    env: {
      ...process.env,
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: address,
      http_proxy: address,
      HTTPS_PROXY: address,
      NO_PROXY: "",
      no_proxy: "",
    },
  });
  expect([stdout, seen, proxied]).toEqual(['{"direct":true}', ["/jwks"], []]);
});

describe("an attacker that accumulates slow responses", () => {
  /**
   * A web server for every name. It answers only once the test allows it. Each name has its own address unless all
   * share one.
   */
  const makeSlow = async ({ sharedAddress }: { sharedAddress?: string } = {}) => {
    const gate = Promise.withResolvers<void>();
    const port = await serve((_request, response) => void gate.promise.then(() => json(response, "{}")));
    const addresses = new Map<string, string>();
    const resolve = async (name: string) => {
      const known = addresses.get(name) ?? `93.184.${addresses.size >> 8}.${addresses.size & 255}`;
      addresses.set(name, known);
      return [name === "keys.other.test" ? "8.8.8.8" : (sharedAddress ?? known)];
    };
    const outbound = createOutbound({ allowLoopback: false, dial: dialTo(port).dial, resolve });
    const ask = (host: string, canWait = false) =>
      problemOf(outbound.request({ ...limits, url: `https://${host}/`, canWait }));
    const askMany = (count: number, hostOf: (index: number) => string, canWait = false) =>
      Array.from({ length: count }, (_, index) => ask(hostOf(index), canWait));
    return { ask, askMany, answer: () => gate.resolve() };
  };
  const expectAnswered = async (responses: Promise<string>[]) =>
    expect(new Set(await Promise.all(responses))).toEqual(new Set(["none"]));

  test.each<[string, { sharedAddress?: string }, (index: number) => string]>([
    ["one name", {}, () => "keys.slow.example"],
    ["names of one domain", {}, (index) => `keys${index}.slow.example`],
    ["names of many domains at one address", { sharedAddress: publicAddress }, (index) => `keys.slow${index}.example`],
    [
      "names of many domains in one IPv6 network",
      { sharedAddress: "2606:4700::1" },
      (index) => `keys.slow${index}.example`,
    ],
  ])("%s: at most 32 places are used, and the others stay free", async (_what, where, hostOf) => {
    const { ask, askMany, answer } = await makeSlow(where);
    const slow = askMany(32, hostOf);
    expect(await ask(hostOf(32))).toBe("busy");
    const other = ask("keys.other.test");
    answer();
    await expectAnswered([...slow, other]);
    expect(await ask(hostOf(32))).toBe("none");
  });

  test("one name gets at most 8 places for work that can wait, and its other 24 places stay free", async () => {
    const { ask, askMany, answer } = await makeSlow();
    const slow = askMany(8, () => "keys.slow.example", true);
    expect(await ask("keys.slow.example", true)).toBe("busy");
    const urgent = askMany(24, () => "keys.slow.example");
    expect(await ask("keys.slow.example")).toBe("busy");
    answer();
    await expectAnswered([...slow, ...urgent]);
  });

  test("at most 64 places are for work that can wait, and 256 places exist in total", async () => {
    const { ask, askMany, answer } = await makeSlow();
    const slow = askMany(64, (index) => `keys.slow${index}.example`, true);
    expect(await ask("keys.more.test", true)).toBe("busy");
    const urgent = askMany(192, (index) => `keys.fast${index}.example`);
    expect(await ask("keys.more.test")).toBe("busy");
    answer();
    await expectAnswered([...slow, ...urgent]);
    expect(await ask("keys.more.test", true)).toBe("none");
  });

  test("names of one domain share their places during slow look-ups", async () => {
    const resolve = (name: string, signal: AbortSignal) =>
      name.endsWith(".slow.example")
        ? new Promise<string[]>((done) => signal.addEventListener("abort", () => done([])))
        : Promise.resolve([publicAddress]);
    const port = await serve((_request, response) => json(response, "{}"));
    const outbound = createOutbound({ allowLoopback: false, dial: dialTo(port).dial, resolve });
    const ask = (host: string, timeoutMilliseconds = 500) =>
      problemOf(outbound.request({ ...limits, timeoutMilliseconds, url: `https://${host}/` }));
    const slow = Array.from({ length: 300 }, (_, index) => ask(`keys${index}.slow.example`));
    expect(await ask("keys.example", 20_000)).toBe("none");
    const problems = await Promise.all(slow);
    expect(problems.filter((problem) => problem === "timed_out")).toHaveLength(32);
    expect(problems.filter((problem) => problem === "busy")).toHaveLength(268);
  });

  test("a name that resolves to another owner's IP address can't keep that address's places in use: a wrong certificate frees them", async () => {
    const port = await serve((_request, response) => json(response, "{}"));
    const refusing: Dial = async ({ tlsName, ...target }, signal) => {
      if (tlsName !== "keys.example") throw new Error("a certificate for another name");
      return dialAddress({ ...target, address: "127.0.0.1", port, tlsName: null }, signal);
    };
    const slow = dialTo(await serve(() => {})).dial;
    const dial: Dial = (target, signal) => (target.address === publicAddress ? refusing : slow)(target, signal);
    const outbound = createOutbound({
      allowLoopback: false,
      dial,
      resolve: async (name) => (name === "keys.example" ? [publicAddress] : [publicAddress, `8.8.8.${name.length}`]),
    });
    const ask = (host: string, timeoutMilliseconds = 1_000) =>
      problemOf(outbound.request({ ...limits, timeoutMilliseconds, url: `https://${host}/` }));
    const claiming = Array.from({ length: 40 }, (_, index) => ask(`keys.${"a".repeat(index + 1)}.test`));
    await new Promise((done) => setTimeout(done, 200));
    expect(await ask("keys.example", 20_000)).toBe("none");
    expect(new Set(await Promise.all(claiming))).toEqual(new Set(["timed_out"]));
  });
});
