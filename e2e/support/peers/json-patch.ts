/** Applies a JSON Patch, as RFC 6902 and RFC 6901 describe it. This file shares no code with the service. */
type Operation = { op: string; path: string; value?: unknown };
type Container = Record<string, unknown> | unknown[];

const tokensOf = (pointer: string): string[] => {
  if (pointer !== "" && !pointer.startsWith("/")) throw new Error(`${pointer} is not a JSON Pointer`);
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
};

const toIndex = (token: string, most: number): number => {
  if (!/^(0|[1-9]\d*)$/.test(token) || Number(token) > most) throw new Error(`there is no element ${token}`);
  return Number(token);
};

const child = (container: unknown, token: string): unknown => {
  if (Array.isArray(container)) return container[toIndex(token, container.length - 1)];
  if (typeof container !== "object" || container === null || !Object.hasOwn(container, token))
    throw new Error(`there is no member ${token}`);
  return (container as Record<string, unknown>)[token];
};

const applyTo = (container: Container, token: string, { op, value }: Operation): void => {
  if (Array.isArray(container)) {
    if (op === "add") container.splice(token === "-" ? container.length : toIndex(token, container.length), 0, value);
    else if (op === "remove") container.splice(toIndex(token, container.length - 1), 1);
    else container[toIndex(token, container.length - 1)] = value;
    return;
  }
  if (op !== "add") child(container, token);
  if (op === "remove") delete container[token];
  else Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
};

/** @returns a new value. @throws Error if an operation can't be applied. */
export const applyPatch = (document: unknown, patch: readonly Operation[]): unknown => {
  let root = structuredClone(document);
  for (const operation of structuredClone(patch) as Operation[]) {
    if (!["add", "remove", "replace"].includes(operation.op)) throw new Error(`${operation.op} is not expected here`);
    const tokens = tokensOf(operation.path);
    const last = tokens.pop();
    if (last === undefined) root = operation.value;
    else applyTo(tokens.reduce(child, root) as Container, last, operation);
  }
  return root;
};
