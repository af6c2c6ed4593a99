import { inclusionProofEndpoint } from "#server/endpoints/directory/log/proofs.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(inclusionProofEndpoint);
