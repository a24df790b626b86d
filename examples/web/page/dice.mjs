// Dice that fall the same way for the same seed, so that an address brings a dinosaur back.

export function diceOf(seed, count) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 8) / 2 ** 24;
  });
}

export const fresh = () => crypto.getRandomValues(new Uint32Array(1))[0] % 100000;
