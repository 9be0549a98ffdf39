import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { type CallApi, openClient, Refused } from '@arboleda/contracts/client.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { FIXED_PACKAGES } from '@arboleda/contracts/packages.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import { type NamedPicture, pictureForm, PLACE, receipt } from './photos.ts';
import { type WaitOptions, waitUntil } from './wait.ts';

/** Addresses of the product and of the card provider. */
export interface Site {
  url: string;
  stripeApiUrl: string;
  stripePublishableKey: string;
}

/** A purchase; absent fields have the same default for all. */
export interface Purchase {
  trees?: number;
  currency?: Currency;
  language?: Language;
  /** A language tag of a browser; the language by default. */
  locale?: string;
  /** Code of the buyer's country, from the browser's language. */
  country?: string;
  name?: string;
  gift?: Gift;
  /** The same key buys once. */
  idempotencyKey?: string;
}

export interface Transfer extends Purchase {
  phone?: string;
  reference?: string;
  evidence?: readonly NamedPicture[];
}

/** A phone may send a photo again under the same name of its own. */
type SentPicture = NamedPicture & { clientId?: string };

/** A payment by card that begins. */
export type StartedPayment = ApiResponse<'POST /api/pricing/create-payment-intent'>;

export interface DriverOptions extends WaitOptions {
  /** Makes each call: once, unless a test repeats what got no answer. A repetition has the same idempotency key. */
  attempt?: <T>(what: string, ask: (signal?: AbortSignal) => Promise<T>) => Promise<T>;
}

export type Driver = ReturnType<typeof openDriver>;

export const intentIdOf = (clientSecret: string): string =>
  clientSecret.slice(0, clientSecret.indexOf('_secret_'));

/**
 * The whole line of the product, from a purchase to a completed order, by the calls that its pages make. The demo and
 * all tests of a running product use it.
 */
