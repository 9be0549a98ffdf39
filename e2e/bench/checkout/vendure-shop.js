/**
 * A typical Vendure shop: one variant, the dummy payment handler that settles at once, and its own tables in the given
 * database. It has no search index, no mail and no job worker.
 */
import {
  bootstrap,
  dummyPaymentHandler,
  LanguageCode,
  ProductService,
  ProductVariantService,
  RequestContextService,
} from '@vendure/core';
import { randomUUID } from 'node:crypto';
import { populateInitialData } from '@vendure/core/cli/index.js';

const [databaseUrl, port] = process.argv.slice(2);
const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);

const app = await bootstrap({
  apiOptions: {
    port: Number(port),
    hostname: '127.0.0.1',
    shopApiPath: 'shop-api',
    adminApiPath: 'admin-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'owner', password: randomUUID() },
    cookieOptions: { secret: randomUUID() },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: hostname,
    port: Number(databasePort),
    username,
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    // Makes the tables.
    synchronize: true,
    logging: false,
    poolSize: 16,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: { setDefaultContext() {}, error: console.error, warn() {}, info() {}, verbose() {}, debug() {} },
  plugins: [],
});

await populateInitialData(app, {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  countries: [{ name: 'Spain', code: 'ES', zone: 'Europe' }],
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [{ name: 'Standard Shipping', price: 500 }],
  paymentMethods: [
    {
      name: 'Dummy',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
});

const ctx = await app.get(RequestContextService).create({ apiType: 'admin' });
const product = await app.get(ProductService).create(ctx, {
  translations: [{ languageCode: LanguageCode.en, name: 'Tree', slug: 'tree', description: '' }],
});
const [variant] = await app.get(ProductVariantService).create(ctx, [
  {
    productId: product.id,
    sku: 'TREE',
    price: 500,
    // There are trees for everybody: stock is not what is measured.
    trackInventory: 'FALSE',
    translations: [{ languageCode: LanguageCode.en, name: 'Tree' }],
  },
]);
process.send({ variantId: String(variant.id) });
