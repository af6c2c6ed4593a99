// Types of the oidc-provider functions that the bench calls. The package contains no types.
declare module "oidc-provider" {
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, listening: () => void): unknown;
  }
}
