import { z } from 'zod';
import { LONGEST_TYPED_CODE } from '../../certificate-code.ts';
import { endpoint } from '../../endpoint.ts';
import {
  email,
  instant,
  language,
  orderId,
  orderToken,
  personName,
  requiredText,
  trees,
} from '../../fields.ts';
import { adminOrder, certificateCode, certificateRevocation, orderCertificate } from './views.ts';

const day = z.iso.date();
const count = z.int().min(0);
/** The code in any case, with or without blanks and hyphens, O for 0, I or L for 1. */
const params = z.object({
  code: z
    .string()
    .min(1)
    .max(LONGEST_TYPED_CODE)
    .meta({ examples: ['K7QF-M2XD-9WBN'] }),
});
/** The name to be shown, or none. */
const wanted = z.object({ name: personName.nullable(), language });

/** One version of a certificate. Days are those of the organization's time zone. */
const certificate = z.object({
  code: certificateCode,
  /**
   * `superseded`: there is a newer version, with what was recorded since. `revoked` comes first: it holds for all versions.
   */
  state: z.enum(['valid', 'superseded', 'revoked']),
  /** 1 for the first. */
  version: z.int().min(1),
  issuedAt: instant,
  /** The newest version of a superseded one. */
  newest: z.object({ code: certificateCode, version: z.int().min(1) }).optional(),
  revoked: certificateRevocation.optional(),
  /** Chosen by the donor. Null when none was chosen, and unless the version is valid. */
  name: z.string().nullable(),
  /** The donor's; the document exists in both. */
  language,
  trees,
  /** Written by the worker or an admin, else the worker's region. */
  place: z.string().optional(),
  country: z.literal('CO'),
  plantedOn: day,
  /** First name of the worker. */
  plantedBy: z.string().optional(),
  completedOn: day.optional(),
  /** Growth updates since. */
  growthUpdates: count,
  lastGrowthUpdateOn: day.optional(),
  /** For GET /api/photos/{filename}. */
  photo: z.string().optional(),
  /** Legal name of the organization. */
  issuer: z.string(),
});

/** JSON of other standards, which their documents describe. */
const json = z.record(z.string(), z.unknown());
const CODE_PROBLEMS = ['certificate-unknown', 'certificate-mistyped'] as const;
/** Wrong codes cannot be tried in numbers. */
const PUBLIC_LIMIT = { max: 60, windowSeconds: 60 };

export const ordersCertificateEndpoints = {
  'GET /api/certificates/{code}': endpoint({
    service: 'orders',
    summary: 'A certificate by its code, and whether it is valid. Former versions name the newest',
    access: 'public',
    params,
    response: certificate,
    problems: CODE_PROBLEMS,
    limit: PUBLIC_LIMIT,
  }),
  'GET /api/certificates/{code}/document': endpoint({
    service: 'orders',
    summary: 'A valid certificate as PDF (A4, landscape), in its own language unless another is asked for',
    access: 'public',
    params,
    query: z.object({ language: language.optional() }),
    binary: 'application/pdf',
    problems: [...CODE_PROBLEMS, 'certificate-superseded', 'certificate-revoked'],
    // Each is typeset for the call.
    limit: { max: 30, windowSeconds: 60 },
  }),
  'GET /api/certificates/{code}/credential': endpoint({
    service: 'orders',
    summary:
      'A certificate as W3C Verifiable Credential 2.0, signed with Data Integrity (eddsa-jcs-2022). Its status list ' +
      'marks it once it is superseded or revoked',
    access: 'public',
    params,
    response: json,
    mediaType: 'application/vc',
    problems: CODE_PROBLEMS,
    limit: PUBLIC_LIMIT,
  }),
  'GET /api/certificates/context': endpoint({
    service: 'orders',
    summary: 'JSON-LD context of the credentials',
    access: 'public',
    response: json,
    mediaType: 'application/ld+json',
    cache: { seconds: 3600, by: 'anybody' },
  }),
  'GET /api/certificate-status/{list}': endpoint({
    service: 'orders',
    summary: 'A Bitstring Status List Credential: a bit is set when a version is superseded or revoked',
    access: 'public',
    params: z.object({ list: z.string().regex(/^(0|[1-9]\d{0,4})$/) }),
    response: json,
    mediaType: 'application/vc',
    problems: ['not-found'],
    limit: PUBLIC_LIMIT,
  }),
  'GET /.well-known/did.json': endpoint({
    service: 'orders',
    summary: 'The issuer’s did:web document, with the keys that sign credentials and those that did',
    access: 'public',
    response: json,
    cache: { seconds: 300, by: 'anybody' },
  }),
  'POST /api/customers/orders/{id}/certificate': endpoint({
    service: 'orders',
    summary:
      'Issues the certificate of an own order, once its trees are planted, or changes its name or language. The same ' +
      'name and language change nothing',
    access: ['customer'],
    params: z.object({ id: orderId }),
    body: wanted,
    response: z.object({ certificate: orderCertificate }),
    problems: ['not-found', 'certificate-not-yet', 'certificate-revoked', 'certificate-erased'],
    limit: { max: 30, windowSeconds: 600 },
  }),
  'POST /api/track/{token}/certificate': endpoint({
    service: 'orders',
    summary:
      'The same by the private link of an order, for whoever knows the email address that it was made with',
    access: 'public',
    params: z.object({ token: orderToken }),
    body: wanted.extend({ email }),
    response: z.object({ certificate: orderCertificate }),
    problems: [
      'not-found',
      'certificate-not-yet',
      'certificate-revoked',
      'certificate-erased',
      'too-many-requests',
    ],
    limit: { max: 30, windowSeconds: 600 },
  }),
  'POST /api/admin/certificates/{code}/revoke': endpoint({
    audit: 'certificate.revoked',
    service: 'orders',
    summary:
      'Revokes a certificate in all its versions, for good. Whoever checks it reads the reason. Revoking it again ' +
      'changes nothing',
    access: ['admin'],
    permission: 'certificates:write',
    params,
    body: z.object({ reason: requiredText(500) }),
    response: z.object({ order: adminOrder }),
    problems: CODE_PROBLEMS,
  }),
};
