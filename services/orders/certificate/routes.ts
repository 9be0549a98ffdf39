import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import { parseCertificateCode } from '@arboleda/contracts/certificate-code.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { ordersCertificateEndpoints } from '@arboleda/contracts/endpoints/orders/certificates.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { BuyerProof } from '../buyer-proof.ts';
import type { Order } from '../order/order.ts';
import type { Orders } from '../order/store.ts';
import type { CertifiedOrders } from './store.ts';
import { adminView } from '../order/views/admin.ts';
import { certificateView } from '../order/views/common.ts';
import {
  decideCertificate,
  decideRevocation,
  type FoundVersion,
  photoOf,
  type NewCode,
  versionOf,
} from './certificate.ts';
import { contextDocument, credentialOf, type Issuer, statusCredentialOf } from './credential.ts';
import type { CertificateDocuments } from './document/document.ts';
import { encodedList } from './status-list.ts';
import type { CertificateStatuses } from './store.ts';
import { newestOf } from './versions.ts';

type CertificateAnswer = ApiResponse<'GET /api/certificates/{code}'>;

interface Parts {
  store: Orders & CertifiedOrders;
  statuses: CertificateStatuses;
  documents: CertificateDocuments;
  issuer: Issuer;
  buyerProof: BuyerProof;
  newCode: NewCode;
  clock: () => Date;
  /** @throws Problem `not-found` */
  found(order: Order | undefined): Order;
  addressOf(person: Person): string | undefined;
}

export function certificateRoutes(parts: Parts): Handlers<typeof ordersCertificateEndpoints> {
  const { store, statuses, documents, issuer, buyerProof, newCode, clock, found, addressOf } = parts;
  const now = () => clock().toISOString();

  /** @throws Problem `certificate-mistyped` or `certificate-unknown` */
  async function byCode(typed: string): Promise<FoundVersion> {
    const code = parseCertificateCode(typed);
    if (code === 'mistyped') {
      const fields = [{ path: 'code', type: 'certificate-mistyped' as const }];
      throw new Problem('certificate-mistyped', { fields });
    }
    const order = await store.byCertificate(code);
    return versionOf(order && found(order), code);
  }

  /** @param recipient who has the order as a gift, when they ask */
  const issue = async (
    orderId: string,
    wanted: Parameters<typeof decideCertificate>[1],
    recipient?: Actor,
  ) => {
    const order = await store.change(orderId, (current) =>
      decideCertificate(found(current), wanted, { at: now(), newCode, recipient }),
    );
    return { certificate: certificateView(found(order).certificate!) };
  };

  return {
    async 'GET /api/certificates/{code}'({ params }) {
      return answerOf(await byCode(params.code), issuer.name);
    },

    async 'GET /api/certificates/{code}/document'({ params, query: { language } }) {
      const version = await byCode(params.code);
      if (version.state !== 'valid') throw new Problem(`certificate-${version.state}`);
      return documents.of(version, language ?? version.certificate.language);
    },

    async 'GET /api/certificates/{code}/credential'({ params }) {
      const version = await byCode(params.code);
      const status = await statuses.entryOf(version.version.code);
      return credentialOf(version, status!, issuer);
    },

    'GET /api/certificates/context': async () => contextDocument(issuer.siteUrl),

    async 'GET /api/certificate-status/{list}'({ params }) {
      const list = Number(params.list);
      const ended = await statuses.endedIn(list);
      if (!ended) throw new Problem('not-found');
      return statusCredentialOf(list, encodedList(ended), issuer, now());
    },

    'GET /.well-known/did.json': async () => issuer.keys.document(),

    async 'POST /api/customers/orders/{id}/certificate'({ person, params, body }) {
      const order = found(await store.get(params.id));
      if (order.gift?.claim?.accountId === person.id) return issue(order.id, body, { role: 'customer' });
      if (order.customer.email.toLowerCase() !== addressOf(person)) throw new Problem('not-found');
      return issue(order.id, body);
    },

    async 'POST /api/track/{token}/certificate'({ params, body: { email, ...wanted }, address }) {
      const order = found(await store.byToken(params.token));
      await buyerProof.require(order, { email, address, erased: 'certificate-erased' });
      return issue(order.id, wanted);
    },

    async 'POST /api/admin/certificates/{code}/revoke'({ params, body: { reason }, person }) {
      const { order } = await byCode(params.code);
      const by = { role: 'admin', id: person.id, name: person.name } as const;
      const changed = await store.change(order.id, (current) => {
        const change = decideRevocation(found(current), { reason, by, at: now() });
        const object = { type: 'certificate', id: params.code } as const;
        return change && { ...change, audit: [{ object, orderId: order.id, withheld: ['reason'] }] };
      });
      return { order: adminView(found(changed), person) };
    },
  };
}

function answerOf(found: FoundVersion, issuer: string): CertificateAnswer {
  const { certificate, version, number, state } = found;
  const { photo: _stored, ...facts } = version.facts;
  const photo = photoOf(found);
  return {
    code: version.code,
    state,
    version: number,
    issuedAt: version.issuedAt,
    ...(state === 'superseded' && {
      newest: { code: newestOf(certificate).code, version: certificate.versions.length },
    }),
    ...(certificate.revoked && { revoked: certificate.revoked }),
    name: state === 'valid' ? certificate.name : null,
    language: certificate.language,
    ...facts,
    country: 'CO',
    ...(photo !== undefined && { photo }),
    issuer,
  };
}
