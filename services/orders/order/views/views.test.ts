import { newKey } from '@arboleda/chassis/keys.ts';
import { testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { ConfigError } from '@arboleda/chassis/config.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { ADMIN_ROLES, mayDo } from '@arboleda/contracts/permissions.ts';
import { describe, expect, test } from '@jest/globals';
import { ordersConfig } from '../../config.ts';
import { decidePayment } from '../creation.ts';
import { decidePhoto } from '../photos.ts';
import { decideStep } from '../step.ts';
import type { Order } from '../order.ts';
import {
  ANA,
  assigned,
  completed,
  minute,
  newOrderId,
  payment,
  photo,
  planted,
} from '../../test/builders.ts';
import { adminView, listView } from './admin.ts';
import { customerView } from './customer.ts';
import { publicView } from './public.ts';

const orderId = newOrderId();

const pending = decidePayment(undefined, payment({ orderId }).data)!.record;

const done = [assigned(orderId), planted(orderId), completed(orderId, { notes: 'All well' })].reduce(
  (order: Order, step) => decideStep(order, step)!.record,
  pending,
);

/** A photo whose event arrived after the completion. */
const order = decidePhoto(
  done,
  photo(orderId, { coordinates: { latitude: 4.6, longitude: -75.5 } }).data,
)!.record;

describe('the private link', () => {
  const shown = publicView(order);

  test('matches the contract', () => {
    const { response } = ordersEndpoints['GET /api/track/{token}'];
    expect(response!.parse(shown)).toEqual(JSON.parse(JSON.stringify(shown)));
  });

  test('shows a first name, and no address or phone number', () => {
    expect(shown.customerName).toBe('María');
    expect(shown.assignedWorker).toEqual({ name: ANA.name, region: ANA.region });
    expect(JSON.stringify(shown)).not.toMatch(/@|Pérez|300 1234567|worker-ana|All well/);
  });

  test('shows the history by time, not by arrival', () => {
    expect(shown.timeline).toEqual([
      { at: minute(0), type: 'paid' },
      { at: minute(0), type: 'created' },
      { at: minute(1), type: 'status_changed', status: 'assigned' },
      { at: minute(20), type: 'status_changed', status: 'planted' },
      { at: minute(30), type: 'photo' },
      { at: minute(50), type: 'status_changed', status: 'completed' },
    ]);
  });

  test('has every known date and no other', () => {
    expect(shown).toMatchObject({
      status: 'completed',
      createdAt: minute(0),
      assignedDate: minute(1),
      plantingDate: minute(20),
      photoDate: minute(30),
      completionDate: minute(50),
      coordinates: { latitude: 4.6, longitude: -75.5 },
    });
    const sent = JSON.parse(JSON.stringify(publicView(pending)));
    const later = [
      'assignedDate',
      'plantingDate',
      'completionDate',
      'photoDate',
      'assignedWorker',
      'coordinates',
    ];
    expect(Object.keys(sent).filter((field) => later.includes(field))).toEqual([]);
  });
});

test('a buyer sees their own name and address as given', () => {
  expect(customerView(order)).toMatchObject({
    customerName: 'María José Pérez',
    customerEmail: 'Maria@mail.test',
    shortId: orderId.slice(-6).toUpperCase(),
  });
});

const OWNER = { adminRole: 'owner' } as const;

describe('an admin', () => {
  test('sees contact, worker, revision and notes', () => {
    expect(listView(order, OWNER)).toMatchObject({
      customerPhone: '+57 300 1234567',
      customerCountry: 'CO',
      assignedWorker: ANA,
      revision: 3,
      notes: 'All well',
      amount: 8_230_000,
      currency: 'COP',
    });
  });

  test.each(ADMIN_ROLES)('who is %s gets the private link only if they may change orders', (adminRole) => {
    const token = mayDo(adminRole, 'orders:write') ? order.token : undefined;
    expect(listView(order, { adminRole }).token).toBe(token);
    expect(adminView(order, { adminRole }).token).toBe(token);
  });

  test('sees actors and changes in the history', () => {
    expect(adminView(order, OWNER).timeline.at(-1)).toEqual({
      at: minute(50),
      type: 'status_changed',
      from: 'planted',
      to: 'completed',
      status: 'completed',
      by: { role: 'worker', id: ANA.workerId, name: ANA.name },
      note: 'All well',
    });
  });

  test('sees the worker’s name on a photo, though its event has only an id', () => {
    const photoEntry = adminView(order, OWNER).timeline.find((entry) => entry.type === 'photo');
    expect(photoEntry?.by).toEqual({ role: 'worker', id: ANA.workerId, name: ANA.name });
    const early = decidePhoto(pending, photo(orderId).data)!.record;
    expect(adminView(early, OWNER).timeline.at(-1)?.by).toEqual({ role: 'worker', id: ANA.workerId });
  });
});

const env = {
  AUTH_URL: 'http://127.0.0.1:1',
  DATABASE_URL: 'postgresql://127.0.0.1/x',
  ...testServiceKeyVariables('orders'),
  ORDER_TOKEN_SECRET: 'uV9-kq2LmZt7_RwXc4yBh8NdPf3GsJ6a',
  SITE_URL: 'http://localhost:8080',
  CERTIFICATE_KEY: newKey('ed25519'),
};

test('the public counter starts at 50000 trees by default', () => {
  expect(ordersConfig(env).statsBaselineTrees).toBe(50_000);
  expect(ordersConfig({ ...env, STATS_BASELINE_TREES: '0' }).statsBaselineTrees).toBe(0);
  expect(ordersConfig({ ...env, STATS_BASELINE_TREES: '' }).statsBaselineTrees).toBe(50_000);
});

test.each(['-1', '1.5', 'many'])('a baseline of %s trees stops the start and is named', (value) => {
  const read = () => ordersConfig({ ...env, STATS_BASELINE_TREES: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/STATS_BASELINE_TREES/);
});

test('receipts name the configured organisation', () => {
  expect(ordersConfig(env).organisation).toEqual({
    legalName: 'Arboleda S.A.S. BIC',
    taxId: 'NIT 900.000.000-0',
    address: 'Calle 6 # 7-14, Salento, Quindío, Colombia',
    contactEmail: 'hola@arboleda.example',
  });
  const named = ordersConfig({ ...env, ORGANISATION_NAME: 'Fundación X', ORGANISATION_TAX_ID: '900.1-2' });
  expect(named.organisation).toMatchObject({ legalName: 'Fundación X', taxId: '900.1-2' });
  expect(() => ordersConfig({ ...env, ORGANISATION_NAME: ' ' })).toThrow(/ORGANISATION_NAME/);
});
