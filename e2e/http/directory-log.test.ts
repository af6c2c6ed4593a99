import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { verifyLogInclusion } from "#client";
import { verifyLogProgram } from "#components/directory/verify-log.ts";
import { expectFieldProblem, expectProblem } from "../support/answers/error-shape.ts";
import { send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { participantOf, registerAgent } from "../support/oauth/parties.ts";
import {
  checkConsistency,
  checkInclusion,
  readCheckpoint,
  readWholeLog,
  tilePath,
} from "../support/peers/log-verifier.ts";

// server/directory/log/log.db.test.ts tests races, crashes and tampering.

const { sandboxUrl } = currentInstance();
const directory = `${sandboxUrl}/directory`;
const log = `${directory}/log`;

const fetchFile = async (path: string): Promise<Buffer | null> => {
  const response = await fetch(`${log}/${path}`);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
};
const latest = async () => readCheckpoint((await send(`${log}/checkpoint`)).text, (await send(`${log}/key`)).text);
/** The input of `verifyLogInclusion` of the client package, read only from the directory. */
const inclusionOf = async (entry: Buffer, index: number) => {
  const [checkpoint, logKey] = [(await send(`${log}/checkpoint`)).text, (await send(`${log}/key`)).text];
  const treeSize = readCheckpoint(checkpoint, logKey).size;
  const hashes = await proofOf(`inclusion?index=${index}&tree_size=${treeSize}`);
  const proof = hashes.map((hash) => hash.toString("base64"));
  return { entry: new Uint8Array(entry), index, treeSize, proof, checkpoint, logKey };
};
const proofOf = async (query: string): Promise<Buffer[]> => {
  const { json } = await send(`${directory}/v1/log/proofs/${query}`);
  return ((json?.["proof"] ?? []) as string[]).map((hash) => Buffer.from(hash, "base64"));
};

const verifyWith = async (program: string): Promise<string> => {
  const running = promisify(execFile)(process.execPath, ["--input-type=module", "-"]);
  running.child.stdin?.end(program);
  return (await running).stdout;
};

describe("the program of the page /directory/log (docs/spec/directory.md, Pages)", () => {
  const program = verifyLogProgram(directory);

  test("verifies the latest entry of the log", async () => {
    expect(await verifyWith(program)).toMatch(/^Verified entry \d+ \{.*"type":"participant\.\w+"/);
  });

  test("fails if the entry or the root hash isn't the one that was signed", async () => {
    const otherEntry = program.replace("sha256(Buffer.of(0), entry)", "sha256(Buffer.of(0), entry.subarray(1))");
    const otherRoot = program.replace("Buffer.from(body +", "Buffer.from('x' + body +");
    expect(new Set([program, otherEntry, otherRoot]).size).toBe(3);
    await expect(verifyWith(otherEntry)).rejects.toThrow("AssertionError");
    await expect(verifyWith(otherRoot)).rejects.toThrow("AssertionError");
  });
});

describe("the directory's transparency log (docs/spec/directory.md, Transparency log)", () => {
  // Measured in real time. Other load on the machine may delay one measurement, but is unlikely to delay all three.
  test("publishes a change within 5 s; an independent verifier accepts checkpoint, tiles and proofs", {
    retry: 2,
  }, async () => {
    const before = await latest();
    expect(before.origin).toBe(`${new URL(sandboxUrl).host}/directory/log`);
    const agent = await registerAgent(sandboxUrl);
    const changedAt = performance.now();
    const id = await participantOf(sandboxUrl, agent.id);
    const history = await send(`${directory}/v1/participants/${id}/history`);
    const [version] = (history.json?.["data"] ?? []) as { log_index: number; document_sha256: string }[];
    const index = version?.log_index ?? -1;
    let head = await latest();
    while (head.size <= index && performance.now() - changedAt < 10_000) {
      await sleep(100);
      head = await latest();
    }
    expect(performance.now() - changedAt).toBeLessThan(5_000);
    const entries = await readWholeLog(fetchFile, head);
    const entry = entries[index] ?? Buffer.alloc(0);
    expect(JSON.parse(String(entry))).toMatchObject({
      type: "participant.registered",
      participant_id: id,
      document_sha256: version?.document_sha256,
    });
    const proof = await proofOf(`inclusion?index=${index}&tree_size=${head.size}`);
    checkInclusion(entry, { index, proof }, head);
    await verifyLogInclusion(await inclusionOf(entry, index));
    checkConsistency(before, head, await proofOf(`consistency?from=${before.size}&to=${head.size}`));
  });

  test("lets caches keep the checkpoint for seconds and tiles for a year, and allows any origin (C2SP tlog-tiles)", async () => {
    const checkpoint = await send(`${log}/checkpoint`, { headers: { origin: "https://other.example" } });
    expect(checkpoint.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(checkpoint.headers.get("cache-control")).toBe("public, max-age=1");
    const { size } = await latest();
    const width = Math.min(size, 256);
    for (const path of [tilePath(0, 0, width), tilePath("entries", 0, width), tilePath(0, 0, 1)]) {
      const tile = await send(`${log}/${path}`, { headers: { origin: "https://other.example" } });
      expect([tile.status, tile.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
      expect(tile.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(tile.headers.get("access-control-allow-origin")).toBe("*");
      const again = await send(`${log}/${path}`, { headers: { "if-none-match": tile.headers.get("etag") ?? "" } });
      expect(again.status).toBe(304);
    }
  });

  test("compresses entries, but not hashes, for readers that accept gzip", async () => {
    const path = tilePath("entries", 0, 1);
    const [gzip, plain] = await Promise.all(
      ["gzip", "identity"].map((encoding) => fetch(`${log}/${path}`, { headers: { "accept-encoding": encoding } })),
    );
    expect([gzip?.headers.get("content-encoding"), plain?.headers.get("content-encoding")]).toEqual(["gzip", null]);
    expect(gzip?.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
    const digest = async (response: Response | undefined) =>
      createHash("sha256")
        .update(new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer(0)))
        .digest("hex");
    expect(await digest(gzip)).toBe(await digest(plain));
    const hashes = await fetch(`${log}/${tilePath(0, 0, 1)}`, { headers: { "accept-encoding": "gzip" } });
    expect(hashes.headers.get("content-encoding")).toBeNull();
  });

  test.each([
    "tile/0/999",
    "tile/0/000.p/256",
    "tile/0/000.p/0",
    "tile/0/x000/000",
    "tile/00/000",
    "tile/64/000",
    "tile/0/0",
  ])("answers %s with a 404 that isn't cached", async (path) => {
    const answer = await send(`${log}/${path}`);
    expectProblem(answer, 404, "tile_not_found");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["#tree_size", "inclusion?index=0"],
    ["#tree_size", "inclusion?index=0&tree_size=99999999"],
    ["#index", "inclusion?index=1&tree_size=1"],
    ["#index", "inclusion?index=-1&tree_size=1"],
    ["#from", "consistency?from=2&to=1"],
    ["#to", "consistency?from=1&to=99999999"],
    ["#size", "consistency?from=1&to=1&size=1"],
  ])("names the parameter %s of an invalid request for a proof: %s", async (pointer, query) => {
    expectFieldProblem(await send(`${directory}/v1/log/proofs/${query}`), pointer);
  });
});
