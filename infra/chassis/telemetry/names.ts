/**
 * Names of metrics, spans and log fields: what dashboards, alerts, docs and log stores may refer to. The compiler
 * rejects others in the code that writes them; infra/observability/figures.test.ts rejects others in what reads them.
 */

/** Metrics of the gateway and the services. */
export const METRICS = [
  'http_request_duration_seconds',
  'trace_spans_dropped',
  'events_handled_total',
  'events_waiting',
  'events_dead_letters',
  'outbox_age_seconds',
  'backup_age_seconds',
  'jobs_waiting',
  'jobs_dead',
  'retention_cleared_total',
  'gateway_shed_total',
  'gateway_calls_in_flight',
  'gateway_upstream_requests_total',
  'live_listeners',
  'orders_longest_wait_seconds',
  'growth_visits_overdue',
  'payments',
  'payments_sightings_total',
  'payments_refunds_total',
  'payments_disputes_total',
  'payments_package_purchases_total',
  'payments_webhooks_of_other_versions_total',
  'payments_webhooks_refused_total',
  'transfers_pending',
  'transfers_oldest_seconds',
  'transfers_total',
  'transfers_refused_total',
  'rates_age_days',
  'rates_too_old',
  'rates_refresh_failures',
  'rates_refused',
  'photos_waiting',
  'photos_awaiting_modern',
  'photos_given_up',
  'photos_accepted_total',
  'photos_refused_total',
  'photos_flagged_total',
  'photos_decided_total',
  'photos_shown_total',
  'photo_variants_seconds',
  'photo_modern_seconds',
  'mails_by_state',
  'mails_waiting',
] as const;
export type MetricName = (typeof METRICS)[number];

/** Metrics of the engines that Prometheus keeps, by its job. They are named by their exporters. */
export const ENGINE_METRICS = {
  // https://github.com/prometheus-community/postgres_exporter
  postgres: ['pg_up', 'pg_stat_activity_count', 'pg_settings_max_connections', 'pg_database_size_bytes'],
  // https://github.com/percona/mongodb_exporter
  mongodb: ['mongodb_up', 'mongodb_ss_connections', 'mongodb_ss_mem_resident'],
  // https://github.com/danielqsj/kafka_exporter
  kafka: ['kafka_brokers', 'kafka_topic_partition_under_replicated_partition'],
  // https://github.com/redpanda-data/kminion
  'kafka-disk': [
    'kminion_kafka_broker_log_dir_size_total_bytes',
    'kminion_kafka_topic_log_dir_size_total_bytes',
  ],
  // https://docs.min.io/community/minio-object-store/operations/monitoring/metrics-v2.html
  minio: [
    'minio_cluster_usage_total_bytes',
    'minio_cluster_capacity_usable_free_bytes',
    'minio_cluster_capacity_usable_total_bytes',
  ],
} as const;

/** Names of spans. Spans of calls are named after their route, such as "GET /api/stats". */
export const SPANS = {
  processEvent: (type: string) => `process ${type}`,
  publishEvent: (type: string) => `publish ${type}`,
  runJob: (name: string) => `job ${name}`,
  noticeVisit: 'notice growth visit',
  makePictures: (step: string) => `pictures ${step}`,
  sendMail: 'send mail',
  callEngine: (engine: 'postgresql' | 'mongodb' | 'objects', operation: string) => `${engine} ${operation}`,
} as const;

/** Those of OpenTelemetry's semantic conventions 1.38, and our own. */
export type SpanAttribute =
  | 'http.route'
  | 'http.response.status_code'
  | 'db.system.name'
  | 'db.namespace'
  | 'db.collection.name'
  | 'db.operation.name'
  | 'messaging.system'
  | 'messaging.operation.type'
  | 'messaging.destination.name'
  | 'messaging.consumer.group.name'
  | 'messaging.message.id'
  | 'aws.s3.bucket'
  | typeof ORDER_ATTRIBUTE
  | 'correlationId';

/** Finds all spans of an order. */
export const ORDER_ATTRIBUTE = 'arboleda.order.id';

/** Fields of log lines besides pino's level, time and msg. Ids, kinds, counts and times, no personal data. */
export const LOG_FIELDS = [
  // In every line about a request, event or job.
  'service',
  'correlationId',
  'traceId',
  'orderId',
  'err',
  // The subject of the line.
  'audit',
  'disputeId',
  'eventId',
  'intentId',
  'mailId',
  'objectId',
  'paymentId',
  'photoId',
  'priceId',
  'purchaseId',
  'refundId',
  'sessionId',
  'stripeId',
  'visitId',
  'group',
  'type',
  'kind',
  'list',
  'of',
  'what',
  'step',
  'task',
  // Calls and connections.
  'method',
  'route',
  'status',
  'durationMs',
  'code',
  'url',
  'metricsUrl',
  'host',
  'address',
  'replica',
  'replicas',
  'isReady',
  'ready',
  'engine',
  'pool',
  'pauseMs',
  'from',
  'topic',
  'partition',
  'offset',
  'places',
  // Outcomes and counts.
  'by',
  'result',
  'reason',
  'received',
  'refused',
  'pointless',
  'attempt',
  'tries',
  'failed',
  'failures',
  'delayMs',
  'retryInSeconds',
  'count',
  'events',
  'jobs',
  'rows',
  'runners',
  'orphans',
  'known',
  'waiting',
  'seq',
  'asOf',
  'currencies',
  'version',
  'expected',
  'repaired',
] as const;
export type LogFields = Partial<Record<(typeof LOG_FIELDS)[number], unknown>>;
