/**
 * The page to open next, or why the form wasn't accepted: an error code (`unreachable` without a JSON response), and an
 * error code for each invalid field.
 */
export type FormResult =
  | { kind: "next"; path: string }
  | { kind: "refused"; code: string; problems: Readonly<Record<string, string>> };

/** Sends the fields of a form, as the browser does without JavaScript. */
export const sendForm = async (form: HTMLFormElement): Promise<FormResult> => {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  return sendBody(form.action, fields);
};

/** Sends a form or JSON. */
export const sendBody = async (address: string, body: URLSearchParams | object): Promise<FormResult> => {
  const isForm = body instanceof URLSearchParams;
  const headers = { accept: "application/json", ...(isForm ? {} : { "content-type": "application/json" }) };
  try {
    return await readResult(
      await fetch(address, { method: "POST", headers, body: isForm ? body : JSON.stringify(body) }),
    );
  } catch {
    return { kind: "refused", code: "unreachable", problems: {} };
  }
};

/** Reads a response. If it doesn't name the next page, the next page is the wallet. */
export const readResult = async (response: Response): Promise<FormResult> => {
  const answer: unknown = await response.json();
  const path = member(answer, "return_to");
  if (response.ok) return { kind: "next", path: typeof path === "string" ? path : "/wallet" };
  const type = member(answer, "type");
  const code = typeof type === "string" ? (type.split("#").at(-1) ?? "") : "server_error";
  const problems = member(answer, "problems");
  return { kind: "refused", code, problems: isRecord(problems) ? (problems as Record<string, string>) : {} };
};

const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null;

const member = (value: unknown, name: string): unknown => (isRecord(value) ? Reflect.get(value, name) : null);
