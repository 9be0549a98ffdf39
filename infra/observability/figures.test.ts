import { ENGINE_METRICS, LOG_FIELDS, METRICS, ORDER_ATTRIBUTE } from '@arboleda/chassis/telemetry/names.ts';
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
interface Dashboard {
  uid: string;
  panels: { title: string; datasource: { uid: string }; targets: { expr: string }[] }[];
}
interface ScrapeConfig {
  job_name: string;
  metric_relabel_configs?: { regex: string }[];
}

const ROOT = join(import.meta.dirname, '..', '..');
const at = (...path: string[]) => join(import.meta.dirname, ...path);
const text = (path: string) => readFileSync(path, 'utf8');

const { rules } = (parse(text(at('prometheus', 'alerts.yml'))) as { groups: [{ rules: Rule[] }] }).groups[0];
const dashboards = readdirSync(at('grafana', 'dashboards')).map(
  (name) => JSON.parse(text(at('grafana', 'dashboards', name))) as Dashboard,
);
const panels = dashboards.flatMap((dashboard) => dashboard.panels);
const operations = text(join(ROOT, 'docs', 'operations.md'));

const isSource = (name: string) => /(?<!\.test)\.ts$/.test(name) && !/(^|\/)(test|node_modules)\//.test(name);
const sources = ['gateway', 'services', 'infra/chassis'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => isSource(name) && !name.endsWith('telemetry/names.ts'))
    .map((name) => ({ name: `${folder}/${name}`, source: text(join(ROOT, folder, name)) })),
);

const known = new Set<string>([...METRICS, ...Object.values(ENGINE_METRICS).flat()]);

/** Metrics in a query. A histogram has three names of its own. */
const asked = (expr: string): string[] =>
  [
    ...expr
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\{[^}]*\}|\bby \([^)]*\)/g, '')
      .matchAll(/\b[a-z]+(?:_[a-z]+)+\b(?!\s*\()/g),
  ]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, (end) => (known.has(name) ? end : '')))
    .filter((name) => name !== '__rate_interval' && !name.startsWith('rate_'));

const kebab = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

test('alerts and dashboards use existing metrics', () => {
  const queries = [
    ...rules.map((rule) => rule.expr),
    ...panels.flatMap((panel) => panel.targets.map((target) => target.expr)),
  ];
  const figures = new Set(queries.flatMap(asked));
  expect(figures.size).toBeGreaterThan(10);
  expect([...figures].filter((name) => !known.has(name))).toEqual([]);
});

test('each metric is written by the code', () => {
  const written = sources.map(({ source }) => source).join('\n');
  expect(METRICS.filter((name) => !written.includes(`'${name}'`))).toEqual([]);
});

test('each span takes its name from the list of names, or is named after its route', () => {
  const own = sources.flatMap(({ name, source }) =>
    [...source.matchAll(/name: ['`][^,\n]*,\s*kind: '/g)].map(([span]) => `${name}: ${span}`),
  );
  expect(own).toEqual([]);
});

/** Names in code font, without labels or values. */
const quoted = (pattern: RegExp) => [...operations.matchAll(pattern)].map(([, name]) => name!);
const runbook = operations.slice(operations.indexOf('\n## Runbook'));

test('docs/operations.md names existing metrics, log fields and attributes', () => {
  // Names from PostgreSQL and docker compose.
  const OTHERS = ['pg_stat_activity', 'max_connections', 'mem_limit'];
  const metrics = [...runbook.matchAll(/`([a-z]+(?:_[a-z]+)+)(?:\{[^`]*\})?`/g)].map(([, name]) => name!);
  expect(metrics.length).toBeGreaterThan(10);
  expect(metrics.filter((name) => !known.has(name) && !OTHERS.includes(name))).toEqual([]);
  expect(quoted(/`([a-z_]+)\{[^`]*\}`/g).filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(quoted(/`(arboleda\.\w+\.[\w.]+)/g))).toEqual(new Set([ORDER_ATTRIBUTE]));
  // Of /readyz.
  const fields = [...runbook.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name!);
  expect(fields.filter((name) => name !== 'waitingFor' && !LOG_FIELDS.includes(name as never))).toEqual([]);
  expect(fields).toContain('correlationId');
});

test('docs/operations.md says which figures of the engines there are', () => {
  const table = operations.slice(operations.indexOf('\n### Figures of the engines'));
  for (const names of Object.values(ENGINE_METRICS))
    for (const name of names) expect(table).toContain(`\`${name}\``);
});

test('Prometheus keeps the metrics of engines that are named, and no others', () => {
  const { scrape_configs: jobs } = parse(text(at('prometheus', 'prometheus.yml'))) as {
    scrape_configs: ScrapeConfig[];
  };
  const kept = jobs.flatMap(({ job_name: job, metric_relabel_configs: rule }) =>
    rule ? [[job, rule[0]!.regex.split('|')]] : [],
  );
  expect(Object.fromEntries(kept)).toEqual(ENGINE_METRICS);
});

test.each(rules)('$alert says what happened, how severe it is and where to read on', (rule) => {
  expect(rule.for).toMatch(/^\d+m$/);
  expect(['critical', 'warning']).toContain(rule.labels.severity);
  expect(rule.annotations.summary).not.toBe('');
  expect(rule.annotations.runbook_url).toBe(`docs/operations.md#${kebab(rule.alert)}`);
});

test('each alert has a section in the runbook', () => {
  const sections = [...runbook.matchAll(/^### (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(' ', '-'),
  );
  expect(rules.map((rule) => kebab(rule.alert)).filter((name) => !sections.includes(name))).toEqual([]);
});

test('each alert has a test', () => {
  const tests = readdirSync(at('prometheus', 'tests')).map((name) => name.replace('.yml', ''));
  expect(tests.sort()).toEqual(rules.map((rule) => kebab(rule.alert)).sort());
});

test.each(rules)('the test of $alert has a moment when it fires and one when it does not', ({ alert }) => {
  const { tests } = parse(text(at('prometheus', 'tests', `${kebab(alert)}.yml`))) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const moments = tests.flatMap((one) => one.alert_rule_test).filter((one) => one.alertname === alert);
  expect(moments.some(({ exp_alerts: alerts }) => alerts.length > 0)).toBe(true);
  expect(moments.some(({ exp_alerts: alerts }) => alerts.length === 0)).toBe(true);
});

test.each(rules)('what $alert looks at is on a dashboard', ({ expr }) => {
  const drawn = new Set(panels.flatMap((panel) => panel.targets.flatMap((target) => asked(target.expr))));
  expect(asked(expr).filter((name) => !drawn.has(name))).toEqual([]);
});

test('dashboards use the provisioned data source, each under its own name', () => {
  const { datasources } = parse(text(at('grafana', 'provisioning', 'datasources', 'prometheus.yml'))) as {
    datasources: [{ uid: string }];
  };
  expect(new Set(panels.map((panel) => panel.datasource.uid))).toEqual(new Set([datasources[0].uid]));
  expect(new Set(dashboards.map((dashboard) => dashboard.uid)).size).toBe(dashboards.length);
});
