import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { ServiceClient } from '@arboleda/chassis/http/client.ts';
import type { UploadedFile } from '@arboleda/chassis/http/upload.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';
import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import { type Bank, bankOfWire, DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { detailsOf, type PurchaseRequest } from '@arboleda/contracts/purchase.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Visitor } from '@arboleda/contracts/visitor.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { checkGift } from '../purchase/gifts.ts';
import { checkPackage, newIds, purchaseOf, readQuote } from '../purchase/purchase.ts';
import type { UndecidedBounds } from './config.ts';
import type { EvidenceObjects, HashedFile, imageReader, ReadImage } from './evidence.ts';
import type { SubmittedTransfer, TransferStore } from './store.ts';
import type { Transfer } from './transfer.ts';

type Form = z.output<(typeof transfersEndpoints)['POST /api/manual-payments/create-order']['body']>;

/** A parsed form with its files, whose content is not checked yet. */
interface Announcement {
  request: PurchaseRequest;
  bank: Bank;
  phone: string | undefined;
  reference: string | undefined;
  files: HashedFile[];
}

const MAX_NAME_LENGTH = 200;
const FILES_FIELD = 'evidenceFiles';

/** @throws Problem `required-fields` that names each field, then `evidence-required` */
export function readAnnouncement(
  form: Form,
  files: readonly Pick<UploadedFile, 'originalName' | 'bytes'>[],
): Announcement {
  const { customerName = '', customerEmail = '', customerPhone, referenceNumber, quote, locale, gift } = form;
  const empty = Object.entries({ customerName, customerEmail }).filter(([, value]) => value.trim() === '');
  if (empty.length > 0) {
    throw new Problem('required-fields', {
      fields: empty.map(([path]) => ({ path, type: 'required' as const })),
    });
  }
  // Browsers send an empty file for an empty field.
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
      ...(gift && { gift }),
      ...detailsOf(form),
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

/** Removes characters that cannot be stored or shown. The name is shown, never used as a path. */
const printable = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\ud800-\udbff]$/, '');

/** Hash of a request, independent of the file names. */
export const announcementHash = ({ request, bank, phone, reference, files }: Announcement): string =>
  digest([
    Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)),
    bank,
    phone,
    reference,
    hashes(files),
  ]);

/** Hash of buyer, purchase and files: requests that share it are one transfer, even if other fields differ. */
export const fingerprintOf = ({ request, files }: Announcement): string =>
  digest([request.customerEmail, request.packageType, request.trees, request.currency, hashes(files)]);

const hashes = (files: readonly HashedFile[]): string[] => files.map(({ sha256 }) => sha256).sort();

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

interface SubmitRequest {
  announcement: Announcement;
  idempotencyKey: string | undefined;
  language: Language;
  visitor: Visitor;
  /** The caller's network; stored as a hash, until the transfer is decided. */
  network: string;
  signal: AbortSignal;
}

/** A repeated submission within this time is the same purchase, even if the first was decided meanwhile. */
const SAME_PURCHASE_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const MB = 1_000_000;

/**
 * Takes a transfer: validates it, stores the files, then writes the transfer. A refusal leaves nothing
 * behind.
 * The same key, or the same files by the same buyer for the same purchase, return the existing transfer.
 */
export function submitter(parts: {
  store: TransferStore;
  evidence: EvidenceObjects;
  readImages: ReturnType<typeof imageReader>;
  call: ServiceClient;
  quoteSecret: string;
  orderToken: OrderTokens;
  bounds: UndecidedBounds;
  clock: () => Date;
}): (asked: SubmitRequest) => Promise<{ transfer: Transfer; isNew: boolean }> {
  const { store, evidence, readImages, call, quoteSecret, orderToken, bounds, clock } = parts;

  const hashOfNetwork = keyedDigest(quoteSecret, 'networks of transfers');

  async function price({ quote, currency }: PurchaseRequest, visitor: Visitor) {
    const given = quote ?? (await call('POST /internal/quotes', { body: { currency, visitor } })).quote;
    return readQuote(given, quoteSecret, clock());
  }

  /** Enforces the bounds on undecided transfers. @throws Problem `too-many-requests`, `unavailable` */
  async function requireRoom(of: { networkHash: string; email: string }): Promise<void> {
    const since = new Date(clock().getTime() - DAY_MS);
    const undecided = await store.undecided({ ...of, since });
    const { megabytes, megabytesOfNetwork, transfersOfEmail } = bounds;
    if (undecided.bytes > megabytes * MB) throw new Problem('unavailable', { retryAfterSeconds: 3600 });
    if (undecided.bytesOfNetwork > megabytesOfNetwork * MB || undecided.ofEmail >= transfersOfEmail)
      throw new Problem('too-many-requests', { retryAfterSeconds: 3600 });
  }

  /** @throws Problem `idempotency-conflict` when the key belongs to another request */
  async function sentBefore(
    idempotencyKey: string | undefined,
    hash: string,
    fingerprint: string,
  ): Promise<Transfer | undefined> {
    const withKey = idempotencyKey && (await store.withKey(idempotencyKey));
    if (withKey) return sameRequest(withKey, hash);
    const since = new Date(clock().getTime() - SAME_PURCHASE_MS);
    return (await store.alike(fingerprint, since))?.transfer;
  }

  return async ({ announcement, idempotencyKey, language, visitor, network, signal }) => {
    const { request, files, bank, reference } = announcement;
    checkPackage(request);
    const hash = announcementHash(announcement);
    const fingerprint = fingerprintOf(announcement);
    const before = await sentBefore(idempotencyKey, hash, fingerprint);
    if (before) return { transfer: before, isNew: false };
    checkGift(request, clock());

    const purchase = purchaseOf(request, await price(request, visitor), newIds(orderToken), language);
    const networkHash = hashOfNetwork(network);
    await requireRoom({ networkHash, email: request.customerEmail });
    const images = await readImages(files, signal);
    const transfer: Transfer = {
      purchase: { ...purchase, customer: { ...purchase.customer, ...phoneOf(announcement) } },
      bank,
      reference,
      evidence: images.map(evidenceFile),
      submittedAt: clock().toISOString(),
      state: { status: 'pending' },
      revision: 0,
    };
    await evidence.keep(transfer, images);
    crashPoint('object-stored');
    const evidenceBytes = images.reduce((sum, { view }) => sum + view.length, 0);
    const submission = {
      transfer,
      requestHash: hash,
      idempotencyKey,
      fingerprint,
      networkHash,
      evidenceBytes,
    };
    if (await store.submit(submission)) return { transfer, isNew: true };
    const meanwhile = await sentBefore(idempotencyKey, hash, fingerprint);
    if (!meanwhile) throw new Problem('unavailable', { retryAfterSeconds: 1 });
    return { transfer: meanwhile, isNew: false };
  };
}

function sameRequest({ transfer, requestHash }: SubmittedTransfer, hash: string): Transfer {
  if (requestHash !== hash) throw new Problem('idempotency-conflict');
  return transfer;
}

const phoneOf = ({ phone }: Announcement) => (phone === undefined ? {} : { phone });

const evidenceFile = ({ originalName, bytes, contentType, sha256 }: HashedFile & ReadImage) => ({
  filename: `${randomBytes(16).toString('base64url')}.jpg`,
  originalName,
  contentType,
  sizeBytes: bytes.length,
  sha256,
});
