import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { createClient, Hang, type Outgoing } from "../malformed/connection.ts";
import { judge } from "../malformed/judge.ts";
import { type Figures, type Finding, sendMalformed } from "../malformed/run.ts";
import { send } from "../support/answers/wire.ts";
import { ownService } from "../support/own-service.ts";
import { listRole } from "../support/processes.ts";

/**
 * The same seed gives the same requests. A long run: MALFORMED_REQUESTS=100000 MALFORMED_SEED=7. One case again:
 * MALFORMED_SEED=7 MALFORMED_CASE=4711
 */
const total = Number(process.env["MALFORMED_REQUESTS"] ?? 4_000);
const seed = Number(process.env["MALFORMED_SEED"] ?? 1);
const only = process.env["MALFORMED_CASE"];

/** Memory that the web processes together may gain after warming up. */
const growthMegabytes = 500;

describe("the driver detects", () => {
  const requestOf = (method: string): string => `${method} / HTTP/1.1\r\nhost: here.test\r\n\r\n`;
  const get: Outgoing = { pieces: [Buffer.from(requestOf("GET"))], method: "GET", isWhole: true };
  const exchangeWithFake = async (answer: RequestListener, outgoing: Outgoing, patienceMilliseconds?: number) => {
    const server = createServer(answer);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, patienceMilliseconds);
    try {
      return (await client.exchange(outgoing)).answers;
    } finally {
      client.close();
      server.closeAllConnections();
      server.close();
    }
  };
  const sendToFake = async (answer: RequestListener, patienceMilliseconds?: number) =>
    (await exchangeWithFake(answer, get, patienceMilliseconds)).map((each) =>
      judge(each, { operation: null, method: "GET" }),
    );
  const soundHeaders = { "x-request-id": `req_${"a".repeat(24)}`, "content-type": "application/json" };

  test("a server error", async () => {
    expect(await sendToFake((_, outgoing) => void outgoing.writeHead(500, soundHeaders).end("{}"))).toEqual(["500"]);
  });

  test("an answer without a request id", async () => {
    expect(await sendToFake((_, outgoing) => void outgoing.end())).toEqual(["200 without a request id"]);
  });

  test("a refusal in an unknown shape", async () => {
    const [problem] = await sendToFake((_, outgoing) => void outgoing.writeHead(400, soundHeaders).end("{}"));
    expect(problem).toMatch(/^400 in an unknown shape/);
  });

  test("that the answer to HEAD has no body, but the chunked answer to the next GET has one", async () => {
    const pieces = [Buffer.from(requestOf("HEAD") + requestOf("GET"))];
    const inChunks: RequestListener = (_, outgoing) => {
      outgoing.write("half of it, ");
      outgoing.end("and the other");
    };
    const answers = await exchangeWithFake(inChunks, { pieces, method: "HEAD", isWhole: false });
    expect(answers.map(({ body }) => body.toString())).toEqual(["", "half of it, and the other"]);
  });

  test("a missing answer", async () => {
    await expect(sendToFake(() => {}, 300)).rejects.toBeInstanceOf(Hang);
  });

  test("an incomplete answer", async () => {
    await expect(sendToFake((_, outgoing) => void outgoing.write("half of it"), 300)).rejects.toBeInstanceOf(Hang);
  });
});

describe(`${total} malformed requests to every documented operation (MALFORMED_SEED=${seed})`, () => {
  // This log contains only faults.
  const own = ownService({ WEB_CONCURRENCY: "2", LOG_LEVEL: "error" });
  let figures: Figures;
  const memory: number[] = [];

  /** Resident memory of all web processes together, in megabytes; 0 where the system doesn't report it. */
  const readMemory = async (): Promise<void> => {
    const sizes = (await listRole(own.instance.dataDirectory, "web")).map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
    });
    memory.push(Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)));
  };

  beforeAll(async () => {
    const service = { baseUrl: own.sandboxUrl, statusUrl: own.variables["E2E_STATUS_URL"] ?? "", clients: 16 };
    if (only === undefined) await sendMalformed({ ...service, seed: 0, total: Math.max(1_000, total / 20) });
    await readMemory();
    const chosen = only === undefined ? {} : { only: Number(only) };
    figures = await sendMalformed({ ...service, seed, total, onProgress: readMemory, ...chosen });
    await readMemory();
  }, 3_600_000);

  const describeFinding = ({ caseNumber, title, problem, sent }: Finding): string =>
    `MALFORMED_SEED=${seed} MALFORMED_CASE=${caseNumber} (${title}): ${problem}\n${JSON.stringify(sent)}`;

  /**
   * Faults that no request causes. The status process reads its board on its own schedule, so its transactions can time
   * out. A document can take longer than its limit, and the worker draws it again. PostgreSQL can be slow to accept a
   * connection.
   */
  const isOfBusyMachine = (line: string): boolean =>
    (line.includes('"role":"status"') && line.includes("Transaction API error")) ||
    line.includes("the PDF thread timed out") ||
    line.includes("Connection terminated due to connection timeout");

  test("answers each request within 15 seconds with a request id, in its endpoint's shape and without a server error, or closes the connection", () => {
    const { findings, ...counts } = figures;
    console.log(JSON.stringify({ seed, ...counts, memory }));
    expect(findings.map(describeFinding).join("\n\n")).toBe("");
  });

  test("the service stays ready and logs no fault", async () => {
    expect((await send(`${own.sandboxUrl}/readyz`)).status).toBe(200);
    const errors = own.instance.output().match(/"level":"error".*/g) ?? [];
    expect(errors.filter((line) => !isOfBusyMachine(line))).toEqual([]);
  });

  test("the memory of the web processes doesn't grow with the requests", () => {
    expect((memory.at(-1) ?? 0) - (memory[0] ?? 0)).toBeLessThan(growthMegabytes);
  });
});
