import type { TraitsOf } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { readClaudeTraits } from './claude-traits.js';
import { readGeminiTraits } from './gemini-traits.js';
import { listOpenAiProtocols, readOpenAiTraits, readResponsesTraits } from './openai-traits.js';

describe('readOpenAiTraits', () => {
  it.each<[string, TraitsOf<'openai-chat'>]>([
    ['gpt-4o', { efforts: [], maxOutputTokens: 16_384 }],
    ['gpt-4.1-mini', { efforts: [], maxOutputTokens: 32_768 }],
    ['gpt-4-turbo', { efforts: [], supportsJsonSchema: false, maxOutputTokens: 4_096 }],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc', { efforts: [], maxOutputTokens: 16_384 }],
    ['o3-mini', { efforts: ['low', 'medium', 'high'], supportsSampling: false, maxOutputTokens: 100_000 }],
    ['gpt-5-mini-2025-08-07', { efforts: ['minimal', 'low', 'medium', 'high'], supportsDeveloperRole: true }],
    ['gpt-5-chat-latest', { efforts: [], maxOutputTokens: 16_384 }],
    ['gpt-5.1', { efforts: ['none', 'low', 'medium', 'high'] }],
    ['gpt-5.2-pro', { efforts: ['medium', 'high', 'xhigh'] }],
    ['gpt-6.1-sol', { efforts: ['low', 'medium', 'high', 'xhigh', 'max'], supportsSampling: false }],
  ])('%s', (model, traits) => {
    expect(readOpenAiTraits(model)).toMatchObject({ maxTokensField: 'max_completion_tokens', ...traits });
  });

  it.each(['gpt-4o', 'gpt-4.1', 'gpt-5-chat-latest'])('%s may be told how to sample', (model) => {
    expect(readOpenAiTraits(model)).not.toHaveProperty('supportsSampling');
  });
});

describe('readResponsesTraits', () => {
  it.each<[string, boolean]>([
    ['gpt-5-mini', true],
    ['gpt-4o', true],
    ['o4-mini', true],
    ['gpt-4.1-nano', false],
    ['o3-mini', false],
  ])('%s searches the web: %s', (model, supportsWebSearch) => {
    expect(readResponsesTraits(model).supportsWebSearch).toBe(supportsWebSearch);
    expect(readOpenAiTraits(model)).not.toHaveProperty('supportsWebSearch');
  });

  it.each([
    ['gpt-5-mini', true],
    ['o4-mini', true],
    ['gpt-4o', false],
  ])('%s thinks unasked: %s', (model, thinksByDefault) => {
    expect(readResponsesTraits(model).thinksByDefault).toBe(thinksByDefault);
  });

  it('leaves searching in chat completions to the models made for it', () => {
    expect(readOpenAiTraits('gpt-4o-search-preview')).toHaveProperty('supportsWebSearch', true);
  });
});

describe('listOpenAiProtocols', () => {
  it.each([
    ['gpt-4o', ['openai-chat', 'openai-responses']],
    ['gpt-5', ['openai-chat', 'openai-responses']],
    ['gpt-6-luna', ['openai-responses', 'openai-chat']],
    ['gpt-5-pro', ['openai-responses']],
    ['gpt-5.1-codex-max', ['openai-responses']],
    ['gpt-4o-search-preview', ['openai-chat']],
  ])('%s', (model, protocols) => {
    expect(listOpenAiProtocols(model)).toEqual(protocols);
  });
});

