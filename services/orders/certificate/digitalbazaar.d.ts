/** Verifiers by others, which tests hold our credentials to. They come without types. */
declare module '@digitalbazaar/vc' {
  interface Verified {
    verified: boolean;
    error?: Error;
    statusResult?: { results: { status: boolean }[] };
  }
  export function verifyCredential(options: {
    credential: unknown;
    suite: unknown;
    documentLoader: (url: string) => Promise<{ document: unknown }>;
    checkStatus: (options: object) => Promise<object>;
  }): Promise<Verified>;
  export const defaultDocumentLoader: (url: string) => Promise<{ document: unknown }>;
}
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: unknown });
  }
}
declare module '@digitalbazaar/eddsa-jcs-2022-cryptosuite' {
  export function createVerifyCryptosuite(): unknown;
}
declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(options: object): Promise<object>;
}
