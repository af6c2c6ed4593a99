declare module "@digitalbazaar/vc-bitstring-status-list" {
  type List = { getStatus(index: number): boolean; readonly length: number };
  export function decodeList(input: { encodedList: string }): Promise<List>;
  export function getCredentialStatus(input: { credential: object; statusPurpose: string }): {
    statusListIndex: string;
    statusListCredential: string;
  };
  export function checkStatus(input: {
    credential: object;
    documentLoader(url: string): Promise<{ document: object }>;
    verifyBitstringStatusListCredential: boolean;
  }): Promise<{ verified: boolean; results?: { status: boolean }[]; error?: Error }>;
}
