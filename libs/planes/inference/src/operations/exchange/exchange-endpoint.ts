import type { Exchange, FormPart } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
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

/** The same for an endpoint that takes a form, or a form and JSON. */
export function formExchange(
  path: string,
  form: FormLimits,
  readForm: ReadFormExchange,
  readJson?: (body: Buffer) => Exchange,
): BilledEndpoint {
  return {
    path,
    dialect: 'openai-chat',
    form,
    formOnly: readJson === undefined,
    async open(body, request, gateway) {
      const exchange = readJson && Buffer.isBuffer(body) ? readJson(body) : await readForm(needForm(body));
      return new ExchangeOperation(exchange, request, gateway);
    },
  };
}
