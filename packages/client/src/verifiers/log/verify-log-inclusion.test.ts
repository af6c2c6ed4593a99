import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyLogInclusion } from "./verify-log-inclusion.ts";

/** The definitions of RFC 6962 §2.1 and §2.1.1, as they are written there. */
const sha256 = (...parts: Buffer[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();

const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

const treeHash = (entries: readonly Buffer[]): Buffer => {
  const [first] = entries;
  if (!first) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), first);
  const split = splitOf(entries.length);
  return sha256(Buffer.of(1), treeHash(entries.slice(0, split)), treeHash(entries.slice(split)));
};

const auditPath = (index: number, entries: readonly Buffer[]): Buffer[] => {
  if (entries.length === 1) return [];
  const split = splitOf(entries.length);
  return index < split
    ? [...auditPath(index, entries.slice(0, split)), treeHash(entries.slice(split))]
    : [...auditPath(index - split, entries.slice(split)), treeHash(entries.slice(0, split))];
};

const origin = "pay.example/directory/log";

type Signer = { name: string; privateKey: KeyObject; publicKey: Buffer };
const makeSigner = (name = origin): Signer => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { name, privateKey, publicKey: Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url") };
};
const log = makeSigner();
const witness = makeSigner("witness.example");

const typed = ({ publicKey }: Signer): Buffer => Buffer.concat([Buffer.of(1), publicKey]);
const keyId = (signer: Signer): Buffer => sha256(Buffer.from(`${signer.name}\n`), typed(signer)).subarray(0, 4);
const verifierKey = (signer: Signer): string =>
  `${signer.name}+${keyId(signer).toString("hex")}+${typed(signer).toString("base64")}`;
const signatureLine = (text: string, signer: Signer): string => {
  const signature = Buffer.concat([keyId(signer), sign(null, Buffer.from(text), signer.privateKey)]);
  return `— ${signer.name} ${signature.toString("base64")}\n`;
};
const makeCheckpoint = (entries: readonly Buffer[], signers: readonly Signer[] = [log], first = origin): string => {
  const text = `${first}\n${entries.length}\n${treeHash(entries).toString("base64")}\n`;
  return `${text}\n${signers.map((signer) => signatureLine(text, signer)).join("")}`;
};

const entriesOf = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, index) => Buffer.from(`{"type":"changed","version":${index}}`));

const inclusionOf = (entries: readonly Buffer[], index: number) => ({
  entry: new Uint8Array(entries[index] ?? Buffer.alloc(0)),
  index,
  treeSize: entries.length,
  proof: auditPath(index, entries).map((hash) => hash.toString("base64")),
  checkpoint: makeCheckpoint(entries),
  logKey: verifierKey(log),
});

describe("verifyLogInclusion", () => {
  test("accepts every entry of trees of 1 to 33 entries, and no entry at another index", async () => {
    for (let size = 1; size <= 33; size += 1) {
      const entries = entriesOf(size);
      for (let index = 0; index < size; index += 1) {
        const inclusion = inclusionOf(entries, index);
        expect(await verifyLogInclusion(inclusion)).toEqual({ origin, index, treeSize: size });
        const moved = verifyLogInclusion({ ...inclusion, index: (index + 1) % (size + 1) });
        await expect(moved).rejects.toMatchObject({ kind: "verification", code: "proof_mismatch" });
      }
    }
  });

  test("accepts the entry's text, and a checkpoint that witnesses also signed", async () => {
    const inclusion = inclusionOf(entriesOf(7), 3);
    const checkpoint = makeCheckpoint(entriesOf(7), [witness, log]);
    const entry = '{"type":"changed","version":3}';
    expect(await verifyLogInclusion({ ...inclusion, entry, checkpoint })).toMatchObject({ index: 3 });
  });

  const entries = entriesOf(9);
  const inclusion = inclusionOf(entries, 4);
  const { checkpoint, proof, logKey } = inclusion;
  const hash = sha256(Buffer.from("another")).toString("base64");
  test.each<[string, string, Partial<typeof inclusion>]>([
    ["another entry", "proof_mismatch", { entry: new Uint8Array(Buffer.from("{}")) }],
    ["a changed hash", "proof_mismatch", { proof: [hash, ...proof.slice(1)] }],
    ["a missing hash", "proof_mismatch", { proof: proof.slice(0, -1) }],
    ["an additional hash", "proof_mismatch", { proof: [...proof, hash] }],
    ["a hash of the wrong length", "malformed", { proof: ["AAAA", ...proof.slice(1)] }],
    ["a negative index", "proof_mismatch", { index: -1 }],
    ["an index outside the tree", "proof_mismatch", { index: 9 }],
    ["another tree size", "tree_size_mismatch", { treeSize: 8 }],
    [
      "a changed tree size in the checkpoint",
      "invalid_signature",
      { checkpoint: checkpoint.replace("\n9\n", "\n8\n") },
    ],
    [
      "a checkpoint that only a witness signed",
      "invalid_signature",
      { checkpoint: makeCheckpoint(entries, [witness]) },
    ],
    ["the key of another log", "invalid_signature", { logKey: verifierKey(makeSigner()) }],
    [
      "a checkpoint of another origin",
      "untrusted_issuer",
      { checkpoint: makeCheckpoint(entries, [log], "evil.example") },
    ],
    ["a key whose id is wrong", "malformed", { logKey: logKey.replace(/\+[0-9a-f]{8}\+/, "+00000000+") }],
    ["a checkpoint without signatures", "malformed", { checkpoint: checkpoint.split("\n\n")[0] ?? "" }],
  ])("refuses %s", async (_, code, changes) => {
    await expect(verifyLogInclusion({ ...inclusion, ...changes })).rejects.toMatchObject({ code });
  });
});
