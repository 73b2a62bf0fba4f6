import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, GatewayError, newId } from '@mg/contract';

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What Node refuses before there is a request, by its error codes (https://nodejs.org/api/http.html#event-clienterror). */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'request_too_large',
    message: 'The URL and the headers are larger than this server takes.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'request_too_large',
    message: 'The chunk extensions are larger than this server takes.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    message: 'The request did not come to its end in time.',
  },
};

const MALFORMED: Refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'The request is not valid HTTP.',
};

/**
 * A handler of Fastify's `clientErrorHandler` option: what Node's parser refuses is answered like every other failure,
 * with a request id, and the connection closes.
 *
 * @param render the body of an answer.
 */
export function answerClientErrors(
  render: (error: GatewayError, requestId: string) => unknown,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const { status, code, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const requestId = newId();
    const body = Buffer.from(JSON.stringify(render(new GatewayError(code, message), requestId)));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  };
}

/** Whether an answer has begun on this connection: a second head would become part of its body. As Node's own handler looks. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as { readonly _httpMessage?: ServerResponse | null };
  return answer?.headersSent === true;
}
