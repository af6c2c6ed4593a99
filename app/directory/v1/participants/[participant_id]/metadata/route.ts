import { participantMetadataEndpoint } from "#server/endpoints/directory/metadata.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(participantMetadataEndpoint);
