import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { problemReply } from "../../contract/problem.ts";
import type { Log } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { machineHeaders } from "../security-headers.ts";

/** Errors of Node's parser: an invalid request, or one that took too long. */
const unreadableRefusal = (code: string | undefined): DomainError => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new DomainError("invalid", {
        code: "headers_too_large",
        message: "The headers are larger than 48 KiB. Send fewer or shorter ones.",
      });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new DomainError("invalid", {
        code: "body_too_large",
        message: "The body's chunk extensions are larger than 16 KiB. Send the body without them.",
      });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new DomainError("invalid", { code: "request_timeout", message: "The request timed out. Send it again." });
    default:
      return new DomainError("invalid", {
        code: "invalid_request",
        message: "The request is not HTTP/1.1 (RFC 9112).",
      });
  }
};

/** How long a caller may take to read the response; data that it sends during this time is dropped (RFC 9112 §9.6). */
const lingerMilliseconds = 1_000;

/** Answers a request that couldn't be parsed, so its endpoint is unknown, and closes the connection. */
export const answerUnreadable = (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { baseUrl, log }: { baseUrl: string; log: Log },
): void => {
  // Data after the refused bytes can't be read either.
  if (socket.writableEnded && error.code !== "ECONNRESET") return;
  // Never write into a response that was started. Node's own handler checks the same property.
  const underWay = Reflect.get(socket, "_httpMessage") as { headersSent: boolean } | null | undefined;
  if (error.code === "ECONNRESET" || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const requestId = newId("req");
  const { status, headers, contentType, body } = problemReply(unreadableRefusal(error.code), baseUrl);
  log.info({ requestId, status, code: error.code }, "unreadable request");
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    ...machineHeaders(baseUrl.startsWith("https:")),
    "x-request-id": requestId,
    "content-type": contentType,
    "content-length": Buffer.byteLength(text),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}`);
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", text].join("\r\n"));
};
