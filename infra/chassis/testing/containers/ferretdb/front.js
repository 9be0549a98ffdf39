// A proxy before FerretDB on SQLite, which does not isolate concurrent writes. It passes one write command at a time,
// so that changes of a document are atomic. MongoDB itself does not need it.
import { Buffer } from 'node:buffer';
import net from 'node:net';

const [listenPort, serverPort] = process.argv.slice(2).map(Number);
const WRITES = new Set([
  ...['insert', 'update', 'delete', 'findAndModify', 'findandmodify', 'createUser'],
  ...['create', 'createIndexes', 'dropIndexes', 'drop', 'dropDatabase'],
]);
const OP_MSG = 2013;
const TRY_AGAIN_MS = 100;

/** Assembles chunks into messages of the wire protocol. */
function messages(onMessage) {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const size = held.readInt32LE(0);
      onMessage(held.subarray(0, size));
      held = held.subarray(size);
    }
  };
}

/** The command's name: the first key of the body. */
function commandOf(message) {
  if (message.readInt32LE(12) !== OP_MSG || message[20] !== 0) return '';
  return message.toString('utf8', 26, message.indexOf(0, 26));
}

let lastWrite = Promise.resolve();

function serve(client) {
  const server = net.connect(serverPort, '127.0.0.1');
  client.setNoDelay(true);
  server.setNoDelay(true);
  const awaited = [];
  let order = Promise.resolve();
  const exchange = (message) =>
    new Promise((resolve) => {
      if (server.destroyed) return resolve();
      awaited.push(resolve);
      server.write(message);
    });
  const forward = (message) => {
    order = order.then(() => {
      if (!WRITES.has(commandOf(message))) return exchange(message);
      lastWrite = lastWrite.then(() => exchange(message));
      return lastWrite;
    });
  };
  const answer = (message) => {
    client.write(message);
    awaited.shift()?.();
  };
  const end = () => {
    client.destroy();
    server.destroy();
    for (const done of awaited.splice(0)) done();
  };
  client.on('data', messages(forward));
  server.on('data', messages(answer));
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
}

/** Opens the port only once the database answers. */
function open() {
  const probe = net.connect(serverPort, '127.0.0.1');
  probe.once('error', () => setTimeout(open, TRY_AGAIN_MS));
  probe.once('connect', () => {
    probe.destroy();
    net.createServer(serve).listen(listenPort);
  });
}
open();
