/** Somebody who buys at Vendure's Shop API as its storefronts do: a session, a cart, an address, a payment. */
export function openVendureBuyer(url: string, variantId: string) {
  let method: Promise<string> | undefined;

  return async function buy(): Promise<void> {
    let session: string | undefined;
    const ask = async (query: string): Promise<Record<string, Answer>> => {
      const response = await fetch(`${url}/shop-api`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session && { authorization: `Bearer ${session}` }),
        },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as { data?: Record<string, Answer>; errors?: unknown };
      const wrong = Object.values(data ?? {}).find((answer) => !Array.isArray(answer) && answer.errorCode);
      if (!data || errors || wrong) throw new Error(`${query}: ${JSON.stringify(errors ?? wrong)}`);
      session = response.headers.get('vendure-auth-token') ?? session;
      return data;
    };
    const mutate = (what: string) => ask(`mutation { ${what} { __typename ${RESULT} } }`);

    await mutate(`addItemToOrder(productVariantId: "${variantId}", quantity: 5)`);
    await mutate(`setCustomerForOrder(input: {
      emailAddress: "${crypto.randomUUID()}@bench.test", firstName: "Bench", lastName: "Buyer" })`);
    await mutate('setOrderShippingAddress(input: { streetLine1: "Calle 1", countryCode: "ES" })');
    method ??= ask('{ eligibleShippingMethods { id } }').then(
      (data) => (data.eligibleShippingMethods as Answer[])[0]!.id!,
    );
    await mutate(`setOrderShippingMethod(shippingMethodId: ["${await method}"])`);
    await mutate('transitionOrderToState(state: "ArrangingPayment")');
    const { addPaymentToOrder: paid } = await mutate(
      'addPaymentToOrder(input: { method: "dummy", metadata: {} })',
    );
    if ((paid as Answer).state !== 'PaymentSettled')
      throw new Error(`an order ended as ${JSON.stringify(paid)}`);
  };
}

const RESULT = '... on Order { state } ... on ErrorResult { errorCode message }';

interface Answer {
  id?: string;
  state?: string;
  errorCode?: string;
}