export function openDriver(site: Site, options: DriverOptions = {}) {
  const { attempt = (_what, ask) => ask(options.signal) } = options;
  const client = openClient(site.url);
  const call: CallApi = (key, ...[parts]) => {
    const idempotencyKey = parts?.idempotencyKey ?? randomUUID();
    return attempt(key, (signal) =>
      client(key, { ...parts, idempotencyKey, ...(signal && { signal }) } as never),
    );
  };
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>) => waitUntil(what, ask, options);

  const start = (email: string, purchase: Purchase = {}): Promise<StartedPayment> => {
    const { name = 'Ana Torres', language = 'en', locale = language, gift } = purchase;
    const buyer = { customerEmail: email, customerName: name, locale };
    const body = { ...goodsOf(purchase, 'USD'), ...buyer, ...(gift && { gift }) };
    return call('POST /api/pricing/create-payment-intent', { ...headersOf(purchase, language), body });
  };

  /** Charges the card of a payment: once, however often it is asked. @returns the intent */
  const pay = (clientSecret: string): Promise<string> => {
    const id = intentIdOf(clientSecret);
    return attempt('the card', async (signal) => {
      const ask = (path: string, init: RequestInit) =>
        fetch(`${site.stripeApiUrl}/v1/payment_intents/${id}${path}`, {
          ...init,
          signal: signal ?? null,
          headers: { authorization: `Bearer ${site.stripePublishableKey}` },
        });
      const secret = { client_secret: clientSecret };
      const body = new URLSearchParams({ ...secret, payment_method: 'pm_card_visa' });
      const confirmed = await ask('/confirm', { method: 'POST', body });
      const said = await confirmed.text();
      if (confirmed.ok) return id;
      // The first answer may have been lost.
      const seen = await ask(`?${new URLSearchParams(secret)}`, {});
      const { status } = (await seen.json()) as { status?: string };
      if (status !== 'succeeded') throw new Error(`confirm: ${confirmed.status} ${said}`);
      return id;
    });
  };

  /** The order as its private link shows it; undefined while there is none. */
  const track = (token: string) => unlessMissing(call('GET /api/track/{token}', { params: { token } }));
  const isVisible = async (token: string): Promise<boolean> => (await track(token)) !== undefined;
  const untilVisible = (order: { orderId: string; orderToken: string }) =>
    until(`order ${order.orderId}`, () => track(order.orderToken));

  const assignmentOf = async (worker: string, orderId: string) => {
    const { assignments } = await call('GET /api/workers/assignments', {
      token: worker,
      query: { q: orderId },
    });
    return assignments.find((one) => one.orderId === orderId);
  };

  const setStatus = (
    worker: string,
    assignmentId: string,
    body: { status: 'planted' | 'completed'; coordinates?: Coordinates; location?: string; notes?: string },
  ) =>
    call('PUT /api/workers/assignments/{id}/status', { token: worker, params: { id: assignmentId }, body });

  const workerId = (admin: string, email: string) =>
    until(`the worker ${email}`, async () => {
      const { workers } = await call('GET /api/admin/workers', { token: admin, query: { q: email } });
      return workers.find((one) => one.email === email)?.id;
    });

  /** The assignment of an order; undefined until there is one. */
  const assignment = async (admin: string, orderId: string) =>
    (
      await unlessMissing(
        call('GET /api/admin/orders/{id}/assignment', { token: admin, params: { id: orderId } }),
      )
    )?.assignment;

  return {
    call,
    start,
    pay,
    track,
    isVisible,
    untilVisible,
    assignmentOf,
    assignment,
    workerId,
    until,

    logIn: async (role: Role, email: string, password: string): Promise<string> =>
      (await call(`POST /api/auth/${role}/login`, { body: { email, password } })).token,

    /** Pays by card, and waits until the private link shows the order. */
    async buy(email: string, purchase?: Purchase): Promise<StartedPayment> {
      const payment = await start(email, purchase);
      await pay(payment.client_secret);
      await untilVisible(payment);
      return payment;
    },

    /** Announces a bank transfer with its evidence, which an admin is to verify. */
    async announce(email: string, transfer: Transfer = {}): Promise<{ orderId: string; orderToken: string }> {
      const {
        name = 'Luis Torres',
        language = 'es',
        locale = language,
        phone = '+57 300 000 0000',
      } = transfer;
      const body = pictureForm('evidenceFiles', transfer.evidence ?? [await receipt()], {
        ...goodsOf(transfer, 'COP'),
        customerEmail: email,
        customerName: name,
        customerPhone: phone,
        locale,
        paymentMethod: 'manual_bancolombia',
        bankName: 'bancolombia',
        referenceNumber: transfer.reference ?? 'ARB-1',
        ...(transfer.gift && { gift: JSON.stringify(transfer.gift) }),
      });
      return call('POST /api/manual-payments/create-order', { ...headersOf(transfer, language), body });
    },

    /** Approves a transfer; again changes nothing. */
    approve: (admin: string, orderId: string, note?: string) =>
      call('POST /api/admin/manual-payments/verify/{id}', {
        token: admin,
        params: { id: orderId },
        body: { ...(note && { note }) },
      }).catch(unlessRefusedAs('transfer-already-approved')),

    /** Rejects a transfer; again changes nothing. */
    reject: (admin: string, orderId: string, reason: string) =>
      call('POST /api/admin/manual-payments/reject/{id}', {
        token: admin,
        params: { id: orderId },
        body: { reason },
      }).catch(unlessRefusedAs('transfer-already-rejected')),

    /** The worker of an order, once it has one. */
    worker: (admin: string, orderId: string) =>
      until(`a worker for ${orderId}`, async () => (await assignment(admin, orderId))?.worker),

    /** Gives an order to a worker, whoever got it by itself. @returns the assignment's id */
    async give(admin: string, orderId: string, email: string, worker: string): Promise<string> {
      const body = { workerId: await workerId(admin, email), reason: 'Lives nearby' };
      await until(`order ${orderId} with ${email}`, async () => {
        if (!(await assignment(admin, orderId))) return undefined;
        const given = call('PUT /api/admin/orders/{id}/assignment', {
          token: admin,
          params: { id: orderId },
          body,
        });
        return given.then(() => true);
      });
      return (await until(`order ${orderId} in the list`, () => assignmentOf(worker, orderId)))._id;
    },

    plant: (
      worker: string,
      assignmentId: string,
      more: { location?: string; coordinates?: Coordinates; notes?: string } = {},
    ) => setStatus(worker, assignmentId, { status: 'planted', coordinates: PLACE, ...more }),

    /** Sends photos of what was planted. @returns what they are called */
    async photograph(worker: string, assignmentId: string, photos: readonly SentPicture[]) {
      const body = pictureForm('photos', photos);
      if (photos.some(({ clientId }) => clientId !== undefined))
        body.append('details', JSON.stringify(photos.map(({ clientId }) => ({ clientId }))));
      const parts = { token: worker, params: { id: assignmentId }, body };
      return (await call('POST /api/workers/assignments/{id}/photos', parts)).photos;
    },

    complete: (worker: string, assignmentId: string) =>
      setStatus(worker, assignmentId, { status: 'completed' }),

    /** Buys photos of the years after, on the provider's page. @returns the intent */
    async buyPhotoPackage(customer: string, orderId: string, priceId = 'price_three_year'): Promise<string> {
      const { checkoutUrl } = await call('POST /api/payments/create-photo-package-checkout', {
        token: customer,
        body: { priceId, originalOrderId: orderId },
      });
      const page = new URL(`${new URL(checkoutUrl).pathname}/intent`, site.stripeApiUrl);
      const secret = await attempt('the page to pay on', async (signal) => {
        const response = await fetch(page, { method: 'POST', signal: signal ?? null });
        if (!response.ok) throw new Error(`the page to pay on answered ${response.status}`);
        return ((await response.json()) as { clientSecret: string }).clientSecret;
      });
      return pay(secret);
    },

    payment: async (admin: string, orderId: string) =>
      (await call('GET /api/admin/orders/{id}/payment', { token: admin, params: { id: orderId } })).payment,

    /** Gives money back: all that is left, or an amount in minor units. */
    refund: async (
      admin: string,
      paymentId: string,
      reason: string,
      amount?: number,
      idempotencyKey?: string,
    ) =>
      (
        await call('POST /api/admin/payments/{id}/refunds', {
          token: admin,
          params: { id: paymentId },
          ...(idempotencyKey && { idempotencyKey }),
          body: { reason, ...(amount && { amount }) },
        })
      ).refund,
  };
}

const headersOf = ({ country, idempotencyKey }: Purchase, language: Language) => ({
  ...(country && { language: `${language}-${country}` }),
  ...(idempotencyKey && { idempotencyKey }),
});

function goodsOf({ trees = 5, currency }: Purchase, usual: Currency) {
  const fixed = Object.entries(FIXED_PACKAGES).find(([, offered]) => offered.trees === trees);
  const packageType = (fixed?.[0] ?? 'custom') as keyof typeof FIXED_PACKAGES | 'custom';
  return { trees, packageType, currency: currency ?? usual };
}

/** Undefined for 404. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });
}

/** For calls that an earlier one, or an admin since, has made unnecessary. */
export const unlessRefusedAs =
  (...types: ProblemType[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof Refused && types.some((type) => type === error.problem?.type))) throw error;
  };
