import { isStatus, type Operation } from "../support/answers/openapi-operations.ts";
import type { Outgoing } from "./connection.ts";
import { headersNamed, type Message, type SerializedRequest } from "./http-message.ts";
import { cut, spoilBytes, writeInOrder } from "./mutations/mutate-bytes.ts";
import { mutateMessage } from "./mutations/mutate-message.ts";
import { createRandom, type Random } from "./random.ts";
import { makeValid, type Prerequisites } from "./valid-requests.ts";

const page = (path: string): Operation => ({
  title: `GET ${path}`,
  method: "GET",
  path,
  allowed: ["GET", "HEAD"],
  security: "none",
  content: null,
  body: { members: [], example: {} },
  maxBodyBytes: 64 * 1024,
  queryParameters: [],
  pathParameters: [],
  errorShape: "page",
});

/** Pages, and the procedures that pages call. They are tested in addition to the documented operations. */
const pages: readonly Operation[] = [
  ...["/", "/sign-in", "/demo", "/wallet", "/docs", "/consent/{handle}"].map(page),
  page("/api/trpc/wallet.mandates"),
  page("/api/trpc/wallet.mandate?input=%7B%22mandateId%22%3A%22mdt_unknown%22%7D"),
  { ...page("/api/trpc/wallet.revoke"), method: "POST", content: "application/json" },
];

export type Case = {
  title: string;
  outgoing: Outgoing;
  /** the required error shape of the response; null: any error shape of Paygrant */
  operation: Operation | null;
  isForStatus: boolean;
  /** what is sent, for display */
  written: SerializedRequest;
};

type Place = { baseUrl: string; statusUrl: string; operations: readonly Operation[]; at: Prerequisites };

/**
 * Makes one case: `seed` and `number` decide what is damaged and how. Tokens, keys and ids differ in each run.
 */
export const makeCase = async (seed: number, number: number, place: Place): Promise<Case> => {
  const random = createRandom(seed, number);
  const chosen = random.chance(4) ? null : random.pick(place.operations);
  const meant = chosen ?? random.pick(pages);
  const origin = isStatus(meant) ? place.statusUrl : place.baseUrl;
  const valid = await makeValid(meant, { baseUrl: origin, at: place.at }, random);
  const { message, written } = spoil(valid, random);
  const isSure = written.isWhole && isRoutedAs(message, valid);
  return {
    title: meant.title,
    outgoing: {
      pieces: cut(written, random),
      method: /^([A-Z]+) /.exec(written.head)?.[1] ?? message.method,
      isWhole: written.isWhole,
    },
    operation: isSure ? chosen : null,
    isForStatus: isStatus(meant),
    written,
  };
};

/** In one of five cases octets are damaged, mostly as the only fault. */
const spoil = (valid: Message, random: Random): { message: Message; written: SerializedRequest } => {
  const isSpoilt = random.chance(20);
  const message = isSpoilt && random.chance(70) ? valid : mutateMessage(valid, random);
  return { message, written: isSpoilt ? spoilBytes(message, random) : writeInOrder(message, random) };
};

const knownMethods = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** Whether a message certainly reaches the intended endpoint, so that the response must have that endpoint's shape. */
const isRoutedAs = (message: Message, valid: Message): boolean => {
  const pathOf = ({ target }: Message) => target.split("?", 1)[0];
  const [host, ...more] = headersNamed(message, "host");
  return (
    pathOf(message) === pathOf(valid) &&
    more.length === 0 &&
    host === headersNamed(valid, "host")[0] &&
    knownMethods.has(message.method)
  );
};
