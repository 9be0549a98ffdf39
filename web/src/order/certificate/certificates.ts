import { parseCertificateCode } from '@arboleda/contracts/certificate-code.ts';
import { useQuery } from '@tanstack/react-query';
import { call, type Answer } from '../../api/client.ts';
import type { PublicOrder } from '../../api/order.ts';

export type Certificate = Answer<'GET /api/certificates/{code}'>;
/** What an order tells its certificate. */
export type CertifiedOrder = Pick<
  PublicOrder,
  | '_id'
  | 'token'
  | 'status'
  | 'trees'
  | 'customerName'
  | 'withdrawn'
  | 'lostAmount'
  | 'manualPayment'
  | 'certificate'
>;

/** Shown as an example of a code; no certificate has it. */
export const EXAMPLE_CODE = 'K7QF-M2XD-9WBN';

/** The code of typed text, which may be a whole link to a certificate. */
export const typedCode = (typed: string): string =>
  parseCertificateCode(/\/c\/([^/?#\s]+)/.exec(typed)?.[1] ?? typed);

/** A certificate as everybody with its code sees it. @param code undefined while it has a typing error */
export const useCertificate = (code: string | undefined) =>
  useQuery({
    queryKey: ['certificate', code],
    enabled: code !== undefined,
    queryFn: ({ signal }) => call('GET /api/certificates/{code}', { params: { code: code! }, signal }),
  });

export const certificateLink = (code: string): string => `${window.location.origin}/c/${code}`;

/** "arboleda-K7QF-M2XD-9WBN.pdf" */
export const fileNameOf = (code: string, ending: 'pdf' | 'png'): string => `arboleda-${code}.${ending}`;
