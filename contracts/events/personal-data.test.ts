import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { EVENTS } from './index.ts';

/** Those of workers and admins are their own, and the audit log's an admin's. */
const NAMES_ADDRESSES =
  /^(?:customer\.(?:registered|erased)|email\.\w+|password\.\w+|second_factor\.changed|admin\.\w+|audit\.recorded|worker\.\w+|payment\.(?:submitted|succeeded)|photo_package\.purchased|order\.(?:created|updated|assigned|planted|completed)|gift\.(?:scheduled|claimed|thanked)|growth_visit\.(?:due|completed))$/;
/** Sealed for notifications. */
const CARRIES_LINKS =
  /^(?:email\.(?:verification|change)_requested|password\.reset_requested|(?:admin|worker)\.invited)$/;

const SCHEMAS = Object.entries(EVENTS).map(([type, { data }]) => ({
  type,
  schema: JSON.stringify(z.toJSONSchema(data, { unrepresentable: 'any', io: 'input' })),
}));
const typesWith = (field: RegExp) =>
  SCHEMAS.filter(({ schema }) => field.test(schema)).map(({ type }) => type);

test('email addresses are in the events that need them only', () => {
  const types = typesWith(/"(?:email|from|to)":\{"type":"string"\}|"email":/);
  expect(types.filter((type) => !NAMES_ADDRESSES.test(type))).toEqual([]);
});

test('the secret of a mailed link is in the event that asks for the email only', () => {
  expect(typesWith(/"token":/).filter((type) => !CARRIES_LINKS.test(type))).toEqual([]);
});

test('no event carries a password or a card number', () => {
  expect(typesWith(/"(?:password\w*|passwordHash|cardNumber|cvc)":/)).toEqual([]);
});
