import { Parser } from '@asyncapi/parser';
import { asyncApiDocument } from '@arboleda/contracts/asyncapi.ts';
import { eventCatalogue } from '@arboleda/contracts/events/catalogue.ts';
import { fromCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import { EVENTS, type EventType, parseEvent } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { describe, expect, test } from '@jest/globals';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { asyncapi } from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Severities: 0 is an error, 1 a warning, 2 a hint, for example at a newer edition of the standard. */
const WARNING = 1;

const described = asyncApiDocument({
  serverUrl: 'https://arboleda.example',
  kafkaHost: 'kafka:9092',
  contactEmail: 'hola@arboleda.example',
});

test('Spectral finds no error in the AsyncAPI document and nothing to warn of', async () => {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[asyncapi as RulesetDefinition, 'recommended']] });
  const findings = await spectral.run(described);
  const told = findings.filter(({ severity }) => severity <= WARNING);
  expect(told.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`)).toEqual([]);
});

test('the AsyncAPI parser finds no error and nothing to warn of', async () => {
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(described));
  expect(diagnostics.filter(({ severity }) => severity <= WARNING)).toEqual([]);
  const sent = document!.operations().filterBySend();
  const received = document!.operations().filterByReceive();
  const all = (has: 'publishes' | 'listensTo') => Object.values(TRAFFIC).flatMap((service) => service[has]);
  expect(sent).toHaveLength(all('publishes').length);
  expect(received).toHaveLength(all('listensTo').length);
});

describe('the example of', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  test.each(Object.keys(EVENTS) as EventType[])('%s fits its schema, and is an event of ours', (type) => {
    const { schema, example } = eventCatalogue().find((entry) => entry.type === type)!;
    expect([ajv.validate(schema, example.data), ajv.errors]).toEqual([true, null]);
    const message = { headers: example.headers, value: JSON.stringify(example.data) };
    expect(parseEvent(fromCloudEvent(message))).toMatchObject({ type });
  });
});
