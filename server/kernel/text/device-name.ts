const browsers: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

const firstOf = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** `Firefox · Linux`, from the User-Agent header; null for an unknown device. */
export const deviceName = (userAgent: string): string | null => {
  const [browser, system] = [firstOf(browsers, userAgent), firstOf(systems, userAgent)];
  if (browser && system) return `${browser} · ${system}`;
  return browser ?? system ?? null;
};
