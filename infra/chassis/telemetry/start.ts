import { isTraced, traceBy } from './trace.ts';

export interface Telemetry {
  /** Sends what is noted down, for some seconds at most, and notes no more. */
  stop(): Promise<void>;
}

/**
 * Notes down what happens in this process as traces, if there is somebody to send them to.
 * @param options.service the process's name, for spans that do not say whose they are
 * @param options.endpoint OTEL_EXPORTER_OTLP_ENDPOINT: where a collector takes OTLP over HTTP
 * @returns undefined without an endpoint, when nothing is loaded, and in a process that is traced already.
 */
export async function startTelemetry(options: {
  service: string;
  endpoint?: string | undefined;
}): Promise<Telemetry | undefined> {
  const { service, endpoint } = options;
  if (!endpoint || isTraced()) return undefined;
  const { openTracing } = await import('./open-telemetry.ts');
  if (isTraced()) return undefined;
  const tracing = openTracing({ service, endpoint });
  traceBy(tracing);
  return {
    async stop() {
      traceBy(undefined);
      // Work is done whether or not anybody heard of it.
      await tracing.stop().catch(() => undefined);
    },
  };
}
