import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Takes every mail and forgets it: an inbox would fill up in a long run. */
interface MailSink {
  smtpUrl: string;
  close(): Promise<void>;
}

/** Enough of RFC 5321 for a client that makes no mistakes. @param onMail hears of each mail, when all of it is here, whom it is for */
export async function startMailSink(onMail?: (recipient: string) => void): Promise<MailSink> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let rest = '';
    let isBody = false;
    let recipient = '';
    const say = (line: string) => void socket.write(`${line}\r\n`);
    say('220 sink');
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (isBody && line !== '.') continue;
        if (isBody) onMail?.(recipient);
        if (!isBody && /^RCPT TO:/i.test(line))
          recipient = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
        const verb = isBody ? '.' : line.slice(0, 4).toUpperCase();
        isBody = verb === 'DATA';
        say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 taken');
        if (verb === 'QUIT') socket.end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
