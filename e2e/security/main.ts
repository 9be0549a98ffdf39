import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { machine, runOf } from '../report/page.ts';
import { writeReliability } from '../report/reliability.ts';
import { tableLines } from '../report/table.ts';
import { openTarget } from './frame/target.ts';
import { runTopic, sectionOf, tableOf, type TopicResult } from './frame/topic.ts';
import { TOPICS } from './topics.ts';

/**
 * `npm run security`: attacks a copy of the product in every way we know. `-- tokens uploads --short` for less, `--report` to
 * write what was seen down in docs/reliability.md.
 */
const startedAt = Date.now();
const given = process.argv.slice(2);
const wanted = given.filter((word) => !word.startsWith('--'));
const known = TOPICS.map(({ name }) => name);
const strange = wanted.filter((name) => !known.includes(name));
if (strange.length > 0) {
  console.error(`There is no topic "${strange.join('", "')}". There are: ${known.join(', ')}.`);
  await exitAfterFlush(1);
}

console.log(machine());
const target = await openTarget({ short: given.includes('--short') });
const results: TopicResult[] = [];
try {
  for (const topic of TOPICS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const result = await runTopic(topic, target);
    results.push(result);
    for (const line of result.notes) console.log(`  ${topic.name}: ${line}`);
    for (const violation of result.violations) console.log(`✗ ${topic.name}: ${violation}`);
  }
} finally {
  await target.close();
}
console.log(`\n${tableLines(tableOf(results)).join('\n')}\n`);
if (given.includes('--report'))
  writeReliability({ ...sectionOf(results), run: runOf('npm run security --', startedAt) });
const violations = results.reduce((sum, one) => sum + one.violations.length, 0);
console.log(violations === 0 ? 'No violation.' : `${violations} violations.`);
await exitAfterFlush(violations === 0 ? 0 : 1);
