import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Checkpoint, checkConsistency, readCheckpoint } from "./log-verifier.ts";

type Answer = { status: number; text: string };

const name = "witness.example/w1";

/** A key and the cosignatures that it makes (C2SP tlog-cosignature). */
const createCosigner = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const typed = Buffer.concat([Uint8Array.of(0x04), raw]);
  const id = createHash("sha256").update(`${name}\n`).update(typed).digest().subarray(0, 4);
  return {
    key: `${name}+${id.toString("hex")}+${typed.toString("base64")}`,
    /** @param body a checkpoint without signatures */
    cosign(body: string): string {
      const time = Math.floor(Date.now() / 1000);
      const stamp = Buffer.alloc(8);
      stamp.writeBigUInt64BE(BigInt(time));
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${body}`), privateKey);
      return `— ${name} ${Buffer.concat([id, stamp, signature]).toString("base64")}\n`;
    },
  };
};

/** The witness's operation `add-checkpoint` (C2SP tlog-witness). It stores the last checkpoint that it cosigned. */
const createWitness = (logKey: () => string | Promise<string>, cosign: (body: string) => string) => {
  let cosigned: Checkpoint | null = null;
  return async (request: string): Promise<Answer> => {
    const end = request.indexOf("\n\n");
    const [first = "", ...proofLines] = request.slice(0, end).split("\n");
    const note = request.slice(end + 2);
    const oldSize = Number(/^old (0|[1-9]\d*)$/.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(oldSize) || proofLines.length > 63) return { status: 400, text: "malformed\n" };
    const checkpoint = readCheckpoint(note, await logKey());
    if (oldSize > checkpoint.size) return { status: 400, text: "the old size is too large\n" };
    const known = cosigned ?? { ...checkpoint, size: 0 };
    if (oldSize !== known.size) return { status: 409, text: `${known.size}\n` };
    const proof = proofLines.map((line) => Buffer.from(line, "base64"));
    try {
      checkConsistency(known, checkpoint, proof);
    } catch {
      return { status: 422, text: "the proof doesn't verify\n" };
    }
    cosigned = checkpoint;
    return { status: 200, text: cosign(note.slice(0, note.indexOf("\n\n") + 1)) };
  };
};

/**
 * Starts a witness of one log on a loopback port (C2SP tlog-witness and tlog-cosignature).
 * @param logKey the log's key in note format.
 */
export const startWitness = async (logKey: () => string | Promise<string>) => {
  const { key, cosign } = createCosigner();
  const addCheckpoint = createWitness(logKey, cosign);
  const requests: string[] = [];
  let override: ((request: string) => Answer) | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const request = await text(incoming);
    requests.push(`${incoming.method} ${incoming.url} ${request.split("\n", 1)[0]}`);
    const answer = override?.(request) ?? (await addCheckpoint(request));
    if (answer.status === 409) outgoing.setHeader("content-type", "text/x.tlog.size");
    outgoing.writeHead(answer.status).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** the value of LOG_WITNESSES */
    setting: `http://127.0.0.1:${port}/submit/#${key}`,
    /** method, path and first line of each request since the last call */
    takeRequests: () => requests.splice(0),
    /** from now on, the witness sends the results of `answer`; null restores its own answers */
    answerWith(answer: ((request: string) => Answer) | null) {
      override = answer;
    },
    cosign,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
