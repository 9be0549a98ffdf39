import {
  ORGANISATION as EXAMPLE,
  type OrganisationFacts,
  sellerLine,
} from '@arboleda/contracts/organisation.ts';
import firstPortrait from '../art/founder-a.svg';
import secondPortrait from '../art/founder-b.svg';

/** Filled in by the gateway, so that one build serves every organization. */
const WHILE_PRERENDERING = { seller: '%SELLER%', contactEmail: '%CONTACT_EMAIL%' };

/** Facts that the gateway wrote into the page; those of contracts/organisation.ts without a gateway. */
function factsOfPage(): OrganisationFacts {
  const told = globalThis.document?.documentElement.dataset.organisation;
  return told === undefined || told.startsWith('%') ? EXAMPLE : (JSON.parse(told) as OrganisationFacts);
}

const facts = factsOfPage();

/**
 * Facts about the organization. Texts around them are in i18n/locales. Names are the same in every language; roles are
 * texts (landing: founders).
 */
export const ORGANISATION = {
  name: EXAMPLE.name,
  /** Legal name, tax ID and address, as far as they are set. */
  seller: sellerLine(facts),
  contactEmail: facts.contactEmail,
  ...(import.meta.env?.SSR && WHILE_PRERENDERING),
  /** The organization's page about other ways to give. */
  contributeUrl: 'https://arboleda.example/contribute',
  /** Portraits are shown at 300 × 340 px. */
  founders: {
    first: { name: 'Catalina Mejía', portrait: firstPortrait },
    second: { name: 'Andrés Quintero', portrait: secondPortrait },
  },
};
