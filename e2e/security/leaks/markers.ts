import { servicePrivateKey, signServiceToken } from '@arboleda/chassis/http/service-token.ts';
import { openDriver } from '../../driver/driver.ts';
import { openInbox } from '../../harness/inbox.ts';
import type { Target } from '../frame/target.ts';

/** Personal data of one person, unusual enough to be found in any text. */
const PERSON = {
  name: 'Xiomara Quetzalnagual Wvzbrk',
  email: 'xiomara.qwvzbrk@markers.test',
  phone: '+57 399 887 76 65',
  password: 'Zq8-wvzbrk-marker-pass',
  card: '4242 4242 4242 4242',
  reference: 'REF-WVZBRK-7788',
};
const PLACE = 'Vereda Wvzbrk, casa 7';

/** Lives through everything that one person meets, also mistakes. @returns what must not be found, by its name */
export async function leaveMarkers(target: Target): Promise<Record<string, string>> {
  const { product, call, objects } = target.filled;
  const json = { 'Content-Type': 'application/json' };
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(product.url + path, init);
    return response.text();
  };
  const { token } = await call('POST /api/auth/customer/register', {
    body: { name: PERSON.name, email: PERSON.email, password: PERSON.password },
  });
  const login = JSON.stringify({ email: PERSON.email, password: `${PERSON.password}-wrong` });
  await send('/api/auth/customer/login', { method: 'POST', headers: json, body: login });
  await send('/api/auth/customer/login', { method: 'POST', headers: json, body: login.slice(0, -9) });
  await send('/api/auth/customer/forgot-password', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: PERSON.email }),
  });
  await send(`/api/customers/orders?access_token=${token}&email=${PERSON.email}`, {});
  await send(`/api/nothing/${PERSON.email}/${token}`, { headers: { Authorization: `Bearer ${token}` } });
  await send('/api/customers/orders', { headers: { Authorization: `Bearer ${token}x` } });
  await send(`/${encodeURIComponent(PERSON.email)}?token=${token}`, {});
  // A card number where none belongs.
  await send('/api/pricing/create-payment-intent', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ trees: PERSON.card, customerName: PERSON.card, customerEmail: PERSON.email }),
  });
  const order = await openDriver(product).buy(PERSON.email, { trees: 1 });
  await call('PUT /api/admin/orders/{id}', {
    token: target.tokens.admin,
    params: { id: order.orderId },
    body: { customerName: PERSON.name, location: PLACE } as never,
  }).catch(() => undefined);
  const form = new FormData();
  for (const [name, value] of Object.entries({
    trees: '1',
    packageType: 'individual',
    currency: 'COP',
    customerEmail: PERSON.email,
    customerName: PERSON.name,
    customerPhone: PERSON.phone,
    referenceNumber: PERSON.reference,
  }))
    form.append(name, value);
  form.append('evidenceFiles', new Blob([`${PERSON.name} no picture`]), `${PERSON.name}.jpg`);
  await send('/api/manual-payments/create-order', { method: 'POST', body: form });
  const mails = openInbox(product.inboxUrl);
  const reset = await mails.mail(PERSON.email, /reset-password/);
  const mailed = /#token=([\w-]+)/.exec(reset.text)?.[1] ?? '';
  await send('/api/auth/customer/reset-password', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token: mailed, password: 'short' }),
  });
  const serviceToken = await signServiceToken(
    servicePrivateKey.parse(product.serviceKeys.orders),
    'orders',
    'media',
  );
  return {
    ...Object.fromEntries(Object.entries(PERSON).map(([name, value]) => [`the ${name}`, value])),
    'the phone in digits': PERSON.phone.replace(/\D/g, ''),
    'the card in digits': PERSON.card.replaceAll(' ', ''),
    'the place': PLACE,
    'the session': token.split('.')[2]!,
    'the link of a mail': mailed,
    'the secret of an order': order.orderToken,
    'another secret of an order': objects.orderToken,
    'the secret of news': objects.newsToken,
    'the secret of a payment': order.client_secret,
    ...Object.fromEntries(
      Object.entries(product.serviceKeys).map(([name, key]) => [`the key of ${name}`, key]),
    ),
    'a service’s token': serviceToken.split('.')[0]!,
    'Stripe’s secret': product.stripeSecretKey,
    'the secret of webhooks': product.stripeWebhookSecret,
    'the password of the database': decodeURIComponent(new URL(product.databaseUrl).password),
    'the password of people of the suites': 'guadua-cedro-7310',
    'the name of another': 'Rosa Prueba',
  };
}
