import { access, constants } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../supervisor/steps.ts";
import { installPackages } from "./install-packages.ts";

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Prefers the headless shell, which draws no windows and needs fewer resources. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const findInstalled = async (): Promise<string | null> => {
  const directories = (process.env["PATH"] ?? "").split(path.delimiter);
  const candidates = [
    ...directories.flatMap((directory) => names.map((name) => path.join(directory, name))),
    ...places,
  ];
  for (const file of candidates) if (await isExecutable(file)) return file;
  return null;
};

/** The Chromium that Playwright has downloaded, if any. */
const findDownloaded = async (): Promise<string | null> => {
  const { chromium } = await import("@playwright/test");
  const file = chromium.executablePath();
  return (await isExecutable(file)) ? file : null;
};

/**
 * Finds a Chromium, and installs one if there is none and this process may.
 * @param print prints a line for the user
 * @returns its path
 * @throws StartError that says what to install
 */
export const findChromium = async (print: (text: string) => void): Promise<string> => {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) {
    if (await isExecutable(chosen)) return chosen;
    throw new StartError(`CHROMIUM_PATH: ${chosen} isn't an executable file`);
  }
  const present = (await findInstalled()) ?? (await findDownloaded());
  if (present) return present;
  print("› Chromium         not found, installing it …\n");
  for (const name of ["chromium-headless-shell", "chromium"]) {
    await installPackages(name);
    const installed = await findInstalled();
    if (installed) return installed;
  }
  throw new StartError(
    "The browser tests need Chromium or Chrome, which was not found and could not be installed.\nInstall one (Debian, Ubuntu: `apt-get install chromium`; elsewhere: `npx playwright install chromium`) or set CHROMIUM_PATH to it.",
  );
};
