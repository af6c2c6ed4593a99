import { parseArgs } from "node:util";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { type DeliveryView, listDeliveries } from "../webhooks/deliveries/list-deliveries.ts";
import { replayDelivery } from "../webhooks/deliveries/replay-delivery.ts";
import { changeEndpoint } from "../webhooks/endpoints/change-endpoint.ts";
import { createMerchantEndpoint } from "../webhooks/endpoints/create-endpoint.ts";
import { listEndpoints } from "../webhooks/endpoints/find-endpoint.ts";
import { rotateSecret } from "../webhooks/endpoints/rotate-secret.ts";
import type { WebhookCredentials } from "../webhooks/endpoints/secrets.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage = `npm run webhooks -- list       --owner O                endpoints of a merchant (mch_…) or a client (cl_…)
npm run webhooks -- add        --owner mch_… --url U    adds one; prints the secret and the public key
npm run webhooks -- deliveries --owner O --endpoint E   the latest fifty, each with its attempts
npm run webhooks -- replay     --owner O --delivery D   sends an event again
npm run webhooks -- rotate     --owner O --endpoint E   a new secret; the previous one also signs for a day
npm run webhooks -- on|off|delete --owner O --endpoint E
with --sandbox: endpoints and deliveries of the sandbox`;

answerHelp(usage);

const refuse = (): never => {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
};

const readArguments = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        owner: { type: "string" },
        url: { type: "string" },
        endpoint: { type: "string" },
        delivery: { type: "string" },
        sandbox: { type: "boolean", default: false },
      },
    });
    const [command, ...rest] = positionals;
    if (command === undefined || rest.length > 0 || values.owner === undefined) return refuse();
    return { ...values, command, ownerId: values.owner };
  } catch {
    return refuse();
  }
};

const given = readArguments();
const { ownerId } = given;
const by = { actor: { kind: "operator", id: "command-line" } as const, requestId: newId("req") };
const named = (value: string | undefined): string => value ?? refuse();

const describeCredentials = ({ endpointId, secret, publicKey }: WebhookCredentials): string =>
  [endpointId, secret, publicKey].join("\n");

const list = async (deps: Deps): Promise<string> =>
  (await listEndpoints(deps, ownerId))
    .map(({ id, url, disabledAt, disabledReason }) =>
      [id, url, disabledAt ? `off (${disabledReason})` : "on"].join("  "),
    )
    .join("\n");

const formatDelivery = ({ id, eventType, objectId, sequence, state, createdAt, tries }: DeliveryView): string[] => [
  [id, createdAt.toISOString(), eventType, `${objectId}/${sequence}`, state].join("  "),
  ...tries.map(({ number, startedAt, status, problem, milliseconds, bodyStart }) =>
    `  ${number}  ${startedAt.toISOString()}  ${status ?? problem ?? "no outcome"}  ${milliseconds ?? "-"} ms  ${JSON.stringify(bodyStart ?? "")}`.trimEnd(),
  ),
];

const change = async (deps: Deps, kind: "on" | "off" | "delete"): Promise<string> => {
  const endpointId = named(given.endpoint);
  await changeEndpoint(deps, { endpointId, ownerId, change: { kind }, ...by });
  return `${endpointId}: ${kind === "delete" ? "deleted" : kind}`;
};

const commands: Readonly<Record<string, (deps: Deps) => Promise<string>>> = {
  list,
  add: async (deps) =>
    describeCredentials(await createMerchantEndpoint(deps, { merchantId: ownerId, url: named(given.url), ...by })),
  deliveries: async (deps) =>
    (await listDeliveries(deps, { endpointId: named(given.endpoint), ownerId, limit: 50 }))
      .flatMap(formatDelivery)
      .join("\n"),
  replay: (deps) => replayDelivery(deps, { deliveryId: named(given.delivery), ownerId, ...by }),
  rotate: async (deps) =>
    describeCredentials(await rotateSecret(deps, { endpointId: named(given.endpoint), ownerId, ...by })),
  on: (deps) => change(deps, "on"),
  off: (deps) => change(deps, "off"),
  delete: (deps) => change(deps, "delete"),
};

const run = Object.hasOwn(commands, given.command) ? commands[given.command] : undefined;
if (!run) refuse();
else {
  await enterService(given.sandbox ? "sandbox" : "production");
  await withDeps(run);
}
