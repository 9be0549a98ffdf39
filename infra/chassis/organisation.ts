import { ORGANISATION, type OrganisationFacts } from '@arboleda/contracts/organisation.ts';
import { z } from 'zod';
import { type Environment, readEnvironment } from './environment.ts';
import { isPublicProduction } from './production.ts';

/** The seller, as pages, receipts and emails name it. */
export type Organisation = OrganisationFacts;

const line = z.string().trim().min(1).max(120);

/** The example's facts, with the variables that replace them. In public production they would name a seller who does not exist. */
const EXAMPLE = {
  ORGANISATION_NAME: 'Arboleda S.A.S. BIC',
  ORGANISATION_TAX_ID: 'NIT 900.000.000-0',
  ORGANISATION_ADDRESS: 'Calle 6 # 7-14, Salento, Quindío, Colombia',
} as const;
type Variable = keyof typeof EXAMPLE;

/**
 * The facts of contracts/organisation.ts, unless variables replace them. Public production leaves out those of the example.
 * @throws ConfigError naming the variable
 */
export function organisationOf(env: Environment): Organisation {
  const read = readEnvironment(env, {
    ORGANISATION_NAME: line.default(ORGANISATION.legalName),
    ORGANISATION_TAX_ID: line.default(ORGANISATION.taxId),
    ORGANISATION_ADDRESS: line.default(ORGANISATION.address),
    ORGANISATION_EMAIL: z.email().default(ORGANISATION.contactEmail),
  });
  const known = (name: Variable) =>
    isPublicProduction(env) && read[name] === EXAMPLE[name] ? '' : read[name];
  return {
    legalName: known('ORGANISATION_NAME'),
    taxId: known('ORGANISATION_TAX_ID'),
    address: known('ORGANISATION_ADDRESS'),
    contactEmail: read.ORGANISATION_EMAIL,
  };
}

/** Variables of the facts about the seller that public production lacks. */
export function unknownSeller(env: Environment): Variable[] {
  const { legalName, taxId, address } = organisationOf(env);
  const facts = { ORGANISATION_NAME: legalName, ORGANISATION_TAX_ID: taxId, ORGANISATION_ADDRESS: address };
  return (Object.keys(facts) as Variable[]).filter((name) => facts[name] === '');
}

/** Why public production must not start: receipts would name the example's organisation. */
export function exampleOrganisation(env: Environment): string[] {
  if (!isPublicProduction(env)) return [];
  const { taxId, contactEmail } = organisationOf(env);
  return [
    ...(taxId === '' || /000[.-]?000/.test(taxId) ? ['ORGANISATION_TAX_ID: is the example’s'] : []),
    ...(/\.(example|test|invalid|local|localhost)$/i.test(contactEmail)
      ? ['ORGANISATION_EMAIL: is the example’s']
      : []),
  ];
}
