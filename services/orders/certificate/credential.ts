import { certificatePath } from '@arboleda/contracts/certificate-code.ts';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { type FoundVersion, photoOf } from './certificate.ts';
import { type CertificateKeys, multibase } from './keys.ts';
import { type StatusEntry, statusListUrl } from './status-list.ts';

type Json = Record<string, unknown>;

const CREDENTIALS = 'https://www.w3.org/ns/credentials/v2';
const CONTEXT_PATH = '/api/certificates/context';
export const contextUrl = (siteUrl: string): string => new URL(CONTEXT_PATH, siteUrl).href;

/** Terms of our credentials. Verifiers load contexts by their address, so it is a document of its own. */
export function contextDocument(siteUrl: string): Json {
  const term = (name: string) => `${contextUrl(siteUrl)}#${name}`;
  const typed = (name: string, type: string) => ({
    '@id': term(name),
    '@type': `http://www.w3.org/2001/XMLSchema#${type}`,
  });
  return {
    '@context': {
      '@protected': true,
      PlantingCertificate: term('PlantingCertificate'),
      PlantedTrees: {
        '@id': term('PlantedTrees'),
        '@context': {
          '@protected': true,
          certificateCode: term('certificateCode'),
          certificateVersion: typed('certificateVersion', 'integer'),
          donorName: term('donorName'),
          trees: typed('trees', 'integer'),
          place: term('place'),
          country: term('country'),
          plantedOn: typed('plantedOn', 'date'),
          plantedBy: term('plantedBy'),
          completedOn: typed('completedOn', 'date'),
          growthUpdates: typed('growthUpdates', 'integer'),
          lastGrowthUpdateOn: typed('lastGrowthUpdateOn', 'date'),
          photo: { '@id': term('photo'), '@type': '@id' },
        },
      },
    },
  };
}

export interface Issuer {
  keys: CertificateKeys;
  siteUrl: string;
  /** Legal name. */
  name: string;
}

/** A certificate's version as a signed credential (https://www.w3.org/TR/vc-data-model-2.0/). */
export function credentialOf(found: FoundVersion, status: StatusEntry, issuer: Issuer): Json {
  const { certificate, version, number, state } = found;
  const { photo: _stored, ...facts } = version.facts;
  const photo = photoOf(found);
  const url = (path: string) => new URL(path, issuer.siteUrl).href;
  const list = statusListUrl(issuer.siteUrl, status.list);
  const credential = {
    '@context': [CREDENTIALS, contextUrl(issuer.siteUrl)],
    id: url(certificatePath(version.code)),
    type: ['VerifiableCredential', 'PlantingCertificate'],
    issuer: { id: issuer.keys.did, name: issuer.name },
    validFrom: version.issuedAt,
    credentialStatus: {
      id: `${list}#${status.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(status.index),
      statusListCredential: list,
    },
    credentialSubject: {
      type: 'PlantedTrees',
      certificateCode: version.code,
      certificateVersion: number,
      ...(state === 'valid' && certificate.name !== null && { donorName: certificate.name }),
      ...facts,
      country: 'CO',
      ...(photo !== undefined && { photo: url(`/api/photos/${encodeURIComponent(photo)}`) }),
    },
  };
  return signed(credential, issuer.keys, version.issuedAt);
}

/** A list of states as a signed credential (https://www.w3.org/TR/vc-bitstring-status-list/). */
export function statusCredentialOf(list: number, encodedList: string, issuer: Issuer, at: string): Json {
  const id = statusListUrl(issuer.siteUrl, list);
  const credential = {
    '@context': [CREDENTIALS],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: { id: issuer.keys.did, name: issuer.name },
    validFrom: at,
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList,
    },
  };
  return signed(credential, issuer.keys, at);
}

const sha256 = (document: Json): Buffer => createHash('sha256').update(canonicalize(document)!).digest();

/** Adds a Data Integrity proof, eddsa-jcs-2022: https://www.w3.org/TR/vc-di-eddsa/#eddsa-jcs-2022 */
function signed(document: Json, keys: CertificateKeys, created: string): Json {
  const proof = {
    '@context': document['@context'],
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created,
    verificationMethod: keys.verificationMethod,
    proofPurpose: 'assertionMethod',
  };
  const signature = keys.sign(Buffer.concat([sha256(proof), sha256(document)]));
  return { ...document, proof: { ...proof, proofValue: multibase(signature) } };
}
