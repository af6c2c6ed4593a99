import { once } from "node:events";
import http from "node:http";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** One complete HTTP response. `json` is null when the body isn't JSON. */
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown> | null;
};

type Init = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** aborts the connection */
  signal?: AbortSignal | undefined;
};

/** Sends the request unchanged and follows no redirects. */
export const send = async (url: string, { method = "GET", headers = {}, body, signal }: Init = {}): Promise<Answer> => {
  const content = body === undefined ? {} : { body };
  const response = await fetch(url, { method, headers, redirect: "manual", ...content, ...(signal ? { signal } : {}) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
};

/** Repeats a request that a busy server refused temporarily. Such a response means that a retry is safe. */
export const untilAnswered = async (act: () => Promise<Answer>, tries = 5): Promise<Answer> => {
  const answer = await act();
  const isPostponed = answer.status === 503 || answer.json?.["error"] === "temporarily_unavailable";
  if (tries === 1 || !isPostponed) return answer;
  await sleep(Number(answer.headers.get("retry-after")) * 1000);
  return untilAnswered(act, tries - 1);
};

export const parse = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
};

/** A text member of a JSON answer. @throws Error that shows the answer when the member is missing. */
export const textOf = (answer: Answer, name: string): string => {
  const value = answer.json?.[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${answer.status} ${answer.text.slice(0, 500)}`);
  return value;
};

export const formType = "application/x-www-form-urlencoded";

/** A list becomes a repeated parameter. */
export type FormValue = string | readonly string[] | undefined;

export const postForm = (url: string, fields: Record<string, FormValue>, headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    headers: { "content-type": formType, ...headers },
    body: new URLSearchParams(Object.entries(fields).flatMap(toPairs)).toString(),
  });

const toPairs = ([name, value]: [string, FormValue]): string[][] =>
  value === undefined ? [] : [value].flat().map((each) => [name, each]);

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** A GET whose header lines are sent unchanged: the case of names is kept, and a list repeats its name. */
export const sendLines = async (url: string, headers: Record<string, string | string[]>): Promise<Answer> => {
  const request = http.request(url, { headers }).end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const text = await readText(response);
  const received = new Headers(
    Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { status: response.statusCode ?? 0, headers: received, text, json: parse(text) };
};
