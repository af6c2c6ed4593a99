import { mandateCredentialEndpoint } from "#server/endpoints/credentials/mandate-credential.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(mandateCredentialEndpoint);
