import { stringifyInSlices } from '@mg/protocols';
import type { FastifyReply } from 'fastify';
import { nextTurn } from '../edge/loop-turns.js';

/** Answers with JSON of up to some megabytes, such as a conversation or an item of one, which is written in steps. */
export async function sendJson(value: unknown, reply: FastifyReply): Promise<FastifyReply> {
  return reply.type('application/json').send(await stringifyInSlices(value, nextTurn));
}
