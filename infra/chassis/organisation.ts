import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { z } from 'zod';
import { type Environment, readEnvironment } from './environment.ts';
import { isPublicProduction } from './production.ts';

/** The seller, as receipts and emails name it. */
export interface Organisation {
  legalName: string;
  taxId: string;
  address: string;
  contactEmail: string;
}

const line = z.string().trim().min(1).max(120);

/** The facts of contracts/organisation.ts, unless variables replace them. @throws ConfigError naming the variable */
export function organisationOf(env: Environment): Organisation {
  const read = readEnvironment(env, {
    ORGANISATION_NAME: line.default(ORGANISATION.legalName),
    ORGANISATION_TAX_ID: line.default(ORGANISATION.taxId),
    ORGANISATION_ADDRESS: line.default(ORGANISATION.address),
    ORGANISATION_EMAIL: z.email().default(ORGANISATION.contactEmail),
  });
  return {
    legalName: read.ORGANISATION_NAME,
    taxId: read.ORGANISATION_TAX_ID,
    address: read.ORGANISATION_ADDRESS,
    contactEmail: read.ORGANISATION_EMAIL,
  };
}

/** Why public production must not start: receipts would name the example's organisation. */
export function exampleOrganisation(env: Environment): string[] {
  if (!isPublicProduction(env)) return [];
  const { taxId, contactEmail } = organisationOf(env);
  return [
    ...(/000[.-]?000/.test(taxId) ? ['ORGANISATION_TAX_ID: is the example’s'] : []),
    ...(/\.(example|test|invalid|local|localhost)$/i.test(contactEmail)
      ? ['ORGANISATION_EMAIL: is the example’s']
      : []),
  ];
}
