import { VERSION } from '@arboleda/contracts/version.ts';
import { isTraced, setTracing } from './trace.ts';

export interface Telemetry {
  /** Exports pending spans, for a few seconds at most, and stops tracing. */
  stop(): Promise<void>;
}

/**
 * Starts tracing in this process if an endpoint is set.
 * @param options.service the process's name, for spans without a service
 * @param options.endpoint OTEL_EXPORTER_OTLP_ENDPOINT: a collector's OTLP/HTTP endpoint
 * @returns undefined without an endpoint, or when the process is traced already
 */
export async function startTelemetry(options: {
  service: string;
  endpoint?: string | undefined;
}): Promise<Telemetry | undefined> {
  const { service, endpoint } = options;
  if (!endpoint || isTraced()) return undefined;
  const { openTracing } = await import('./open-telemetry.ts');
  if (isTraced()) return undefined;
  const tracing = openTracing({ service, version: VERSION, endpoint });
  setTracing(tracing);
  return {
    async stop() {
      setTracing(undefined);
      // Losing spans must not fail the work.
      await tracing.stop().catch(() => undefined);
    },
  };
}
