import { RequestError } from "../errors/errors.ts";

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const parseMembers = (text: string): Members | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
};

export const textOrNull = (members: Members, name: string): string | null => {
  const value = members[name];
  return typeof value === "string" ? value : null;
};

/** @throws RequestError invalid_response if the server's JSON has no such text. */
export const textIn = (members: Members, name: string): string => {
  const value = textOrNull(members, name);
  if (value === null) throw new RequestError("invalid_response", `The response has no ${name}.`);
  return value;
};

/** @throws RequestError invalid_response if the server's JSON has no such number. */
export const numberIn = (members: Members, name: string): number => {
  const value = members[name];
  if (typeof value !== "number") throw new RequestError("invalid_response", `The response has no ${name}.`);
  return value;
};

export const textsIn = (members: Members, name: string): string[] => {
  const value = members[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};
