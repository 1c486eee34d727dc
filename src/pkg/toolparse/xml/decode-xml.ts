const SECTION = /<!\[CDATA\[([\s\S]*?)\]\]>/g;
const MARKUP = /<[?!/]?[A-Za-z][^<>]{0,512}>|<!--[^>]{0,4096}-->/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** The text of an element that was written as XML: sections and the five entities are read, once. */
export function decodeXml(text: string): string {
  return mapOutside(text, decodeEntities);
}

/** The same without any markup: what a reader of the page would see. */
export function visibleText(text: string): string {
  return mapOutside(text, (part) => decodeEntities(part.replace(MARKUP, '')));
}

/** The same without what CDATA sections quote. */
export function withoutSections(text: string): string {
  return text.replace(SECTION, '');
}

/** Changes what stands outside of CDATA sections, and unwraps those. */
function mapOutside(text: string, change: (part: string) => string): string {
  if (!text.includes('<![CDATA[')) return change(text);
  let mapped = '';
  let at = 0;
  for (const match of text.matchAll(SECTION)) {
    mapped += change(text.slice(at, match.index)) + (match[1] ?? '');
    at = match.index + match[0].length;
  }
  return mapped + change(text.slice(at));
}

function decodeEntities(text: string): string {
  return text.includes('&')
    ? text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    : text;
}

/** `key="value"` pairs. */
export function readAttributes(text: string): readonly { readonly key: string; readonly text: string }[] {
  return [...text.matchAll(/([A-Za-z_][\w.:-]{0,127})\s{0,16}=\s{0,16}(?:"([^"]*)"|'([^']*)')/g)].map(
    (match) => ({
      key: match[1] ?? '',
      text: decodeXml(match[2] ?? match[3] ?? ''),
    }),
  );
}
