/** Whether a rule speaks for a call; `unsure` where the plan does not tell, which only holds back. */
export type Fit = 'yes' | 'no' | 'unsure';

/** What two conditions come to that must both hold. */
export function both(left: Fit, right: Fit): Fit {
  if (left === 'no' || right === 'no') return 'no';
  return left === 'unsure' || right === 'unsure' ? 'unsure' : 'yes';
}

/** What two come to of which one must hold. */
export function either(left: Fit, right: Fit): Fit {
  if (left === 'yes' || right === 'yes') return 'yes';
  return left === 'unsure' || right === 'unsure' ? 'unsure' : 'no';
}
