import type { CertificateCode } from '@arboleda/contracts/certificate-code.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { isErased, isPlanted } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { isDeepStrictEqual } from 'node:util';
import { isPaid, isWithdrawn, type Order, shownPhotos, workerOf } from '../order/order.ts';
import { SYSTEM } from '../order/timeline.ts';
import {
  type Certificate,
  type CertificateFacts,
  type CertificateVersion,
  type Revocation,
  newestOf,
} from './versions.ts';

/** Codes of new versions. */
export type NewCode = () => CertificateCode;

/** Versions of one certificate that may be asked for. */
const MOST_VERSIONS = 50;

const arePlanted = (order: Order): boolean => isPaid(order) && isPlanted(order.progress.status);

const firstName = (name: string): string => name.trim().split(/\s+/)[0]!;

/** @returns undefined while nothing is planted */
export function factsOf(order: Order): CertificateFacts | undefined {
  const { progress, trees, location, growth } = order;
  if (!arePlanted(order) || !('plantedAt' in progress)) return undefined;
  const worker = workerOf(order);
  const place = location ?? worker?.region;
  const photo = shownPhotos(order)[0]?.filename;
  const updates = growth
    .flatMap(({ visits }) => visits)
    .flatMap(({ completedAt }) => (completedAt === undefined ? [] : [dayOf(completedAt)]))
    .sort();
  return {
    trees,
    ...(place !== undefined && { place }),
    plantedOn: dayOf(progress.plantedAt),
    ...(worker && { plantedBy: firstName(worker.name) }),
    ...('completedAt' in progress && { completedOn: dayOf(progress.completedAt) }),
    growthUpdates: updates.length,
    ...(updates.length > 0 && { lastGrowthUpdateOn: updates.at(-1)! }),
    ...(photo !== undefined && { photo }),
  };
}

/**
 * Issues the certificate that a donor, or the recipient of a gift, asks for, or a version with another name or language. The same ones change nothing.
 * @throws Problem `certificate-erased`, `certificate-revoked`, `certificate-not-yet` or `too-many-requests`
 */
export function decideCertificate(
  order: Order,
  { name, language }: Pick<Certificate, 'name' | 'language'>,
  { at, newCode, recipient }: { at: string; newCode: NewCode; recipient?: Actor | undefined },
): Change<Order> | undefined {
  const { certificate, customer } = order;
  if (isErased(customer.email) && !recipient) throw new Problem('certificate-erased');
  if (certificate?.revoked?.cause === 'admin') throw new Problem('certificate-revoked');
  const facts = factsOf(order);
  if (!facts) throw new Problem('certificate-not-yet');
  if (certificate?.name === name && certificate.language === language) return undefined;
  const versions = certificate?.versions ?? [];
  if (versions.length >= MOST_VERSIONS) throw new Problem('too-many-requests');
  return issued(
    { record: order },
    {
      name,
      ...(recipient && { namedByRecipient: true }),
      language,
      versions: [...versions, { code: newCode(), issuedAt: at, facts }],
    },
    { because: 'requested', by: recipient ?? { role: 'customer', name: customer.name }, at },
  );
}

/** An admin's revocation is for good; a second one changes nothing. */
export function decideRevocation(
  order: Order,
  { reason, by, at }: { reason: string; by: Actor; at: string },
): Change<Order> | undefined {
  if (!order.certificate || order.certificate.revoked?.cause === 'admin') return undefined;
  return revoked({ record: order }, { at, cause: 'admin', reason }, by);
}

/**
 * Keeps a certificate true in the write that changes its order: a new version for what the record says now, a revocation
 * once the trees are not planted after all, a version without a name when the donor was erased.
 */
export function withCertificate(
  before: Order | undefined,
  change: Change<Order>,
  { at, newCode }: { at: string; newCode: NewCode },
): Change<Order> {
  const order = change.record;
  const { certificate } = order;
  if (!certificate || certificate.revoked?.cause === 'admin') return change;
  const facts = factsOf(order);
  if (!facts) {
    if (certificate.revoked) return change;
    return revoked(change, { at, cause: isWithdrawn(order) ? 'withdrawn' : 'not_planted' }, SYSTEM);
  }
  const newest = newestOf(certificate);
  const isRenamed =
    before?.certificate !== undefined &&
    before.certificate.name !== certificate.name &&
    newestOf(before.certificate).code === newest.code;
  if (!certificate.revoked && !isRenamed && isDeepStrictEqual(facts, newest.facts)) return change;
  const { revoked: wasRevoked, ...kept } = certificate;
  return issued(
    change,
    { ...kept, versions: [...kept.versions, { code: newCode(), issuedAt: at, facts }] },
    { because: wasRevoked ? 'reinstated' : 'record', by: SYSTEM, at },
  );
}

function issued(
  { record, events = [], ...rest }: Change<Order>,
  certificate: Certificate,
  { because, by, at }: { because: 'requested' | 'reinstated' | 'record'; by: Actor; at: string },
): Change<Order> {
  const version = certificate.versions.length;
  const event: NewEvent<'certificate.issued'> = {
    type: 'certificate.issued',
    data: { orderId: record.id, code: newestOf(certificate).code, version, because, at },
  };
  return {
    ...rest,
    record: {
      ...record,
      certificate,
      timeline: [...record.timeline, { at, type: 'certificate_issued', by, version }],
    },
    events: [...events, event],
  };
}

function revoked(
  { record, events = [], ...rest }: Change<Order>,
  revocation: Revocation,
  by: Actor,
): Change<Order> {
  const certificate = { ...record.certificate!, revoked: revocation };
  const { at, cause, reason } = revocation;
  const said = { cause, ...(reason !== undefined && { reason }) };
  const event: NewEvent<'certificate.revoked'> = {
    type: 'certificate.revoked',
    data: { orderId: record.id, code: newestOf(certificate).code, ...said, at },
  };
  return {
    ...rest,
    record: {
      ...record,
      certificate,
      timeline: [...record.timeline, { at, type: 'certificate_revoked', by, ...said }],
    },
    events: [...events, event],
  };
}

/** A version as found by its code. */
export interface FoundVersion {
  order: Order;
  certificate: Certificate;
  version: CertificateVersion;
  /** 1 for the first. */
  number: number;
  state: 'valid' | 'superseded' | 'revoked';
}

/** @throws Problem `certificate-unknown` */
export function versionOf(order: Order | undefined, code: CertificateCode): FoundVersion {
  const at = order?.certificate?.versions.findIndex((one) => one.code === code) ?? -1;
  if (!order?.certificate || at < 0) throw new Problem('certificate-unknown');
  const { certificate } = order;
  const isNewest = at === certificate.versions.length - 1;
  const state = certificate.revoked ? 'revoked' : isNewest ? 'valid' : 'superseded';
  return { order, certificate, version: certificate.versions[at]!, number: at + 1, state };
}

/** The photo of a version, unless it was hidden since. */
export const photoOf = ({ order, version }: Pick<FoundVersion, 'order' | 'version'>): string | undefined =>
  shownPhotos(order).find(({ filename }) => filename === version.facts.photo)?.filename;