describe('readClaudeTraits', () => {
  it.each<[string, TraitsOf<'anthropic-messages'>]>([
    [
      'claude-3-5-haiku-20241022',
      { supportsAdaptiveThinking: false, supportsJsonSchema: false, maxOutputTokens: 8_192 },
    ],
    [
      'claude-3-7-sonnet-20250219',
      { supportsAdaptiveThinking: false, supportsJsonSchema: false, maxOutputTokens: 64_000 },
    ],
    [
      'claude-sonnet-4-20250514',
      { supportsAdaptiveThinking: false, supportsJsonSchema: false, maxOutputTokens: 64_000 },
    ],
    ['anthropic.claude-opus-4-1-20250805-v1:0', { supportsJsonSchema: true, maxOutputTokens: 32_000 }],
    [
      'claude-haiku-4-5',
      { supportsAdaptiveThinking: false, supportsJsonSchema: true, maxOutputTokens: 64_000 },
    ],
    [
      'claude-opus-4-6',
      { supportsAdaptiveThinking: true, supportsPrefill: false, efforts: ['low', 'medium', 'high', 'max'] },
    ],
    ['us.anthropic.claude-opus-4-7-v1:0', { supportsAdaptiveThinking: true, supportsSampling: false }],
    [
      'claude-opus-4-8@default',
      { supportsSampling: false, supportsLaterSystemTurns: true, thinkingOff: 'omitted' },
    ],
    ['claude-sonnet-4-5', { supportsTemperatureWithTopP: false }],
    ['claude-opus-5', { thinksByDefault: true }],
    [
      'claude-opus-5-5',
      { thinksByDefault: true, thinkingOff: 'lowest_effort', supportsForcedToolChoice: false },
    ],
    [
      'claude-fable-5-1',
      { thinksByDefault: true, thinkingOff: 'lowest_effort', supportsForcedToolChoice: false },
    ],
    [
      'claude-sonnet-5-5',
      { thinksByDefault: true, thinkingOff: 'between_tools', supportsForcedToolChoice: false },
    ],
    ['claude-haiku-5-5', { thinksByDefault: true, supportsAdaptiveThinking: true }],
    [
      'anthropic/claude-sonnet-5.5',
      { supportsAdaptiveThinking: true, supportsSampling: false, maxOutputTokens: 128_000 },
    ],
    ['deepseek-v4-pro', { supportsAdaptiveThinking: false, acceptsReasoningHistory: true }],
  ])('%s', (model, traits) => {
    expect(readClaudeTraits(model)).toMatchObject(traits);
  });

  it.each(['claude-sonnet-4-6', 'claude-opus-4-5'])('%s may be told how to sample', (model) => {
    expect(readClaudeTraits(model)).not.toHaveProperty('supportsSampling');
  });

  it.each(['claude-3-7-sonnet-20250219', 'claude-sonnet-4-20250514'])('%s takes both samplings', (model) => {
    expect(readClaudeTraits(model)).not.toHaveProperty('supportsTemperatureWithTopP');
  });

  it.each(['claude-opus-5', 'claude-haiku-5-5', 'claude-sonnet-4-6'])('%s can be switched off', (model) => {
    expect(readClaudeTraits(model)).not.toHaveProperty('thinkingOff');
  });
});

describe('readGeminiTraits', () => {
  it.each<[string, TraitsOf<'gemini-generate'>]>([
    ['gemini-2.0-flash', { efforts: [], maxOutputTokens: 8_192 }],
    ['gemini-2.5-pro', { supportsThinkingLevels: false, maxOutputTokens: 65_536, supportsWebSearch: true }],
    ['gemini-3-pro-preview', { supportsThinkingLevels: true, efforts: ['low', 'high'] }],
    ['gemini-3-flash-preview', { efforts: ['minimal', 'low', 'medium', 'high'] }],
    ['gemini-3.8-flash', { supportsThinkingLevels: true, efforts: ['low', 'medium', 'high'] }],
    ['gemma-3-27b-it', { efforts: [] }],
    ['gemini-flash-latest', { supportsThinkingLevels: true, requiresCallSignatures: true }],
    ['gemini-2.5-pro', { thinkingBudget: { min: 128, max: 32_768 }, supportsSchemaWithTools: false }],
    ['tunedModels/mine', {}],
  ])('%s', (model, traits) => {
    expect(readGeminiTraits(model)).toMatchObject(traits);
  });
});
