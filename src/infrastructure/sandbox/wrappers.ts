/** Programs that run another one, in the forms that are understood: where the other one's name stands. */
const WRAPPERS: Readonly<Record<string, RegExp>> = {
  nohup: /^$/,
  time: /^(?:-p )?$/,
  nice: /^(?:-n -?\d+ |--adjustment=-?\d+ )?$/,
  timeout: /^(?:--preserve-status |-[ks] [\w.]+ |--(?:signal|kill-after)=[\w.]+ )*[\d.]+[smhd]? $/,
};

/**
 * Where the wrapped command begins; undefined for a program that wraps nothing. A wrapper in a form that is not
 * understood gives -1.
 */
export function wrappedCommandIndex(name: string, args: readonly string[]): number | undefined {
  const form = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!form) return undefined;
  return args.findIndex((word, index) => {
    const before = args.slice(0, index);
    if (word.startsWith('-') || before.some((each) => /\s/.test(each))) return false;
    return form.test(before.map((each) => `${each} `).join(''));
  });
}
