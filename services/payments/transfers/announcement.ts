import type { UploadedFile } from '@arboleda/chassis/http/upload.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import { type Bank, bankOfWire, DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { PurchaseRequest } from '../purchase.ts';

type Form = z.output<(typeof transfersEndpoints)['POST /api/manual-payments/create-order']['body']>;

/** A transfer that somebody wants to announce: the form, complete, and its files, not looked at yet. */
export interface Announcement {
  request: PurchaseRequest;
  bank: Bank;
  phone: string | undefined;
  reference: string | undefined;
  files: HashedFile[];
}

export interface HashedFile {
  originalName: string;
  bytes: Buffer;
  /** Hex. */
  sha256: string;
}

const MAX_NAME_LENGTH = 200;
const FILES_FIELD = 'evidenceFiles';

/** @throws Problem `required-fields` that names each field, then `evidence-required`. */
export function readAnnouncement(
  form: Form,
  files: readonly Pick<UploadedFile, 'originalName' | 'bytes'>[],
): Announcement {
  const { customerName = '', customerEmail = '', customerPhone, referenceNumber, quote, locale } = form;
  const empty = Object.entries({ customerName, customerEmail }).filter(([, value]) => value.trim() === '');
  if (empty.length > 0) {
    throw new Problem('required-fields', {
      fields: empty.map(([path]) => ({ path, type: 'required' as const })),
    });
  }
  // A browser sends an empty file for a field that was left empty.
  const chosen = files.filter(({ originalName, bytes }) => bytes.length > 0 || originalName !== '');
  if (chosen.length === 0) {
    throw new Problem('evidence-required', { fields: [{ path: FILES_FIELD, type: 'required' }] });
  }
  return {
    request: {
      trees: form.trees,
      packageType: form.packageType,
      currency: form.currency,
      customerEmail,
      customerName,
      ...(locale && { locale }),
      ...(quote && { quote }),
    },
    bank: bankOf(form),
    phone: customerPhone || undefined,
    reference: referenceNumber || undefined,
    files: chosen.map(({ originalName, bytes }) => ({
      originalName: printable(originalName),
      bytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
}

/** @throws Problem when the two fields name different banks */
function bankOf({ paymentMethod, bankName }: Form): Bank {
  const named = paymentMethod && bankOfWire(paymentMethod);
  if (named && bankName && named !== bankName) throw fieldProblem('bankName', 'invalid');
  return bankName ?? named ?? DEFAULT_BANK;
}

/** A name is shown and never used as a path; what cannot be stored or shown is left out. */
const printable = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\ud800-\udbff]$/, '');

/** The same for calls that ask for the same, whatever their files are called. */
export const announcementHash = ({ request, bank, phone, reference, files }: Announcement): string =>
  digest([
    Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)),
    bank,
    phone,
    reference,
    hashes(files),
  ]);

/** Who sends which files for what: however the rest is written, that is one transfer and not two. */
export const fingerprintOf = ({ request, files }: Announcement): string =>
  digest([request.customerEmail, request.packageType, request.trees, request.currency, hashes(files)]);

const hashes = (files: readonly HashedFile[]): string[] => files.map(({ sha256 }) => sha256).sort();

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
