import { expect, test } from '@jest/globals';
import { BEGIN, END, flowchart, readParts, withFlowchart } from './diagram.ts';

const COMPOSE = `
x-common: &common
  AUTH_URL: http://auth:8080
  ORDERS_URL: http://orders:8080
services:
  gateway:
    ports: ['\${PORT:-8080}:8080']
    environment: { <<: *common, DATABASE_URL: 'postgres://gateway:\${SECRET:?no}@db:5432/gateway' }
  auth:
    environment: { <<: *common, KAFKA_BROKERS: 'kafka:9092', NOTE: 'db and kafka' }
    depends_on: { db-setup: { condition: service_completed_successfully } }
  orders:
    environment: { <<: *common, KAFKA_BROKERS: 'kafka:9092' }
  kafka: { volumes: ['kafka:/data', './settings:/settings:ro'] }
  db: { ports: ['127.0.0.1:5433:5432'] }
  db-setup: { depends_on: { db: {} } }
  watcher: { profiles: [observability] }
`;

test('shows who talks to whom, what is published and what is kept', () => {
  expect(flowchart(COMPOSE).split('\n')).toEqual([
    '```mermaid',
    'flowchart LR',
    '  gateway["gateway<br/>port 8080"]',
    '  kafka["kafka<br/>volume kafka"]',
    '  db["db<br/>port 127.0.0.1:5433"]',
    '  db-setup["db-setup"]',
    '  subgraph group1["services"]',
    '    auth["auth"]',
    '    orders["orders"]',
    '  end',
    '  subgraph group2["--profile observability"]',
    '    watcher["watcher"]',
    '  end',
    '  gateway --> auth & orders & db',
    '  auth --> kafka',
    '  orders --> auth & kafka',
    '  auth -.-> db-setup',
    '  db-setup -.-> db',
    '```',
  ]);
});

test('writes between the markers and nowhere else', () => {
  const written = withFlowchart(`above\n${BEGIN}\nold\n${END}\nbelow`, COMPOSE);
  expect(written).toMatch(/^above\n/);
  expect(written).toMatch(/\nbelow$/);
  expect(written).not.toContain('old');
  expect(withFlowchart(written, COMPOSE)).toBe(written);
  expect(() => withFlowchart('no markers', COMPOSE)).toThrow('to write between');
});

test('docs/operations.md shows docker-compose.yml as it is: npm run diagram', () => {
  const { document, composeText } = readParts();
  expect(document).toBe(withFlowchart(document, composeText));
});
