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

const ROOT = join(import.meta.dirname, '..', '..');
const at = (...path: string[]) => join(import.meta.dirname, ...path);
const text = (path: string) => readFileSync(path, 'utf8');

const { rules } = (parse(text(at('prometheus', 'alerts.yml'))) as { groups: [{ rules: Rule[] }] }).groups[0];
const dashboards = readdirSync(at('grafana', 'dashboards')).map(
  (name) => JSON.parse(text(at('grafana', 'dashboards', name))) as Dashboard,
);
const panels = dashboards.flatMap((dashboard) => dashboard.panels);

const isSource = (name: string) => /(?<!\.test)\.ts$/.test(name) && !/(^|\/)(test|node_modules)\//.test(name);

/** Names of metrics in the sources. */
const shown = new Set(
  ['gateway', 'services', 'infra/chassis']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(isSource)
        .map((name) => text(join(ROOT, folder, name))),
    )
    .filter((source) => /\bmetrics?\b/i.test(source))
    .flatMap((source) => [...source.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map((match) => match[1]!)),
);

/** Metrics in a query. A histogram has three names of its own. */
const asked = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/\b[a-z]+(?:_[a-z]+)+\b(?!\s*\()/g)]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => name !== '__rate_interval' && !name.startsWith('rate_'));

const kebab = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

test('alerts and dashboards use existing metrics', () => {
  const queries = [
    ...rules.map((rule) => rule.expr),
    ...panels.flatMap((panel) => panel.targets.map((target) => target.expr)),
  ];
  const figures = new Set(queries.flatMap(asked));
  expect(figures.size).toBeGreaterThan(10);
  expect([...figures].filter((name) => !shown.has(name))).toEqual([]);
});

test.each(rules)('$alert says what happened, how severe it is and where to read on', (rule) => {
  expect(rule.for).toMatch(/^\d+m$/);
  expect(['critical', 'warning']).toContain(rule.labels.severity);
  expect(rule.annotations.summary).not.toBe('');
  expect(rule.annotations.runbook_url).toBe(`docs/operations.md#${kebab(rule.alert)}`);
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
