import { listChangesEndpoint } from "#server/endpoints/directory/changes.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listChangesEndpoint);
