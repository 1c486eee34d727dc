/** A token of DeepSeek's in its own letters, and as other keyboards and tokenizers write it. */
export function lookAlikes(token: string): readonly string[] {
  const bars = (text: string) => text.replaceAll('｜', '|');
  const words = (text: string) => text.replaceAll('▁', '_');
  return [token, bars(token), words(token), bars(words(token))];
}
