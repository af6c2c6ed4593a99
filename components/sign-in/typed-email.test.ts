import { afterEach, expect, test, vi } from "vitest";
import { forgetTypedEmail, shareTypedEmail } from "./typed-email.ts";

afterEach(() => vi.unstubAllGlobals());

const provideStorage = (read: () => Partial<Storage>): void =>
  void vi.stubGlobal("window", Object.defineProperty({}, "sessionStorage", { get: read }));

/** The part of an e-mail field that `shareTypedEmail` uses. */
const makeField = (value = "") => {
  const listeners: (() => void)[] = [];
  const addEventListener = (_type: string, listener: () => void) => listeners.push(listener);
  const field = { value, readOnly: false, addEventListener } as unknown as HTMLInputElement;
  const type = (email: string): void => {
    field.value = email;
    for (const listener of listeners) listener();
  };
  return { field, type };
};

test("the address that was typed appears in the next form, until a form is accepted", () => {
  const stored = new Map<string, string>();
  provideStorage(() => ({
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
  }));
  const [typed, next, last] = [makeField(), makeField(), makeField()];
  shareTypedEmail(typed.field);
  typed.type("ada@example.com");
  shareTypedEmail(next.field);
  expect(next.field.value).toBe("ada@example.com");
  forgetTypedEmail();
  shareTypedEmail(last.field);
  expect(last.field.value).toBe("");
});

test.each([
  [
    "blocks site data",
    () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    },
  ],
  [
    "has no space left",
    () => ({
      getItem: () => null,
      setItem: () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      },
      removeItem: () => undefined,
    }),
  ],
])("the forms work in a browser that %s", (_case, read) => {
  provideStorage(read);
  const [empty, filled] = [makeField(), makeField("ada@example.com")];
  for (const { field, type } of [empty, filled]) {
    shareTypedEmail(field);
    type(`${field.value}x`);
  }
  forgetTypedEmail();
  expect([empty.field.value, filled.field.value]).toEqual(["x", "ada@example.comx"]);
});
