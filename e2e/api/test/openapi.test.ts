import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';

test('Redocly finds nothing in the OpenAPI document', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    // A call that leads on to a page answers 303 and nothing else.
    rules: { 'operation-2xx-response': 'off' },
  });
  const source = JSON.stringify(openApiDocument(ENDPOINTS, { serverUrl: 'https://arboleda.example' }));
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
