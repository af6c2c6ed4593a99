import type { Answer } from "./connection.ts";
import type { Job, Shape } from "./job.ts";

type Body = Readonly<Record<string, unknown>>;

const isJwt = (value: unknown): boolean => typeof value === "string" && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value);

/** What a success of each endpoint holds, whoever's server it is. */
const jsonShapes: Readonly<Record<Exclude<Shape, "status_list">, (body: Body) => boolean>> = {
  token: (body) => isJwt(body["access_token"]) && body["token_type"] === "Bearer" && Number(body["expires_in"]) > 0,
  pushed_request: (body) =>
    String(body["request_uri"]).startsWith("urn:ietf:params:oauth:request_uri:") && Number(body["expires_in"]) > 0,
  introspection: (body) => body["active"] === true && typeof body["client_id"] === "string",
  verdict: (body) => body["valid"] === true && isJwt(body["receipt"]),
  charge: (body) => body["status"] === "succeeded" && String(body["id"]).startsWith("chg_"),
  jwks: (body) => Array.isArray(body["keys"]) && body["keys"].length > 0,
};

/** @returns whether it is the success that the job expects: only those count. */
export const makeCheck = ({ status, shape }: Job["expected"]): ((answer: Answer) => boolean) => {
  if (shape === "status_list") {
    return (answer) => answer.status === status && isJwt(answer.body.toString("latin1"));
  }
  const hasShape = jsonShapes[shape];
  return (answer) => {
    if (answer.status !== status) return false;
    try {
      return hasShape(JSON.parse(answer.body.toString()));
    } catch {
      return false;
    }
  };
};
