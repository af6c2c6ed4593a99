// A merchant's first calls to the sandbox: npx node docs/examples/first-calls.mjs [address]
// In your own project, install the package (packages/client/README.md) and import from "@paygrant/client".
import { clientCredentials, discover, isPaygrantError, registerClient, verifyMandate } from "#client";

const server = await discover(process.argv[2] ?? "http://localhost:3001");

// 1. A client with a new key pair, whose private key stays here (RFC 7591). In the sandbox it gets a test merchant.
const client = await registerClient(server, { clientName: "First calls", scope: "charges.read mandates.verify" });
process.stdout.write(`client    ${client.clientId}\n`);

// 2. A token. The client authenticates with a JWT that its key signs (RFC 7523). It signs a new JWT for each request.
const session = await clientCredentials(client);
const seconds = Math.round((session.expiresAt.getTime() - Date.now()) / 1000);
process.stdout.write(`token     ${session.tokenType}, ${seconds} s, ${session.scope}\n`);

// 3. An API call with the token. This mandate doesn't exist, so the response is 404.
// To create a mandate, open the path /demo at the same address.
try {
  const payment = { amount: 4900, currency: "EUR", payerPresence: "off_session" };
  await verifyMandate(session, { mandateId: "mdt_unknown", ...payment });
} catch (error) {
  if (!isPaygrantError(error) || error.kind !== "problem") throw error;
  process.stdout.write(`mandate   ${error.problem.status}, ${error.problem.detail}\n`);
}
