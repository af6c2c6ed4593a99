import { ProblemError, RequestError } from "../errors/errors.ts";
import type { Answer } from "./answer.ts";
import { type CallOptions, type Deadline, withDeadline } from "./call-options.ts";
import { readProblem } from "./read-problem.ts";

type Outgoing = {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string;
};

const maxAttempts = 4;
const firstPauseMs = 250;
/** The service sends no larger response, not even a status list. */
const maxBytes = 8_388_608;

const readText = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new RequestError("invalid_response", `The response is larger than ${maxBytes} bytes.`);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
};

/** Why no response arrived. */
const toRequestError = (error: unknown, deadline: Deadline): RequestError => {
  if (error instanceof RequestError) return error;
  if (deadline.isAbortedByCaller())
    return new RequestError("aborted", "The caller ended the request.", { cause: error });
  if (deadline.signal.aborted) return new RequestError("timed_out", "The request timed out.", { cause: error });
  return new RequestError("network_error", "The request got no response.", { cause: error });
};

/** One request. Redirects are refused: they could lead credentials to another host. */
const sendOnce = async ({ method, url, headers = {}, body }: Outgoing, deadline: Deadline): Promise<Answer> => {
  try {
    const init = { method, headers, redirect: "error", credentials: "omit", signal: deadline.signal } as const;
    // Called without a receiver, because browsers refuse to call the global fetch as a method of another object.
    const { fetch } = deadline;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    return { status: response.status, headers: response.headers, text: await readText(response) };
  } catch (error) {
    throw toRequestError(error, deadline);
  }
};

/**
 * Whether the server asks for a later retry with `Retry-After`: a rate limit is reached, the server is unavailable, or
 * another request with this idempotency key is running.
 */
const isPostponed = (error: unknown): error is ProblemError =>
  error instanceof ProblemError &&
  error.problem.retryAfterSeconds !== null &&
  (error.problem.status === 429 || error.problem.status === 503 || error.code === "idempotency_key_in_use");

/**
 * Whether the server may have carried out the request: no response arrived, or the server lost the connection to its
 * database and doesn't know whether the transaction was committed.
 */
const isUncertain = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.code === "network_error"
    : isPostponed(error) && error.problem.status === 503 && error.code === "temporarily_unavailable";

/**
 * The delay before a retry. It grows exponentially and has jitter, so that callers that failed at the same time don't
 * retry at the same time. It is at least as long as Retry-After.
 */
const pauseMs = (error: unknown, attempt: number): number => {
  const least = isPostponed(error) ? (error.problem.retryAfterSeconds ?? 0) * 1000 : 0;
  return least + firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
};

const pause = (milliseconds: number, deadline: Deadline): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(toRequestError(deadline.signal.reason, deadline));
    };
    const timer = setTimeout(() => {
      deadline.signal.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    deadline.signal.addEventListener("abort", end, { once: true });
    if (deadline.signal.aborted) end();
  });

type Sending = {
  /** called for each attempt, because an assertion or a proof is valid only once */
  prepare: () => Promise<Outgoing>;
  /**
   * whether the request can be repeated after a lost response, because it only reads, or because the server then
   * returns the first outcome
   */
  isRepeatable: boolean;
  /**
   * called with each response before its status is checked; if it returns true for the first response of an attempt,
   * the request is repeated immediately
   */
  observe?: (answer: Answer) => boolean;
};

const attemptOnce = async ({ prepare, observe }: Sending, deadline: Deadline): Promise<Answer> => {
  const answer = await sendOnce(await prepare(), deadline);
  const again = observe?.(answer) ?? false;
  const last = again ? await sendOnce(await prepare(), deadline) : answer;
  if (again) observe?.(last);
  if (last.status >= 400) throw readProblem(last);
  return last;
};

/**
 * Sends a request, and repeats it only where that is safe.
 * @throws ProblemError for a status of 400 or above; RequestError if no usable response arrives.
 */
export const send = (sending: Sending, options: CallOptions): Promise<Answer> =>
  withDeadline(options, async (deadline) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(sending, deadline);
      } catch (error) {
        const isSafe = isUncertain(error) ? sending.isRepeatable : isPostponed(error);
        const milliseconds = pauseMs(error, attempt);
        if (!isSafe || attempt === maxAttempts || milliseconds >= deadline.left()) throw error;
        await pause(milliseconds, deadline);
      }
    }
  });
