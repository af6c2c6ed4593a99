/** `a…@example.com`. The owner can recognize the address, and others learn little about it. */
export const maskEmail = (email: string): string => {
  const [local = "", domain = ""] = email.split("@");
  return `${[...local][0] ?? ""}…@${domain}`;
};
