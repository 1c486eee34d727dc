/** The price in cents after a discount in percent, rounded to whole cents. */
export function discounted(cents, percent) {
  return cents - (cents * percent) / 10;
}
