export { AiSdkAgent, type AiSdkAgentOptions, type AiSdkModel } from './ai-sdk-agent.js';
export { type AiSdkToolRequest, type AiSdkTools, toAiSdkTools } from './to-ai-sdk-tools.js';
