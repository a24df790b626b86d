"""Sets of a function's names as bits of an int: union, intersection and difference cost next to nothing."""


class Names:
    """Numbers the names of one function in order of first appearance."""

    def __init__(self, names):
        self.order = list(names)
        self.bits = {name: 1 << index for index, name in enumerate(self.order)}

    def mask(self, names) -> int:
        result = 0
        for name in names:
            result |= self.bits.get(name, 0)
        return result

    def bit(self, name) -> int:
        return self.bits.get(name, 0)

    def names(self, mask: int) -> list[str]:
        names = []
        while mask:
            low = mask & -mask
            names.append(self.order[low.bit_length() - 1])
            mask ^= low
        return names
