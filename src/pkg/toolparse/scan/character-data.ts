const OPEN = '<![CDATA[';
const CLOSE = ']]>';
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
};

/**
 * The text that a parameter's raw characters stand for. They are taken as they come, for models are told not to
 * escape them; but a text that is one CDATA section, or that escapes its angle brackets and leaves nothing else
 * that XML would read, was plainly written as XML. It is read once, and never again.
 */
export function characterData(text: string): string {
  const section = sectionIn(text.trim());
  if (section !== undefined) return section;
  return isEscaped(text) ? text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity) : text;
}

function sectionIn(text: string): string | undefined {
  if (!text.startsWith(OPEN) || !text.endsWith(CLOSE)) return undefined;
  const content = text.slice(OPEN.length, -CLOSE.length);
  return content.includes(CLOSE) ? undefined : content;
}

function isEscaped(text: string): boolean {
  return /&[lg]t;/.test(text) && !/[<>]|&(?!(?:lt|gt|amp|quot|apos);)/.test(text);
}
