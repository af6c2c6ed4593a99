import { describe, expect, test } from "vitest";
import { checkNewPassword } from "../passwords/check-new-password.ts";
import { newPasswordProblem } from "./new-password.ts";

const email = "grace.hopper@example.test";
const problemOf = (password: string, address = email) =>
  newPasswordProblem(password, { email: address, isCommon: false });

describe("a new password (docs/spec/portal.md, Sign-up)", () => {
  test.each([
    ["x".repeat(11), "password_too_short"],
    ["correct horse", null],
    ["correct hors", null],
    ["correct horse battery ".repeat(6).slice(0, 128), null],
    ["x".repeat(129), "password_too_long"],
    // 12 characters of two UTF-16 units each.
    ["😀🐎🔋".repeat(4), null],
    ["😀".repeat(11), "password_too_short"],
    ["my Grace.Hopper 1906", "password_has_email"],
    ["GRACE.HOPPER@EXAMPLE.TEST", "password_has_email"],
  ])("for the password %j, the problem is %j", (password, problem) => {
    expect(problemOf(password)).toBe(problem);
  });

  test("may contain the address's local part if that has only three characters, but never the whole address", () => {
    expect(problemOf("adage and battery", "ada@example.test")).toBeNull();
    expect(problemOf("x ada@example.test", "ada@example.test")).toBe("password_has_email");
  });

  test("a repetition and the name of the service are common too (NIST SP 800-63B-4 §3.1.1.2)", () => {
    for (const password of ["aaaaaaaaaaaa", "121212121212", "ababababababa", "Paygrant1234", "paygrantpaygrant"]) {
      expect(problemOf(password)).toBe("password_common");
    }
    expect(problemOf("paygrant and battery")).toBeNull();
  });

  test("a common password is refused in upper or lower case", async () => {
    for (const password of ["1qaz2wsx3edc", "QWERTY123456", "Sonyericsson"]) {
      expect(await checkNewPassword(password, email)).toBe("password_common");
    }
    expect(await checkNewPassword("copper lantern 42", email)).toBeNull();
  });
});
