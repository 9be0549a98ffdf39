/** Settings that a Medusa storefront needs. */
export interface MedusaStore {
  url: string;
  /** Publishable. */
  key: string;
  regionId: string;
  variantId: string;
}

/** Somebody who buys at Medusa's Store API as its storefronts do: a cart, a payment session, the cart completed. */
export function openMedusaBuyer({ url, key, regionId, variantId }: MedusaStore) {
  const ask = async (path: string, body: object): Promise<Answer> => {
    const response = await fetch(`${url}/store/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-publishable-api-key': key },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  };

  return async function buy(): Promise<void> {
    const { cart } = await ask('carts', {
      region_id: regionId,
      email: `${crypto.randomUUID()}@bench.test`,
      shipping_address: { first_name: 'Bench', last_name: 'Buyer', address_1: 'Calle 1', country_code: 'es' },
      items: [{ variant_id: variantId, quantity: 5 }],
    });
    const { payment_collection: payment } = await ask('payment-collections', { cart_id: cart!.id });
    await ask(`payment-collections/${payment!.id}/payment-sessions`, { provider_id: 'pp_system_default' });
    const completed = await ask(`carts/${cart!.id}/complete`, {});
    // Medusa answers 200 for a cart that could not be completed, too.
    if (completed.type !== 'order' || !completed.order)
      throw new Error(`a cart ended as ${JSON.stringify(completed)}`);
  };
}

interface Answer {
  cart?: { id: string };
  payment_collection?: { id: string };
  type?: 'order' | 'cart';
  order?: { id: string };
}
