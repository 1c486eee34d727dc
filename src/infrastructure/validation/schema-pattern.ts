/** Longer texts than this fail their pattern unread: patterns are people's own, and some take quadratic time. */
export const MAX_PATTERN_TEXT = 100_000;

interface PatternMatcher {
  test(text: string): boolean;
  toString(): string;
}

/** Makes the matcher of a pattern in a tool's parameters. */
export function boundedPattern(pattern: string, flags: string): PatternMatcher {
  const expression = exactPattern(pattern, flags);
  return {
    test: (text) => text.length <= MAX_PATTERN_TEXT && expression.test(text),
    toString: () => String(expression),
  };
}

/** Makes the matcher of a pattern in a rule, which must speak for texts of any length; old forms are read as such. */
export function exactPattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

// What ajv would write into a module of its own; nobody asks it to.
boundedPattern.code = 'boundedPattern';
exactPattern.code = 'exactPattern';
