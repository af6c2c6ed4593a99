import { describeOauth4webapi } from "../../outside/oauth4webapi-flows.ts";
import { describeOpenidClient } from "../../outside/openid-client-flows.ts";
import { ownService } from "../../support/own-service.ts";

/** A separate service that requires nonces. The other services only offer them. */
const service = ownService({ DPOP_NONCE: "required" });
const baseUrl = () => service.sandboxUrl;

describeOpenidClient("when nonces are required", baseUrl, "requires");
describeOauth4webapi("when nonces are required", { baseUrl, nonces: "requires" });
