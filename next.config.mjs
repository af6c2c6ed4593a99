/** @type {import("next").NextConfig} */
export default {
  // Types are checked by `npm run verify`; a start on a fresh clone need not wait for them again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Pictures are shown as they are: the optimizer would ask for whatever address it is given.
  images: { unoptimized: true },
  // A page's code is loaded when it is first asked for: five processes start at once, and wait for none that nobody opens.
  experimental: { preloadEntriesOnStart: false },
  // Loaded by Node itself, once per process, for the pages and the gateway alike.
  serverExternalPackages: [
    "pg",
    "pg-boss",
    "@node-rs/argon2",
    "@simplewebauthn/server",
    "@prisma/client",
    "@prisma/adapter-pg",
    "pino",
  ],
};
