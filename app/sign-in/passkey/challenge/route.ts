import { passkeyChallengeEndpoint } from "#server/accounts/endpoints/passkey-challenge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(passkeyChallengeEndpoint);
