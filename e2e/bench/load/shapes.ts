import type { Answer } from "./connection.ts";
import type { Job, Shape } from "./job.ts";

type Body = Readonly<Record<string, unknown>>;

const isJwt = (value: unknown): boolean => typeof value === "string" && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value);

/** The required content of a successful answer of each endpoint, for any server. */
const jsonShapes: Readonly<Record<Exclude<Shape, "status_list">, (body: Body) => boolean>> = {
  token: (body) => isJwt(body["access_token"]) && body["token_type"] === "Bearer" && Number(body["expires_in"]) > 0,
  pushed_request: (body) =>
    String(body["request_uri"]).startsWith("urn:ietf:params:oauth:request_uri:") && Number(body["expires_in"]) > 0,
  introspection: (body) => body["active"] === true && typeof body["client_id"] === "string",
  verdict: (body) => body["valid"] === true && isJwt(body["receipt"]),
  charge: (body) => body["status"] === "succeeded" && String(body["id"]).startsWith("chg_"),
  usage: (body) =>
    Number(body["accepted"]) > 0 && Array.isArray(body["results"]) && body["results"].length === body["accepted"],
  jwks: (body) => Array.isArray(body["keys"]) && body["keys"].length > 0,
};

/**
 * @returns whether the response is the expected success. Only successes are counted. If a body is identical to the last
 *   parsed one, it isn't parsed again. Parsing a list that all clients share would take as long as the server's answer.
 */
export const makeCheck = ({ status, shape }: Job["expected"]): ((answer: Answer) => boolean) => {
  const isExpected = shape === "status_list" ? isStatusList : hasJsonShape(jsonShapes[shape]);
  let known: Buffer | null = null;
  return (answer) => {
    if (answer.status !== status) return false;
    if (known?.equals(answer.body)) return true;
    if (!isExpected(answer.body)) return false;
    known = Buffer.from(answer.body);
    return true;
  };
};

const isStatusList = (body: Buffer): boolean => isJwt(body.toString("latin1"));

const hasJsonShape = (hasShape: (body: Body) => boolean) => (body: Buffer) => {
  try {
    return hasShape(JSON.parse(body.toString()));
  } catch {
    return false;
  }
};
