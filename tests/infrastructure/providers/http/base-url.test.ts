import { describe, expect, it } from '@jest/globals';
import { openAiUrl, operationUrl } from '../../../../src/infrastructure/providers/http/base-url.js';

describe('operationUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com/v1/messages'],
    ['https://api.example.com/v1', 'https://api.example.com/v1/messages'],
    ['https://api.example.com/v2beta', 'https://api.example.com/v2beta/messages'],
    [
      'https://gateway.example.com/v1/me/anthropic',
      'https://gateway.example.com/v1/me/anthropic/v1/messages',
    ],
  ])('of %s is %s', (base, url) => {
    expect(operationUrl(base, 'v1', 'messages')).toBe(url);
  });

  it('knows bases that end with something else than a version', () => {
    expect(operationUrl('http://127.0.0.1:11434/api', 'api', 'chat')).toBe('http://127.0.0.1:11434/api/chat');
  });
});

describe('openAiUrl', () => {
  it.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1/chat/completions'],
    ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1/chat/completions'],
    ['https://v1.example.com/openai', 'https://v1.example.com/openai/v1/chat/completions'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1/chat/completions'],
    ['https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    ['https://google.example/v1beta/openai', 'https://google.example/v1beta/openai/chat/completions'],
    ['https://gateway.example.com/v1/me/openai', 'https://gateway.example.com/v1/me/openai/chat/completions'],
  ])('of %s is %s', (base, url) => {
    expect(openAiUrl(base, 'chat/completions')).toBe(url);
  });
});
