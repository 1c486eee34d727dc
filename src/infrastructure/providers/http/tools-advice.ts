/** How servers say that a model takes no tools: Ollama, OpenRouter, Gemini, OpenAI; vLLM and llama.cpp name a flag. */
const NO_TOOLS = [
  /(?:does not|doesn't|do not|don't) support (?:tools?\b|tool[ _-]?(?:us|call)|function)/i,
  /\b(?:tools?|tool us(?:e|age)|(?:tool|function)[ _-]?call(?:s|ing))\b['"`]? (?:is|are) not (?:supported|enabled)/i,
  /no endpoints found that support tool/i,
  /tool choice requires --enable-auto-tool-choice/i,
  /tools param requires --jinja/i,
];

/** The way out where a server refuses a request because of its tools. */
export function toolsAdvice(said: string): string {
  return NO_TOOLS.some((words) => words.test(said))
    ? '; for a model without tools of its own, give the step `tool_protocol: text`'
    : '';
}
