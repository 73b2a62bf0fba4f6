import { refused, type RequestRow, warned } from './row.js';

const REMINDER = '<system-reminder>\nNow in French.\n</system-reminder>';

/** System turns, roles and their order. */
export const TURNS: readonly RequestRow[] = [
  {
    concept: 'a system turn at the start',
    said: {
      chat: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: { instructions: 'Be brief.' },
      messages: { system: 'Be brief.' },
      gemini: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
      converse: { system: [{ text: 'Be brief.' }] },
    },
    to: { completions: { prompt: 'Be brief.\n\nHi' } },
  },
  {
    concept: 'several system and developer turns at the start',
    from: {
      chat: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'developer', content: 'Be kind.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: {
        instructions: 'Be brief.',
        input: [
          { role: 'developer', content: 'Be kind.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    to: {
      chat: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: { instructions: 'Be brief.\n\nBe kind.' },
      completions: { prompt: 'Be brief.\n\nBe kind.\n\nHi' },
      messages: {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      gemini: { systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } },
      converse: { system: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    },
  },
  {
    concept: 'a system turn, for models that want it of a developer',
    traits: { supportsDeveloperRole: true },
    from: { messages: { system: 'Be brief.' }, gemini: { systemInstruction: 'Be brief.' } },
    to: {
      chat: {
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: { instructions: 'Be brief.' },
      completions: { prompt: 'Be brief.\n\nHi' },
      messages: { system: 'Be brief.' },
      gemini: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
      converse: { system: [{ text: 'Be brief.' }] },
    },
  },
  {
    concept: 'a system turn in mid-conversation keeps its place',
    said: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'system', content: 'Now in French.' },
          { role: 'user', content: 'Again' },
        ],
      },
    },
    from: {
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'system', content: 'Now in French.' },
          { role: 'user', content: 'Again' },
        ],
      },
    },
    to: {
      responses: {
        input: [
          { role: 'user' },
          { role: 'assistant' },
          { role: 'system', content: [{ type: 'input_text', text: 'Now in French.' }] },
          { role: 'user' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: REMINDER },
              { type: 'text', text: 'Again' },
            ],
          },
        ],
      },
      gemini: {
        contents: [
          { role: 'user' },
          { role: 'model' },
          { role: 'user', parts: [{ text: REMINDER }, { text: 'Again' }] },
        ],
      },
      converse: {
        messages: [
          { role: 'user' },
          { role: 'assistant' },
          { role: 'user', content: [{ text: REMINDER }, { text: 'Again' }] },
        ],
      },
    },
  },
  {
    concept: 'the same, for models that take it there',
    traits: { supportsLaterSystemTurns: true },
    from: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: 'Now in French.' },
        ],
      },
    },
    to: {
      chat: { messages: [{ role: 'user' }, { role: 'system', content: 'Now in French.' }] },
      responses: { input: [{ role: 'user' }, { role: 'system' }] },
      messages: { messages: [{ role: 'user' }, { role: 'system', content: 'Now in French.' }] },
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: REMINDER }] }] },
      converse: { messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: REMINDER }] }] },
    },
  },
  {
    concept: 'the same, for models that take it only at the start',
    traits: { supportsLaterSystemTurns: false },
    from: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: 'Now in French.' },
        ],
      },
    },
    to: {
      chat: { messages: [{ role: 'user' }, { role: 'user', content: REMINDER }] },
      responses: { input: [{ role: 'user' }, { role: 'user', content: [{ text: REMINDER }] }] },
      messages: { messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: REMINDER }] }] },
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: REMINDER }] }] },
      converse: { messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: REMINDER }] }] },
    },
  },
  {
    concept: 'an empty system turn is none',
    from: {
      chat: {
        messages: [
          { role: 'system', content: '' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: { instructions: '' },
      messages: { system: '' },
      gemini: { systemInstruction: { parts: [{ text: '' }] } },
    },
    to: {
      chat: { messages: [{ role: 'user', content: 'Hi' }] },
      responses: { input: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      completions: { prompt: 'Hi' },
      messages: { messages: [{ role: 'user', content: 'Hi' }] },
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      converse: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    },
  },
  {
    concept: 'nothing but a system turn becomes what the user says',
    said: { chat: { messages: [{ role: 'system', content: 'Say hi.' }] } },
    from: { responses: { instructions: 'Say hi.', input: [] } },
    to: {
      completions: { prompt: 'Say hi.' },
      responses: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Say hi.' }] }] },
      messages: { messages: [{ role: 'user', content: 'Say hi.' }] },
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Say hi.' }] }] },
      converse: { messages: [{ role: 'user', content: [{ text: 'Say hi.' }] }] },
    },
  },
  {
    concept: 'media in a system turn',
    from: {
      responses: {
        input: [
          {
            role: 'system',
            content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }],
          },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    to: {
      chat: refused(),
      responses: { input: [{ role: 'system', content: [{ type: 'input_image' }] }, { role: 'user' }] },
      messages: { system: [{ type: 'image', source: { type: 'url' } }] },
      gemini: refused(),
      converse: refused(),
    },
  },
  {
    concept: 'an assistant that speaks first',
    said: {
      chat: {
        messages: [
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    from: {
      gemini: {
        contents: [
          { role: 'model', parts: [{ text: 'Hello.' }] },
          { role: 'user', parts: [{ text: 'Hi' }] },
        ],
      },
    },
    to: {
      responses: { input: [{ role: 'assistant' }, { role: 'user' }] },
      messages: {
        messages: [{ role: 'user', content: 'Continue.' }, { role: 'assistant' }, { role: 'user' }],
      },
      gemini: { contents: [{ role: 'user', parts: [{ text: '.' }] }, { role: 'model' }, { role: 'user' }] },
      converse: {
        messages: [
          { role: 'user', content: [{ text: 'Continue.' }] },
          { role: 'assistant' },
          { role: 'user' },
        ],
      },
    },
  },
  {
    concept: 'turns of one role one after another',
    said: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'user', content: 'there' },
        ],
      },
    },
    to: {
      responses: { input: [{ role: 'user' }, { role: 'user' }] },
      messages: { messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: 'there' }] }] },
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: 'there' }] }] },
      converse: { messages: [{ role: 'user', content: [{ text: 'Hi' }, { text: 'there' }] }] },
    },
  },
  {
    concept: 'an answer that the caller began',
    said: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '{' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '{' },
        ],
      },
      gemini: {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: '{' }] },
        ],
      },
    },
    to: {
      responses: {
        input: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'output_text', text: '{' }] }],
      },
      converse: { messages: [{ role: 'user' }, { role: 'assistant', content: [{ text: '{' }] }] },
    },
  },
  {
    concept: 'the same, for models that begin answers themselves',
    traits: { supportsPrefill: false },
    from: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '{' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '{' },
        ],
      },
    },
    to: {
      chat: { messages: [{ role: 'user' }, { role: 'assistant', content: '{' }] },
      responses: { input: [{ role: 'user' }, { role: 'assistant' }] },
      messages: refused(),
      gemini: { contents: [{ role: 'user' }, { role: 'model' }] },
      converse: refused(),
    },
  },
  {
    concept: 'names of speakers',
    said: { chat: { messages: [{ role: 'user', name: 'Ann', content: 'Hi' }] } },
    to: {
      responses: warned('name'),
      completions: warned('name', { prompt: 'Hi' }),
      messages: warned('name'),
      gemini: warned('name'),
      converse: warned('name'),
    },
  },
  {
    concept: 'a refusal of an earlier turn',
    from: {
      chat: {
        messages: [
          { role: 'assistant', content: null, refusal: 'No.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      responses: {
        input: [
          { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    to: {
      chat: { messages: [{ role: 'assistant', content: 'No.' }, { role: 'user' }] },
      responses: { input: [{ role: 'assistant' }, { role: 'user' }] },
      messages: { messages: [{ role: 'user' }, { role: 'assistant', content: 'No.' }, { role: 'user' }] },
      gemini: { contents: [{ role: 'user' }, { role: 'model', parts: [{ text: 'No.' }] }, { role: 'user' }] },
      converse: {
        messages: [{ role: 'user' }, { role: 'assistant', content: [{ text: 'No.' }] }, { role: 'user' }],
      },
    },
  },
  {
    concept: 'sound of an earlier turn that a provider keeps',
    from: {
      chat: {
        messages: [
          { role: 'assistant', audio: { id: 'audio_1' } },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    to: {
      chat: refused(),
      responses: refused(),
      messages: refused(),
      gemini: refused(),
      converse: refused(),
    },
  },
];
