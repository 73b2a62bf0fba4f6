import type { GatewayError } from '@mg/contract';
import { isObject, parseObject } from '../json.js';

/** The error answer of the OpenAI dialect: `detail` as the specification has it, mirrored under `error` for official SDKs. */
export function renderOpenAiError(error: GatewayError, requestId: string): Record<string, unknown> {
  const detail = error.toDetail(requestId);
  return {
    detail,
    error: { message: detail.message, type: detail.type, code: detail.code, param: detail.param ?? null },
  };
}

/** An error in the middle of a stream, as an event of the client's protocol. */
export function renderOpenAiErrorEvent(error: GatewayError, requestId: string): string {
  return `data: ${JSON.stringify(renderOpenAiError(error, requestId))}\n\n`;
}

/** What an upstream said about a failure: its message and the field it blames, where it names them. */
export interface UpstreamComplaint {
  readonly message: string | undefined;
  readonly param: string | undefined;
}

/** Reads the error body of an OpenAI-speaking upstream; look-alikes use `error`, `message` or `detail` as plain text too. */
export function readOpenAiComplaint(body: string): UpstreamComplaint {
  const parsed = parseObject(body);
  if (!parsed) return { message: undefined, param: undefined };
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = [error.message, parsed.error, parsed.detail].find((text) => typeof text === 'string');
  return {
    message: message as string | undefined,
    param: typeof error.param === 'string' ? error.param : undefined,
  };
}
