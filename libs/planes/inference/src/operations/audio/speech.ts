import { readSpeech } from '@mg/protocols';
import { jsonExchange } from '../exchange/exchange-endpoint.js';

/** Text to speech. */
export const SPEECH = jsonExchange('/v1/audio/speech', readSpeech);
