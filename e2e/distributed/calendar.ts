import type { Composed } from '../harness/compose.ts';

/** Lets the day of an assignment's first growth visit come: clocks of containers cannot be put forward. */
export async function makeVisitDue({ compose }: Composed, assignmentId: string): Promise<void> {
  const script = `
    const { assignments } = db.getSiblingDB('assignments');
    const { doc } = assignments.findOne({ _id: '${assignmentId}' });
    doc.growth[0].visits[0].dueAt = '${new Date(Date.now() - 60_000).toISOString()}';
    assignments.updateOne({ _id: '${assignmentId}' }, { $set: { 'doc.growth': doc.growth } });`;
  const asRoot = 'mongosh --quiet --username root --password "$MONGO_INITDB_ROOT_PASSWORD" --eval "$SCRIPT"';
  await compose('exec', '--no-TTY', '--env', `SCRIPT=${script}`, 'mongodb', 'sh', '-c', asRoot);
}
