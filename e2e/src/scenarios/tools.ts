import type { ToolDefinition } from '../clients/chat/conversation.js';

/** Two tools, both of which the fake upstream calls in one turn. */
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'get_time',
    description: 'Tells the time of a zone',
    parameters: {
      type: 'object',
      properties: { zone: { type: 'string' }, precise: { type: 'boolean' } },
      required: ['zone'],
    },
  },
];
