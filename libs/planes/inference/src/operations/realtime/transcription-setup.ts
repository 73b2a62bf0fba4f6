import { newId } from '@mg/contract';
import {
  betaWords,
  openAiTranscription,
  readTranscriptionSetup,
  REALTIME_BETA,
  renderTranscriptionCreated,
} from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { SetupFacts } from './serve-after-setup.js';
import { boundTranscript, SessionOperation } from './session-operation.js';

const BETA = { version: REALTIME_BETA, beta: betaWords };
const CURRENT = { version: '' };

/**
 * Sessions that only transcribe. Their address names no model, and their clients wait to hear that the session is there before they
 * name one: that is said by the gateway, and the upstream is asked once the model is known.
 */
export function transcriptionSetup({ headers }: FastifyRequest, gateway: GatewayContext): SetupFacts {
  const ids = { event: `event_${newId()}`, session: `sess_${newId()}` };
  return {
    protocol: openAiTranscription,
    param: 'session',
    greeting: renderTranscriptionCreated(headers['openai-beta'] === REALTIME_BETA, ids),
    read(first) {
      const { model, isBeta, render } = readTranscriptionSetup(first);
      const words = isBeta ? BETA : CURRENT;
      return {
        wish: {
          protocol: openAiTranscription,
          intent: 'transcription',
          isAnnounced: true,
          ...words,
          opening: render,
        },
        model,
        operate: (name) => new SessionOperation('transcription', name, boundTranscript, gateway),
      };
    },
  };
}
