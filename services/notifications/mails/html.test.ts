import { expect, test } from '@jest/globals';
import { markup, raw } from './html.ts';

test('every value is escaped, in text and in attributes', () => {
  const evil = `<script>"'&`;
  expect(markup`<a title="${evil}">${evil}</a>`.html).toBe(
    '<a title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</a>',
  );
});

test('what is HTML already goes in as it is, also in a list', () => {
  const items = ['a', '<b>'].map((item) => markup`<li>${item}</li>`);
  expect(markup`<ul>${items}</ul>${raw('<hr>')}${5}`.html).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>5');
});
