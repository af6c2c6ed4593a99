// oidc-provider brings no types; these are of what the bench calls.
declare module "oidc-provider" {
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, listening: () => void): unknown;
  }
}
