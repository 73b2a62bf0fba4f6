import type { TraitsOf } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { chooseSurface } from '../build-outgoing.js';
import { readConverseTraits } from './converse-traits.js';
import { bedrock } from './index.js';

const PROFILE = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc';

describe('readConverseTraits', () => {
  it.each<[string, TraitsOf<'bedrock-converse'>]>([
    [
      'us.amazon.nova-2-lite-v1:0',
      { effortField: 'reasoningConfig', supportsJsonSchema: false, cachePoints: ['system', 'messages'] },
    ],
    ['amazon.nova-pro-v1:0', { efforts: [], supportsJsonSchema: false }],
    ['openai.gpt-oss-120b-1:0', { effortField: 'reasoning_effort', efforts: ['low', 'medium', 'high'] }],
    ['openai.gpt-5.6-v1:0', { effortField: 'reasoning', supportsSampling: false }],
    ['deepseek.v3-v1:0', { efforts: [], supportsJsonSchema: true }],
    ['meta.llama3-3-70b-instruct-v1:0', { efforts: [], supportsJsonSchema: false }],
    [PROFILE, { efforts: [], supportsJsonSchema: false }],
  ])('%s', (model, traits) => {
    expect(readConverseTraits(model)).toMatchObject(traits);
  });
});

describe('Bedrock', () => {
  it.each([
    ['anthropic.claude-opus-4-6-v1:0', 'anthropic-messages'],
    ['us.anthropic.claude-opus-4-6-v1:0', 'anthropic-messages'],
    ['us.amazon.nova-2-lite-v1:0', 'bedrock-converse'],
    ['mistral.mistral-large-3-675b-instruct', 'bedrock-converse'],
    [PROFILE, 'bedrock-converse'],
  ])('reaches %s by %s', (model, protocol) => {
    expect(chooseSurface(bedrock, 'chat', model, 'openai-chat', {})?.protocol).toBe(protocol);
  });
});
