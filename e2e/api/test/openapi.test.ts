import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

const document = () => openApiDocument(ENDPOINTS, { serverUrl: 'https://arboleda.example' });
/** The document is large. */
const TIMEOUT_MS = 120_000;

test(
  'Redocly finds nothing in the OpenAPI document',
  async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // A call that leads on to a page answers 303 and nothing else.
      rules: { 'operation-2xx-response': 'off' },
    });
    const source = JSON.stringify(document());
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'Spectral finds nothing in the OpenAPI document',
  async () => {
    const spectral = new Spectral();
    spectral.setRuleset({
      extends: [[oas as RulesetDefinition, 'recommended']],
      // Redocly checks the thousands of examples, too, in a tenth of the time.
      rules: { 'oas3-valid-media-example': 'off' },
    });
    const findings = await spectral.run(document());
    expect(findings.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`)).toEqual([]);
  },
  TIMEOUT_MS,
);
