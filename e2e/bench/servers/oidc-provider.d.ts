// oidc-provider has no types; these cover what the bench calls.
declare module "oidc-provider" {
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, listening: () => void): unknown;
  }
}
