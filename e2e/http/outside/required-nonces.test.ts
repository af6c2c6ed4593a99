import { describeOauth4webapi } from "../../outside/oauth4webapi-flows.ts";
import { describeOpenidClient } from "../../outside/openid-client-flows.ts";
import { ownService } from "../../support/own-service.ts";

/** A service of its own: the others offer nonces, this one demands them. */
const service = ownService({ DPOP_NONCE: "required" });
const baseUrl = () => service.sandboxUrl;

describeOpenidClient("where nonces are demanded", baseUrl, "demanded");
describeOauth4webapi("where nonces are demanded", { baseUrl, nonces: "demanded" });
