/** `a…@example.com`: enough for the owner to recognize the address, and little for others. */
export const maskEmail = (email: string): string => {
  const [local = "", domain = ""] = email.split("@");
  return `${[...local][0] ?? ""}…@${domain}`;
};
