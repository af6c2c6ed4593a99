import type { SearchEntry } from "../search/search.ts";
import type { OperationView } from "./api-reference.ts";
import type { Field } from "./api-schema.ts";

/**
 * An operation is found by its method and path, its id and the fields of its request and responses. Fields of errors
 * are left out, because every operation has the same ones.
 */
export const operationEntry = (operation: OperationView): SearchEntry => {
  const { href, summary, method, path, id, parameters, bodies, answers } = operation;
  const returned = answers.filter(({ status }) => status !== null && Number(status) < 400);
  const fields = [...bodies, ...returned.flatMap((answer) => answer.bodies)].flatMap((body) => body.fields);
  const text = `${method} ${path} ${id} ${fieldNames([...parameters, ...fields])}`;
  return { href, title: summary, kind: "Operation", text };
};

/**
 * The names of fields at any depth, each once, separated by spaces. The search page contains this text for every
 * operation, so the text must be short.
 */
export const fieldNames = (fields: readonly Field[]): string => [...new Set(fields.flatMap(namesOf))].join(" ");

const namesOf = ({ name, fields }: Field): string[] => [name, ...fields.flatMap(namesOf)];
