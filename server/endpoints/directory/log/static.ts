import { z } from "zod";
import { acceptsGzip } from "../../../contract/accept.ts";
import { cacheable } from "../../../contract/cacheable.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import {
  findPublishedBundle,
  findPublishedTile,
  getCheckpoint,
  getVerifierKey,
} from "../../../directory/log/published-log.ts";
import { entriesLevel, parseTilePath } from "../../../directory/rules/log/tiles.ts";
import { sha256Base64url } from "../../../kernel/crypto/hash.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { notModified, publicContract } from "../contract.ts";

const textType = "text/plain; charset=utf-8";
const bytesType = "application/octet-stream";
const checkpointCaching = "public, max-age=1";
const tileCaching = "public, max-age=31536000, immutable";
const etagOf = (body: string | Uint8Array): string => `"${sha256Base64url(body)}"`;

const contract = { ...publicContract, tag: "Transparency log", standards: ["C2SP tlog-tiles"] } as const;
const unpublished = ["temporarily_unavailable"] as const;

export const logCheckpointEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/log/checkpoint",
  operationId: "getLogCheckpoint",
  summary: "Read the latest checkpoint of the directory's transparency log: size and root hash, as a signed note",
  standards: ["C2SP tlog-checkpoint", "C2SP signed-note", "C2SP tlog-cosignature"],
  errorCodes: [...unpublished],
  request: {},
  responses: {
    200: {
      description: "A signed note, with the cosignatures of the witnesses that have answered",
      contentType: "text/plain",
      schema: z.string(),
      example:
        "pay.example/directory/log\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— pay.example/directory/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n",
      headers: { etag: "Entity tag of the checkpoint", "cache-control": checkpointCaching },
    },
    304: notModified,
  },
  async handle({ deps, request }) {
    const { note, cosignatures } = await getCheckpoint(deps);
    const body = note + cosignatures;
    return cacheable(request, { body, etag: etagOf(body), contentType: textType, cacheControl: checkpointCaching });
  },
});

export const logKeyEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/log/key",
  operationId: "getLogKey",
  summary: "Read the key that verifies checkpoints, in note format: name+hash+base64",
  standards: ["C2SP signed-note"],
  errorCodes: [...unpublished],
  request: {},
  responses: {
    200: {
      description: "A verifier key",
      contentType: "text/plain",
      schema: z.string(),
      example: "pay.example/directory/log+033de0ae+ATm9VAO3H3zzP4m0zRpTOmPPcZ1Ja2zyMZkGMYhGZkMI",
      headers: { etag: "Entity tag of the key", "cache-control": "public, max-age=300" },
    },
    304: notModified,
  },
  async handle({ deps, request }) {
    const body = await getVerifierKey(deps);
    const cacheControl = "public, max-age=300";
    return cacheable(request, { body, etag: etagOf(body), contentType: textType, cacheControl });
  },
});

const tileNotFound = () =>
  new DomainError("not_found", {
    code: "tile_not_found",
    message: "The published tree doesn't have this tile. Read the latest checkpoint.",
    headers: { "cache-control": "no-store" },
  });

/** @returns null if it isn't the name of a level. */
const toLevel = (text: string): number | null => {
  if (text === "entries") return entriesLevel;
  return /^(0|[1-9]\d?)$/.test(text) && Number(text) <= 63 ? Number(text) : null;
};

export const logTileEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/log/tile/{level}/{number}",
  takesRest: true,
  operationId: "getLogTile",
  summary: "Read a tile of the log: hashes of one level of the tree, or the entries themselves",
  errorCodes: ["tile_not_found", ...unpublished],
  request: {
    params: z.object({
      level: z.string().describe("0 to 63; `entries` for the entries").meta({ example: "0" }),
      number: z
        .string()
        .describe("Index in groups of three digits, such as x001/x234/067; `.p/` and a width for a partial tile")
        .meta({ example: "000.p/42" }),
    }),
  },
  responses: {
    200: {
      description: "256 hashes of 32 bytes; or entries, each preceded by its length. Partial tiles have fewer",
      contentType: bytesType,
      schema: z.string(),
      example: "…",
      headers: { etag: "Entity tag of the tile", "cache-control": tileCaching, vary: "Accept-Encoding for entries" },
    },
    304: notModified,
  },
  async handle({ deps, request }, { params }) {
    const level = toLevel(params.level);
    const place = parseTilePath(params.number);
    if (level === null || place === null) throw tileNotFound();
    const isCompressed = level === entriesLevel && acceptsGzip(request.headers.get("accept-encoding"));
    const body = isCompressed
      ? await findPublishedBundle(deps, place)
      : await findPublishedTile(deps, { level, ...place });
    if (!body) throw tileNotFound();
    // An entity tag names one encoding (RFC 9110 §8.8.3.3).
    const vary = level === entriesLevel ? { vary: "accept-encoding" } : {};
    const content = { body, etag: etagOf(body), contentType: bytesType, cacheControl: tileCaching, ...vary };
    const reply = cacheable(request, content);
    const isWhole = reply.status === 200 && isCompressed;
    return isWhole ? { ...reply, headers: { ...reply.headers, "content-encoding": "gzip" } } : reply;
  },
});
