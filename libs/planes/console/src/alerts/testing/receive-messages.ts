import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: { readonly type: string; readonly text: string; readonly data: Record<string, unknown> };
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** What it answers. */
  status: number;
  close(): Promise<void>;
}

/** A receiver of webhooks on this machine. */
export async function receiveWebhooks(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    status: 200,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}

export interface MailServer {
  readonly port: number;
  /** Each mail as it was sent, head and body. */
  readonly mails: string[];
  readonly recipients: string[];
  close(): Promise<void>;
}

/** As much of an SMTP server as takes mail from somebody who needs no password (RFC 5321). */
export async function receiveMail(): Promise<MailServer> {
  const mails: string[] = [];
  const recipients: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    let buffered = '';
    let mail: string[] | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const hear = (line: string) => {
      if (mail) {
        if (line !== '.') return void mail.push(line);
        mails.push(mail.join('\n'));
        mail = undefined;
        return void say('250 taken');
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') recipients.push(/<(.*)>/.exec(line)?.[1] ?? '');
      if (verb === 'DATA') mail = [];
      if (verb === 'QUIT') return void socket.end('221 bye\r\n');
      return void say(verb === 'DATA' ? '354 go on' : '250 ok');
    };
    say('220 test');
    socket.on('data', (chunk: Buffer) => {
      const lines = (buffered + chunk.toString()).split('\r\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) hear(line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    recipients,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
