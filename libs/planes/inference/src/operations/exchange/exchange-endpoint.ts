import { type Exchange, type FileReferences, type FormPart, parseRequestBody } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import type { BilledEndpoint } from '../../call/operation.js';
import { needForm, needJson } from '../../call/receive.js';
import type { FormLimits } from '../../edge/read-form.js';
import { ExchangeOperation } from './exchange-operation.js';

/** Reads an exchange off a JSON body. @throws GatewayError `invalid_request` naming the field. */
export type ReadExchange = (body: Buffer, request: FastifyRequest) => Exchange;

/** Reads an exchange off the parts of a form. @throws GatewayError `invalid_request` naming the part. */
export type ReadFormExchange = (parts: readonly FormPart[]) => Exchange | Promise<Exchange>;

/** An endpoint in OpenAI's dialect that takes JSON, is asked once and answered once. */
export function jsonExchange(path: string, read: ReadExchange): BilledEndpoint {
  return {
    path,
    dialect: 'openai-chat',
    open: (body, request, gateway) => new ExchangeOperation(read(needJson(body), request), request, gateway),
  };
}

/** How an endpoint that takes a form takes JSON as well. */
export interface JsonOfForm {
  read(body: Buffer): Exchange;
  /** How it names files that were sent before. */
  readonly files: FileReferences;
}

/** The same for an endpoint that takes a form, or a form and JSON. */
export function formExchange(
  path: string,
  form: FormLimits,
  readForm: ReadFormExchange,
  json?: JsonOfForm,
): BilledEndpoint {
  return {
    path,
    dialect: 'openai-chat',
    form,
    formOnly: json === undefined,
    async open(body, request, gateway, call) {
      if (!json || !Buffer.isBuffer(body)) {
        return new ExchangeOperation(await readForm(needForm(body)), request, gateway);
      }
      const named = { body, parsed: parseRequestBody(body), files: json.files };
      const whole = (await inlineStoredFiles(named, request, call, gateway)) ?? body;
      return new ExchangeOperation(json.read(whole), request, gateway);
    },
  };
}
