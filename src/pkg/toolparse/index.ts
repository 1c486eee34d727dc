export { checkFormat, type FormatMistake } from './check-format.js';
export { createToolCallStream, type ToolCallStream } from './create-tool-call-stream.js';
export { defineFormat } from './define-format.js';
export type {
  CodeBody,
  ElementBody,
  FormatDeclaration,
  FormatExample,
  JsonBody,
  Marks,
  QuotedBody,
  ResultDeclaration,
  TagBody,
  TagPair,
  YamlBody,
} from './formats/declaration.js';
export { type FormatInfo, listFormats } from './list-formats.js';
export { parseToolCalls } from './parse-tool-calls.js';
export { renderToolCalls } from './render/render-tool-calls.js';
export { renderToolPrompt } from './render/render-tool-prompt.js';
export { type RenderedResult, type RenderOptions, renderToolResults } from './render/render-tool-results.js';
export type { WrittenCall } from './render/write-call.js';
export type {
  FormatChoice,
  Json,
  JsonObject,
  ParsedCall,
  ParseOptions,
  ParseResult,
  Problem,
  ProblemCode,
  ReasoningMode,
  StreamEvent,
  ToolSpec,
} from './types.js';
