import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestSandbox } from './sandbox.ts';

/** As strict as the product's own: no inline code. */
const policy = (sandbox: string) =>
  `default-src 'self'; script-src 'self' ${sandbox}; frame-src ${sandbox}; connect-src 'self' ${sandbox}; style-src 'self'`;

const PAGE = (scriptUrl: string) => `<!doctype html><html lang="en"><head><title>Shop</title>
<script src="${scriptUrl}"></script></head><body><main><h1>Shop</h1>
<form><label>Email <input id="email"></label><div id="card"></div><button>Pay</button><p id="said" role="status"></p></form>
</main><script src="/shop.js"></script></body></html>`;

/** A minimal shop with a Payment Element. */
const SCRIPT = `
const locale = new URLSearchParams(location.search).get('locale') ?? 'en';
const stripe = Stripe('pk_test_sandbox', { locale });
const elements = stripe.elements({ mode: 'payment', amount: 2500, currency: 'usd', locale,
  appearance: { variables: { colorText: '#16261D', borderRadius: '4px' }, rules: { '.Label': { fontWeight: '600' } } } });
elements.create('payment').mount('#card');
const said = document.querySelector('#said');
async function pay() {
  const { error: incomplete } = await elements.submit();
  if (incomplete) return incomplete.code;
  const { clientSecret } = await (await fetch('/intent')).json();
  const { error, paymentIntent } = await stripe.confirmPayment({ elements, clientSecret, redirect: 'if_required' });
  return error ? error.message : paymentIntent.status;
}
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  said.textContent = '';
  said.textContent = await pay().catch((error) => 'thrown: ' + error.message);
});`;

export interface Shop {
  url: string;
  close(): Promise<void>;
}

/** A shop of another origin than the sandbox, with a strict content security policy. */
export async function openShop(sandbox: TestSandbox): Promise<Shop> {
  const server = createServer(async (req, res) => {
    if (req.url === '/intent') {
      const intent = await sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
      res
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ clientSecret: intent.client_secret }));
    } else if (req.url === '/shop.js') {
      res.setHeader('Content-Type', 'text/javascript').end(SCRIPT);
    } else {
      res.setHeader('Content-Security-Policy', policy(sandbox.url));
      res.setHeader('Content-Type', 'text/html').end(PAGE(sandbox.scriptUrl));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
