"""Translation with attention: a bidirectional encoder over sentences of their own lengths, a decoder cell, and beam search."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec

PAD, BOS, EOS = 0, 1, 2


class Encoder(nn.Layer):
    def __init__(self, vocab_size, embed_dim, hidden_size):
        super().__init__()
        self.embedder = nn.Embedding(vocab_size, embed_dim, padding_idx=PAD)
        self.lstm = nn.LSTM(embed_dim, hidden_size // 2, direction="bidirectional")

    def forward(self, sequence, sequence_length):
        inputs = self.embedder(sequence)
        encoder_output, (h, c) = self.lstm(inputs, sequence_length=sequence_length)
        h = paddle.concat([h[0], h[1]], axis=-1)
        c = paddle.concat([c[0], c[1]], axis=-1)
        return encoder_output, (h, c)


class AttentionLayer(nn.Layer):
    def __init__(self, hidden_size):
        super().__init__()
        self.input_proj = nn.Linear(hidden_size, hidden_size, bias_attr=False)
        self.output_proj = nn.Linear(2 * hidden_size, hidden_size)

    def forward(self, hidden, encoder_output, encoder_padding_mask):
        encoder_output = self.input_proj(encoder_output)
        attn_scores = paddle.matmul(hidden.unsqueeze(1), encoder_output, transpose_y=True)
        if encoder_padding_mask is not None:
            attn_scores = attn_scores + encoder_padding_mask.unsqueeze(1)
        attn_scores = F.softmax(attn_scores)
        attn_out = paddle.matmul(attn_scores, encoder_output).squeeze(1)
        attn_out = paddle.concat([attn_out, hidden], 1)
        return self.output_proj(attn_out)


class DecoderCell(nn.RNNCellBase):
    """An LSTM step whose input is the word and what attention gave the step before."""

    def __init__(self, embed_dim, hidden_size):
        super().__init__()
        self.lstm_cell = nn.LSTMCell(embed_dim + hidden_size, hidden_size)
        self.attention_layer = AttentionLayer(hidden_size)

    def forward(self, step_input, states, encoder_output, encoder_padding_mask=None):
        lstm_state, input_feed = states
        step_input = paddle.concat([step_input, input_feed], 1)
        out, new_lstm_state = self.lstm_cell(step_input, lstm_state)
        out = self.attention_layer(out, encoder_output, encoder_padding_mask)
        return out, [new_lstm_state, out]


class Decoder(nn.Layer):
    def __init__(self, vocab_size, embed_dim, hidden_size):
        super().__init__()
        self.embedder = nn.Embedding(vocab_size, embed_dim, padding_idx=PAD)
        self.lstm_attention = nn.RNN(DecoderCell(embed_dim, hidden_size))
        self.output_layer = nn.Linear(hidden_size, vocab_size)

    def forward(self, trg, decoder_initial_states, encoder_output, encoder_padding_mask):
        inputs = self.embedder(trg)
        decoder_output, _ = self.lstm_attention(
            inputs,
            initial_states=decoder_initial_states,
            encoder_output=encoder_output,
            encoder_padding_mask=encoder_padding_mask,
        )
        return self.output_layer(decoder_output)


class Seq2SeqAttnModel(nn.Layer):
    """src [n, s], src_length [n], trg [n, t] -> logits [n, t, vocabulary]."""

    def __init__(self, vocab_size, embed_dim=8, hidden_size=12):
        super().__init__()
        self.hidden_size = hidden_size
        self.vocab_size = vocab_size
        self.encoder = Encoder(vocab_size, embed_dim, hidden_size)
        self.decoder = Decoder(vocab_size, embed_dim, hidden_size)

    def encode(self, src, src_length):
        encoder_output, states = self.encoder(src, src_length)
        src_mask = (src != PAD).astype(encoder_output.dtype)
        encoder_padding_mask = (src_mask - 1.0) * 1e9
        input_feed = paddle.zeros([src.shape[0], self.hidden_size])
        return encoder_output, [states, input_feed], encoder_padding_mask

    def forward(self, src, src_length, trg):
        encoder_output, states, encoder_padding_mask = self.encode(src, src_length)
        return self.decoder(trg, states, encoder_output, encoder_padding_mask)


class BeamSearch(nn.Layer):
    """src [n, s], src_length [n] -> the best sentences [n, beam, t] and their scores [n, beam], best first."""

    def __init__(self, model, beam_size=3, max_out_len=9):
        super().__init__()
        self.model = model
        self.beam_size = beam_size
        self.max_out_len = max_out_len

    def expand(self, x):
        """[n, ...] -> [n * beam, ...]"""
        return paddle.repeat_interleave(x, self.beam_size, axis=0)

    def forward(self, src, src_length):
        batch_size, beam_size, vocab_size = src.shape[0], self.beam_size, self.model.vocab_size
        encoder_output, ((h, c), feed), mask = self.model.encode(src, src_length)
        encoder_output, h, c, feed, mask = [self.expand(x) for x in (encoder_output, h, c, feed, mask)]
        states = [(h, c), feed]
        decoder = self.model.decoder

        offset = (paddle.arange(batch_size) * beam_size).unsqueeze(-1)
        scores = paddle.to_tensor([0.0] + [-1e9] * (beam_size - 1)).expand([batch_size, beam_size])
        finished = paddle.zeros([batch_size, beam_size], dtype="bool")
        token = paddle.full([batch_size * beam_size], BOS, dtype="int64")
        only_eos = paddle.full([vocab_size], -1e9)
        only_eos[EOS] = 0.0

        tokens, parents = [], []
        for step in range(self.max_out_len):
            out, states = decoder.lstm_attention.cell(decoder.embedder(token), states, encoder_output, mask)
            log_probs = F.log_softmax(decoder.output_layer(out)).reshape([batch_size, beam_size, vocab_size])
            log_probs = paddle.where(finished.unsqueeze(-1), only_eos, log_probs)
            total = (scores.unsqueeze(-1) + log_probs).reshape([batch_size, -1])
            scores, index = paddle.topk(total, beam_size, axis=-1)
            parent = index // vocab_size
            word = index % vocab_size
            rows = (parent + offset).flatten()
            (h, c), feed = states
            states = [(h.index_select(rows), c.index_select(rows)), paddle.gather(feed, rows)]
            finished = paddle.index_select(finished.flatten(), rows).reshape([batch_size, beam_size])
            finished = paddle.logical_or(finished, word == EOS)
            tokens.append(word)
            parents.append(parent)
            token = word.flatten()
            if finished.all():
                break

        # Back from the end, along the parents.
        beam = paddle.arange(beam_size).expand([batch_size, beam_size])
        sentence = []
        for word, parent in zip(reversed(tokens), reversed(parents)):
            sentence.append(paddle.take_along_axis(word, beam, axis=1))
            beam = paddle.take_along_axis(parent, beam, axis=1)
        sentence.reverse()
        return paddle.stack(sentence, axis=-1), scores


SENTENCES, LENGTHS = InputSpec([None, None], "int64", "src"), InputSpec([None], "int64", "src_length")
SPECS = [SENTENCES, LENGTHS, InputSpec([None, None], "int64", "trg")]
DEPLOYED_SPECS = [SENTENCES, LENGTHS]


def build():
    return Seq2SeqAttnModel(vocab_size=9)


def deployed(model):
    return BeamSearch(model)


def sentences(rng, count, longest):
    lengths = rng.integers(1, longest + 1, [count])
    lengths[0] = longest
    words = rng.integers(3, 9, [count, longest])
    return np.where(np.arange(longest) < lengths[:, None], words, PAD), lengths


def batches(rng):
    found = []
    for longest in (4, 3, 5, 4):
        src, lengths = sentences(rng, 4, longest)
        trg = np.concatenate([src, np.zeros_like(src[:, :1])], axis=1)
        trg[np.arange(4), lengths] = EOS
        found.append((src, lengths, trg))
    return found


def calls(rng):
    return [sentences(rng, 1, 1), sentences(rng, 3, 4), sentences(rng, 2, 6)]


def train(model, data):
    bos = 1
    clip = paddle.nn.ClipGradByGlobalNorm(clip_norm=5.0)
    optimizer = paddle.optimizer.Adam(learning_rate=0.02, parameters=model.parameters(), grad_clip=clip)
    model.train()
    losses = []
    for epoch in range(2):
        for src, lengths, label in data:
            src, lengths, label = [paddle.to_tensor(x) for x in (src, lengths, label)]
            trg = paddle.concat([paddle.full([label.shape[0], 1], bos, dtype="int64"), label[:, :-1]], axis=1)
            mask = paddle.arange(trg.shape[1]).unsqueeze(0) <= lengths.unsqueeze(1)
            cost = F.cross_entropy(model(src, lengths, trg), label.unsqueeze(2), reduction="none").squeeze(2)
            loss = (cost * mask.astype("float32")).mean(axis=0).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(float(loss))
    return losses
