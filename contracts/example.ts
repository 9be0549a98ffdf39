type Json = Record<string, unknown>;

/** Examples by field name, for schemas that accept too much to be informative. */
const BY_NAME: Record<string, unknown> = {
  _id: '65f0c0ffee65f0c0ff9f3c1a',
  accountNumber: '000-000000-00',
  amount: 8_230_000,
  amountReceived: 8_230_000,
  capacityTrees: 1000,
  checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_a1b2',
  clientId: 'phone-7-photo-3',
  client_secret: 'pi_3QK7e2LkdIwHu7ix0hYt4K2s_secret_a1b2',
  code: 'QU-014',
  confirmPassword: 'guadua y cedro 73',
  country: 'Colombia',
  countryCode: 'CO',
  currency: 'COP',
  currentPassword: 'guadua y cedro 73',
  customerCountry: 'CO',
  customerEmail: 'ana@example.org',
  customerName: 'Ana Gómez',
  deliverOn: '2026-12-24',
  customerPhone: '+57 300 000 0000',
  details: '[{"clientId":"phone-7-photo-3","takenAt":"2026-11-21T20:00:00Z"}]',
  email: 'ana@example.org',
  exchangeRate: 4115,
  fileSize: 183_204,
  filename: 'Zk3vX1qTz8mYw2LpQe7R9a.jpg',
  flag: '🇨🇴',
  gift: JSON.stringify({
    recipientName: 'Olga',
    recipientEmail: 'olga@example.org',
    message: 'For your birthday.',
    language: 'es',
    card: 'valley',
    deliverOn: '2026-12-24',
    timeZone: 'America/Bogota',
  }),
  formatted: '$20,575',
  basePrice: 5,
  localPrice: 20_575,
  last4: '4242',
  brand: 'visa',
  latitude: 4.637812,
  longitude: -75.487654,
  locale: 'es-CO',
  location: 'Vereda Cocora, Salento',
  name: 'Ana Gómez',
  newPassword: 'roble y nogal 91',
  note: 'Seen on the statement of 21 November.',
  notes: 'Planted along the stream.',
  orderToken: 'Zk3vX1qTz8mYw2LpQe7R9a',
  originalName: 'IMG_2041.jpg',
  originalOrderId: '65f0c0ffee65f0c0ff9f3c1a',
  otpauthUrl: 'otpauth://totp/Arboleda:ana@example.org?secret=JBSWY3DPEHPK3PXP&issuer=Arboleda',
  packageType: 'grove',
  password: 'guadua y cedro 73',
  priceId: 'price_first_year',
  publishableKey: 'pk_live_a1b2c3',
  q: 'ana',
  ratesAsOf: '2026-11-21',
  reason: 'The transfer did not arrive.',
  referenceNumber: 'ARB-7K3Q9F',
  region: 'Quindío',
  secret: 'JBSWY3DPEHPK3PXP',
  shortId: '9F3C1A',
  siteUrl: 'https://arboleda.example.org',
  symbol: '$',
  quote: 'eyJhbGciOiJIUzI1NiJ9.eyJjdXJyZW5jeSI6IkNPUCJ9.a1b2c3',
  text: 'The donor asked for a place near the river.',
  timeZone: 'America/Bogota',
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIzZjBjOWE1MiJ9.a1b2c3',
  transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K2s',
  trees: 5,
  workerId: 'QU-014',
};

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-21T20:00:00Z',
  date: '2026-11-21',
  email: 'ana@example.org',
  uri: 'https://arboleda.example.org',
  uuid: '3f0c9a52-6d1b-4a77-9c1e-8a4a6f2b7d10',
};

const ORDER_ID = '65f0c0ffee65f0c0ff9f3c1a';
const TOKEN = 'Zk3vX1qTz8mYw2LpQe7R9a';

/** Values only the API can create and sign. */
export const isOnlyOurs = (name: string): boolean => name === 'quote' || name === 'cursor';

/** Readable example of a JSON schema: the schema's own, else by the field's name, else the simplest valid value. */
export function exampleOf(schema: Json, name = ''): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return suggested(schema, name) ?? schema.enum[0];
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[];
  if (choice) return exampleOf(choice, name);
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>)
          .filter(([key]) => !isOnlyOurs(key) || ((schema.required ?? []) as string[]).includes(key))
          .map(([key, property]) => [key, exampleOf(property, key)]),
      );
    case 'array':
      return Array.from({ length: Math.max(Number(schema.minItems ?? 1), 1) }, () =>
        exampleOf((schema.items ?? {}) as Json, name.replace(/s$/, '')),
      );
    case 'boolean':
      return schema.default ?? true;
    case 'integer':
    case 'number':
      return suggested(schema, name) ?? schema.default ?? Math.max(Number(schema.minimum ?? 1), 1);
    case 'string':
      return suggested(schema, name) ?? schema.default ?? stringOf(schema);
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Example for the field's name, if the schema accepts it. */
function suggested(schema: Json, name: string): unknown {
  const value = BY_NAME[name];
  return value !== undefined && fits(schema, value) ? value : undefined;
}

function fits(schema: Json, value: unknown): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.type === 'integer' || schema.type === 'number') {
    return (
      typeof value === 'number' &&
      value >= Number(schema.minimum ?? -Infinity) &&
      value <= Number(schema.maximum ?? Infinity)
    );
  }
  if (typeof value !== 'string') return false;
  return (
    value.length >= Number(schema.minLength ?? 0) &&
    value.length <= Number(schema.maxLength ?? Infinity) &&
    patternsOf(schema).every((pattern) => new RegExp(pattern, 'u').test(value))
  );
}

function stringOf(schema: Json): string {
  const byFormat = BY_FORMAT[String(schema.format)];
  if (byFormat) return byFormat;
  const simple = [ORDER_ID, TOKEN, `${TOKEN}.jpg`, 'text', '320'];
  return simple.find((text) => fits(schema, text)) ?? '';
}

const patternsOf = ({ pattern, allOf = [] }: Json): string[] =>
  [pattern, ...(allOf as Json[]).map((one) => one.pattern)].filter((one) => typeof one === 'string');
