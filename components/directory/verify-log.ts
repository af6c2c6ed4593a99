/** A Node program without dependencies that checks the log's latest entry. @param directory DISCOVERY_URL */
export const verifyLogProgram = (directory: string): string => `import assert from "node:assert";
import { createHash, createPublicKey, verify } from "node:crypto";

const directory = ${JSON.stringify(directory)};
const read = async (path) => Buffer.from(await (await fetch(directory + path)).arrayBuffer());
const text = async (path) => (await read(path)).toString();

// 1. The log's key signed the size and the root hash of the tree.
const [body, signatures] = (await text("/log/checkpoint")).split("\\n\\n");
const [name, id, ...rest] = (await text("/log/key")).trim().split("+");
const x = Buffer.from(rest.join("+"), "base64").subarray(1).toString("base64url");
const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
const line = signatures.split("\\n").find((one) => one.startsWith("\\u2014 " + name + " "));
const signature = Buffer.from(line.split(" ")[2], "base64");
assert.equal(signature.subarray(0, 4).toString("hex"), id);
assert(verify(null, Buffer.from(body + "\\n"), key, signature.subarray(4)));

// 2. The latest entry, from the tile with the last entries.
const size = Number(body.split("\\n")[1]);
const index = size - 1;
const groups = String(Math.floor(index / 256)).replace(/\\B(?=(\\d{3})+$)/g, ",").split(",");
const tile = groups.map((group) => "x" + group.padStart(3, "0")).join("/").replace(/x(\\d+)$/, "$1");
const entries = await read("/log/tile/entries/" + tile + (size % 256 === 0 ? "" : ".p/" + (size % 256)));
let at = 0;
for (let skipped = 0; skipped < index % 256; skipped++) at += 2 + entries.readUInt16BE(at);
const entry = entries.subarray(at + 2, at + 2 + entries.readUInt16BE(at));

// 3. The entry and its proof give the signed root hash (RFC 9162 section 2.1.3.2).
const address = "/v1/log/proofs/inclusion?index=" + index + "&tree_size=" + size;
const { proof } = JSON.parse(await text(address));
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
let [node, last, hash] = [index, size - 1, sha256(Buffer.of(0), entry)];
for (const other of proof.map((one) => Buffer.from(one, "base64"))) {
  if (node % 2 === 1 || node === last) {
    hash = sha256(Buffer.of(1), other, hash);
    while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
  } else hash = sha256(Buffer.of(1), hash, other);
  [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
}
assert.equal(hash.toString("base64"), body.split("\\n")[2]);
console.log("Verified entry", index, entry.toString());
`;
