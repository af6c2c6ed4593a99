import { currentAssetPrefix } from "./server/http/gateway/page-assets.ts";
import { notFoundRewrites } from "./server/http/pages/not-found-parts.ts";

/** @type {import("next").NextConfig} */
export default {
  // `npm run verify` checks types, so a start on a fresh clone doesn't check them again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  assetPrefix: currentAssetPrefix(),
  reactStrictMode: true,
  rewrites: async () => ({ beforeFiles: notFoundRewrites(), afterFiles: [], fallback: [] }),
  // Images aren't optimized: the optimizer would fetch any URL that a request contains.
  images: { unoptimized: true },
  experimental: {
    // A page's code is loaded at its first request, so that the start of five processes doesn't wait for pages.
    preloadEntriesOnStart: false,
    // Nothing reads source maps: browsers don't get them, and Node doesn't apply them to stacks.
    turbopackSourceMaps: false,
    // Minifying the server's code would add a quarter to the CPU time of a build. Without it, a web process needs a
    // tenth more memory.
    turbopackMinify: { server: false, client: true },
  },
  // Pages send parsed texts to the browser (components/format/messages.tsx), so that the browser needs no ICU parser.
  turbopack: { resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
  // Node itself loads these packages, once per process, for both the pages and the gateway.
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
