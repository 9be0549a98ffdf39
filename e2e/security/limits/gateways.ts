import { SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { startGateway } from '@arboleda/gateway/service.ts';
import { silent } from '../gateway/echo.ts';
import type { Target } from '../frame/target.ts';

/** Gateways with all their limits on, before the services of the product, counting in its database together. */
export async function openGateways({ filled: { product } }: Target, trustedProxies: string, count: number) {
  const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, product.serviceUrls[name]] as const);
  const config = gatewayConfig({
    ...Object.fromEntries(urls),
    SITE_URL: product.url,
    PORT: '0',
    RATE_LIMIT_DATABASE_URL: product.databaseUrl,
    TRUSTED_PROXIES: trustedProxies,
  });
  const gateways = await Promise.all(
    Array.from({ length: count }, () => startGateway(config, { logger: silent })),
  );
  return {
    urls: gateways.map(({ url }) => url),
    close: async () => void (await Promise.all(gateways.map((gateway) => gateway.close()))),
  };
}
