"""English numbers become French ones: a translator that learns, and a beam search in plain Python that becomes part of its file.

    python examples/translation.py

The model reads "two hundred and ninety one" and writes "deux cent quatre vingt onze". It sees a third of the numbers below 1000,
and is asked for others. The search keeps the likeliest beginnings, and ends when every one of them has ended.
"""

from __future__ import annotations

import tempfile
import time

import numpy as np

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st.static import InputSpec

SEED, EPOCHS, BATCH, WIDTH, SOURCE, TARGET = 1, 30, 32, 64, 6, 8
END = 0  # ends a line, and fills it up
SMALL = """zero one two three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen""".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
PETITS = """zero un deux trois quatre cinq six sept huit neuf
dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf""".split()
DIZAINES = "vingt trente quarante cinquante soixante soixante quatre_vingt quatre_vingt".split()


def english(n: int) -> list[str]:
    """One way to write a number below 1000."""
    if n >= 100:
        return [SMALL[n // 100], "hundred", *(["and", *english(n % 100)] if n % 100 else [])]
    return [SMALL[n]] if n < 20 else [TENS[n // 10 - 2], *([SMALL[n % 10]] if n % 10 else [])]


def french(n: int) -> list[str]:
    """The same in French, in which 70 is sixty and ten, and 80 four twenties."""
    if n >= 100:
        hundreds = ["cent"] if n < 200 else [PETITS[n // 100], "cent"]
        return [*hundreds, *(french(n % 100) if n % 100 else [])]
    if n < 20:
        return PETITS[n].split("_")
    rest = n % 20 if n >= 60 else n % 10
    joined = ["et"] if rest in (1, 11) and n < 80 else []
    return [*DIZAINES[n // 10 - 2].split("_"), *joined, *(french(rest) if rest else [])]


def words(lines: list[list[str]]) -> list[str]:
    """Every word of a language; a token is the place of one."""
    return ["", *sorted({word for line in lines for word in line})]


ENGLISH, FRENCH = words([english(n) for n in range(1000)]), words([french(n) for n in range(1000)])


def tokens(lines: list[list[str]], known: list[str], length: int) -> np.ndarray:
    """Lines as int64 [lines, length]."""
    return np.array([[known.index(word) for word in line] + [END] * (length - len(line)) for line in lines])


class Translator(nn.Layer):
    """line int64 [1, 6], and how many beginnings to keep -> these, int64 [beams, 8], and their log-probabilities [beams]."""

    def __init__(self) -> None:
        super().__init__()
        self.read, self.said = nn.Embedding(len(ENGLISH), WIDTH), nn.Embedding(len(FRENCH), WIDTH)
        self.forwards, self.backwards = nn.GRUCell(WIDTH, WIDTH), nn.GRUCell(WIDTH, WIDTH)
        self.cell, self.look = nn.GRUCell(3 * WIDTH, WIDTH), nn.Linear(WIDTH, 2 * WIDTH)
        self.answer = nn.Linear(3 * WIDTH, len(FRENCH))

    def memory(self, lines):
        """What stands around each word, [lines, words, 2 * width]."""
        words = self.read(lines).unbind(1)
        there, back = [], []
        state = other = dy2st.zeros([lines.shape[0], WIDTH])
        for word, last in zip(words, words[::-1]):
            _, state = self.forwards(word, state)
            _, other = self.backwards(last, other)
            there.append(state)
            back.append(other)
        return dy2st.concat([dy2st.stack(there, 1), dy2st.stack(back[::-1], 1)], axis=-1)

    def next(self, memory, seen, state, token):
        """Logits of the next word, what the model looks at, and its state, after a word."""
        _, state = self.cell(dy2st.concat([self.said(token), seen], axis=-1), state)
        weights = F.softmax((memory * self.look(state).unsqueeze(1)).sum(-1))
        seen = (memory * weights.unsqueeze(-1)).sum(1)
        return self.answer(dy2st.concat([state, seen], axis=-1)), seen, state

    def loss(self, lines, wanted):
        """The mean error of the next word, when the words before it are right."""
        memory, count = self.memory(lines), lines.shape[0]
        seen, state, token = dy2st.zeros([count, 2 * WIDTH]), dy2st.zeros([count, WIDTH]), dy2st.zeros([count], "int64")
        total = 0.0
        for word in wanted.unbind(1):
            logits, seen, state = self.next(memory, seen, state, token)
            total, token = total + F.cross_entropy(logits, word), word
        return total / TARGET

    def forward(self, line, beams):
        memory = self.memory(line).tile([beams, 1, 1])
        seen, state, token = dy2st.zeros([beams, 2 * WIDTH]), dy2st.zeros([beams, WIDTH]), dy2st.zeros([beams], "int64")
        said, has_ended = dy2st.zeros([beams, TARGET], "int64"), dy2st.zeros([beams], "bool")
        chances = dy2st.where(dy2st.arange(beams) == 0, 0.0, -1e9)  # all are the same beginning: one of them counts
        for place in range(TARGET):
            logits, seen, state = self.next(memory, seen, state, token)
            onwards = F.log_softmax(logits)
            if has_ended.any():  # what has ended goes on with END, at no cost
                stay = dy2st.where(dy2st.arange(len(FRENCH)) == END, 0.0, -1e9)
                onwards = dy2st.where(has_ended.unsqueeze(1), stay, onwards)
            chances, best = (chances.unsqueeze(1) + onwards).flatten().topk(beams)
            origin, token = best // len(FRENCH), best % len(FRENCH)
            seen, state, said = seen[origin], state[origin], said[origin]
            said[:, place] = token
            has_ended = token == END
            if has_ended.all():
                break
        return said, chances


def learn(net: Translator, numbers: np.ndarray) -> None:
    """Training of the loss as a static function."""
    lines, wanted = tokens([*map(english, numbers)], ENGLISH, SOURCE), tokens([*map(french, numbers)], FRENCH, TARGET)
    loss_of = dy2st.jit.to_static(net.loss, input_spec=[InputSpec([None, SOURCE], "int64"), InputSpec([None, TARGET], "int64")])
    optimizer = dy2st.optimizer.Adam(learning_rate=3e-3, parameters=net.parameters())
    rng = np.random.default_rng(SEED)
    for epoch in range(1, EPOCHS + 1):
        order, losses = rng.permutation(len(numbers)), []
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            loss = loss_of(dy2st.to_tensor(lines[batch]), dy2st.to_tensor(wanted[batch]))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(float(loss))
        if epoch % 10 == 0:
            print(f"epoch {epoch}: loss {np.mean(losses):.4f}")


def saved_and_loaded(net: Translator, beams: int):
    """What the three files give: a translator that keeps so many beginnings."""
    static = dy2st.jit.to_static(net, input_spec=[InputSpec([1, SOURCE], "int64", "line"), beams])
    with tempfile.TemporaryDirectory() as folder:
        dy2st.jit.save(static, f"{folder}/translator")
        return dy2st.jit.load(f"{folder}/translator")


def spoken(line: np.ndarray) -> str:
    """A line of French."""
    return " ".join(FRENCH[token] for token in line if token != END)


def main() -> None:
    order, begin = np.random.default_rng(SEED).permutation(1000), time.perf_counter()
    dy2st.seed(SEED)
    net = Translator()
    learn(net, order[:333])
    print(f"learned 333 numbers in {time.perf_counter() - begin:.0f} s\n")
    with dy2st.no_grad():
        translate = saved_and_loaded(net, 3)
        for n in order[-3:]:
            line = dy2st.to_tensor(tokens([english(n)], ENGLISH, SOURCE))
            said, chances = translate(line)
            plain, _ = net(line, 3)
            assert (said.numpy() == plain.numpy()).all()
            print(f"{' '.join(english(n))} ({n})")
            for beginning, chance in zip(said.numpy(), chances.numpy()):
                print(f"  {np.exp(chance):6.1%}  {spoken(beginning)}")
        print("\nbeams   of 300 numbers that it has not seen, right")
        for beams in (1, 2, 4):
            translate = saved_and_loaded(net, beams)
            lines = [dy2st.to_tensor(tokens([english(n)], ENGLISH, SOURCE)) for n in order[-300:]]
            found = [spoken(translate(line)[0].numpy()[0]) for line in lines]
            print(f"{beams:<7} {sum(a == ' '.join(french(n)) for a, n in zip(found, order[-300:]))}")


if __name__ == "__main__":
    main()
