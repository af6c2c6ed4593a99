import { createHash, createPublicKey, verify } from "node:crypto";

/**
 * A verifier of transparency logs. It implements C2SP signed-note, tlog-checkpoint and tlog-tiles, and the proof
 * verification of RFC 6962 and RFC 9162, and shares no code with the service.
 */
export type Checkpoint = { origin: string; size: number; root: Buffer };

/** Reads a file below the log's prefix; null if it doesn't exist. */
export type FetchFile = (path: string) => Promise<Buffer | null>;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
};
const hashLeaf = (entry: Uint8Array) => sha256(Uint8Array.of(0x00), entry);
const hashPair = (left: Uint8Array, right: Uint8Array) => sha256(Uint8Array.of(0x01), left, right);

const fail = (reason: string): never => {
  throw new Error(reason);
};

/** The Merkle Tree Hash of a list of leaf hashes, computed recursively as RFC 6962 defines it. */
const treeHash = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length < 2) return leaves[0] ?? sha256();
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return hashPair(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
};

/** Root of the tree of the entries. */
export const treeHashOf = (entries: readonly Uint8Array[]): Buffer => treeHash(entries.map(hashLeaf));

/** @param text `name+hash+base64`. @throws Error if `hash` isn't the key id of the name and the key. */
const parseKey = (text: string): { name: string; id: Buffer; publicKey: Buffer } => {
  const [name = "", id = "", ...rest] = text.trimEnd().split("+");
  const typed = Buffer.from(rest.join("+"), "base64");
  const expected = sha256(Buffer.from(name), Uint8Array.of(0x0a), typed).subarray(0, 4);
  if (typed.length !== 33 || typed[0] !== 0x01) fail("the key is not an Ed25519 key");
  if (expected.toString("hex") !== id) fail("the key has another id");
  return { name, id: expected, publicKey: typed.subarray(1) };
};

/** @throws Error unless the note is a checkpoint that the key signed. */
export const readCheckpoint = (note: string, keyText: string): Checkpoint => {
  const key = parseKey(keyText);
  const blank = note.lastIndexOf("\n\n");
  if (blank < 0 || !note.endsWith("\n")) fail("the note has no signatures");
  const text = note.slice(0, blank + 1);
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  if (origin !== key.name) fail("the checkpoint is from another log");
  if (!/^(0|[1-9]\d*)$/.test(size)) fail("the tree size is not a decimal number");
  if (extensions.length > 0) fail("there are extension lines");
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key.publicKey]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  const lines = note.slice(blank + 2, -1).split("\n");
  const isSigned = lines.some((line) => {
    const [dash, name, signature = ""] = line.split(" ");
    const bytes = Buffer.from(signature, "base64");
    if (dash !== "—" || name !== key.name || !bytes.subarray(0, 4).equals(key.id)) return false;
    return verify(null, Buffer.from(text), publicKey, bytes.subarray(4)) || fail("the signature is wrong");
  });
  if (!isSigned) fail("the log did not sign the checkpoint");
  return { origin, size: Number(size), root: Buffer.from(root, "base64") };
};

/** `tile/<L>/<N>[.p/<W>]`. */
export const tilePath = (level: number | "entries", index: number, width: number): string => {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${path}${width < 256 ? `.p/${width}` : ""}`;
};

const readBundle = (bundle: Buffer): Buffer[] => {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; ) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) fail("an entry is cut off");
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
};

const fetchTile = async (fetchFile: FetchFile, level: number | "entries", { index, width }: Tile) => {
  const path = tilePath(level, index, width);
  return (await fetchFile(path)) ?? fail(`${path} is missing`);
};

type Tile = { index: number; width: number };
/** The tiles of a level that has `count` hashes. */
const tilesOf = (count: number): Tile[] =>
  Array.from({ length: Math.ceil(count / 256) }, (_, index) => ({ index, width: Math.min(256, count - index * 256) }));

/**
 * Downloads all entries and tiles of a checkpoint's tree, and compares them with each other and with the root.
 * @returns the entries. @throws Error that names the first difference.
 */
export const readWholeLog = async (fetchFile: FetchFile, { size, root }: Checkpoint): Promise<Buffer[]> => {
  const entries: Buffer[] = [];
  for (const tile of tilesOf(size)) {
    const bundle = readBundle(await fetchTile(fetchFile, "entries", tile));
    if (bundle.length !== tile.width) fail(`bundle ${tile.index} has ${bundle.length} entries`);
    entries.push(...bundle);
  }
  let hashes = entries.map(hashLeaf);
  if (!treeHash(hashes).equals(root)) fail("the entries don't have the root of the checkpoint");
  for (let level = 0; hashes.length > 0; level += 1) {
    const above: Buffer[] = [];
    for (const tile of tilesOf(hashes.length)) {
      const own = hashes.slice(tile.index * 256, tile.index * 256 + tile.width);
      if (!(await fetchTile(fetchFile, level, tile)).equals(Buffer.concat(own)))
        fail(`tile ${tile.index} of level ${level} differs`);
      if (tile.width === 256) above.push(treeHash(own));
    }
    hashes = above;
  }
  return entries;
};

/** RFC 9162 §2.1.3.2. @throws Error if the proof doesn't lead to the root. */
export const checkInclusion = (
  entry: Uint8Array,
  { index, proof }: { index: number; proof: readonly Buffer[] },
  { size, root }: Checkpoint,
): void => {
  if (index >= size) fail("the entry is not in the tree");
  let [node, last, hash] = [index, size - 1, hashLeaf(entry)];
  for (const sibling of proof) {
    if (last === 0) fail("the proof is too long");
    if (node % 2 === 1 || node === last) {
      hash = hashPair(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else hash = hashPair(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !hash.equals(root)) fail("the proof doesn't lead to the root");
};

/** RFC 9162 §2.1.4.2. @throws Error if the proof doesn't lead to both roots. */
export const checkConsistency = (earlier: Checkpoint, later: Checkpoint, proof: readonly Buffer[]): void => {
  if (earlier.size === later.size || earlier.size === 0) {
    if (proof.length > 0 || (earlier.size > 0 && !earlier.root.equals(later.root))) fail("the trees differ");
    return;
  }
  const isPowerOfTwo = Number.isInteger(Math.log2(earlier.size));
  const [first, ...rest] = isPowerOfTwo ? [earlier.root, ...proof] : proof;
  if (!first) throw new Error("the proof is empty");
  let [node, last] = [earlier.size - 1, later.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [ofEarlier, ofLater] = [first, first];
  for (const hash of rest) {
    if (last === 0) fail("the proof is too long");
    if (node % 2 === 1 || node === last) {
      [ofEarlier, ofLater] = [hashPair(hash, ofEarlier), hashPair(hash, ofLater)];
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else ofLater = hashPair(ofLater, hash);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !ofEarlier.equals(earlier.root) || !ofLater.equals(later.root))
    fail("the proof doesn't lead to both roots");
};
