"""Decoders as they stand in people's files: loops that a tensor ends around loops over layers, caches, beams and early ends."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn
from dy2st.nn import functional as F
from dy2st.static import InputSpec

pytestmark = pytest.mark.by_turns

BOS, EOS, PAD = 0, 1, 2


def memory(seed, batch=2, length=4, width=8):
    return np.random.default_rng(seed).standard_normal((batch, length, width), dtype=np.float32)


def seeded(make, *args):
    """A factory whose models all have the same weights, and are evaluated."""

    def made():
        paddle.seed(5)
        layer = make(*args)
        layer.eval()
        return layer

    return made


MEMORY, STEPS = InputSpec([None, None, 8], "float32", "memory"), InputSpec([], "int64", "steps")
SIZES = ((0, 2, 4, 5), (1, 1, 3, 1), (2, 3, 2, 7))
TEXTS = [[memory(seed, batch, length), np.int64(steps)] for seed, batch, length, steps in SIZES]


# --- a transformer's decoder, NRTR's way: the whole prefix at each step ------------------------------------------------------


class MultiheadAttention(nn.Layer):
    def __init__(self, width, heads, self_attn=False):
        super().__init__()
        self.num_heads, self.head_dim, self.scale = heads, width // heads, (width // heads) ** -0.5
        self.self_attn = self_attn
        if self_attn:
            self.qkv = nn.Linear(width, width * 3)
        else:
            self.q, self.kv = nn.Linear(width, width), nn.Linear(width, width * 2)
        self.out_proj = nn.Linear(width, width)

    def forward(self, query, key=None, attn_mask=None):
        qN = query.shape[1]
        if self.self_attn:
            qkv = self.qkv(query).reshape((0, qN, 3, self.num_heads, self.head_dim)).transpose((2, 0, 3, 1, 4))
            q, k, v = qkv[0], qkv[1], qkv[2]
        else:
            kN = key.shape[1]
            q = self.q(query).reshape([0, qN, self.num_heads, self.head_dim]).transpose([0, 2, 1, 3])
            kv = self.kv(key).reshape((0, kN, 2, self.num_heads, self.head_dim)).transpose((2, 0, 3, 1, 4))
            k, v = kv[0], kv[1]
        attn = (q.matmul(k.transpose((0, 1, 3, 2)))) * self.scale
        if attn_mask is not None:
            attn += attn_mask
        attn = F.softmax(attn, axis=-1)
        x = (attn.matmul(v)).transpose((0, 2, 1, 3)).reshape((0, qN, self.num_heads * self.head_dim))
        return self.out_proj(x)


class TransformerBlock(nn.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.self_attn, self.norm1 = MultiheadAttention(width, heads, self_attn=True), nn.LayerNorm(width)
        self.cross_attn, self.norm2 = MultiheadAttention(width, heads), nn.LayerNorm(width)
        self.mlp, self.norm3 = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, width)), nn.LayerNorm(width)

    def forward(self, tgt, memory, self_mask=None):
        tgt = self.norm1(tgt + self.self_attn(tgt, attn_mask=self_mask))
        tgt = self.norm2(tgt + self.cross_attn(tgt, key=memory))
        return self.norm3(tgt + self.mlp(tgt))


class NRTR(nn.Layer):
    def __init__(self, width=8, heads=2, classes=7):
        super().__init__()
        self.embedding = nn.Embedding(classes, width)
        self.decoder = nn.LayerList([TransformerBlock(width, heads) for _ in range(2)])
        self.tgt_word_prj = nn.Linear(width, classes)

    def generate_square_subsequent_mask(self, sz):
        mask = paddle.zeros([sz, sz], dtype="float32")
        mask_inf = paddle.triu(paddle.full(shape=[sz, sz], dtype="float32", fill_value=-1e9), diagonal=1)
        return (mask + mask_inf).unsqueeze([0, 1])

    def forward(self, src, max_len):
        bs = src.shape[0]
        dec_seq = paddle.full((bs, 1), BOS, dtype=paddle.int64)
        dec_prob = paddle.full((bs, 1), 1.0, dtype=paddle.float32)
        for len_dec_seq in range(1, max_len):
            dec_seq_embed = self.embedding(dec_seq)
            tgt_mask = self.generate_square_subsequent_mask(dec_seq_embed.shape[1])
            tgt = dec_seq_embed
            for decoder_layer in self.decoder:
                tgt = decoder_layer(tgt, src, self_mask=tgt_mask)
            dec_output = tgt[:, -1, :]
            word_prob = F.softmax(self.tgt_word_prj(dec_output), axis=-1)
            preds_idx = paddle.argmax(word_prob, axis=-1)
            if paddle.equal_all(preds_idx, paddle.full(preds_idx.shape, EOS, dtype="int64")):
                break
            preds_prob = paddle.max(word_prob, axis=-1)
            dec_seq = paddle.concat([dec_seq, paddle.reshape(preds_idx, (-1, 1))], axis=1)
            dec_prob = paddle.concat([dec_prob, paddle.reshape(preds_prob, (-1, 1))], axis=1)
        return [dec_seq, dec_prob]


def test_nrtr(agree):
    agree(seeded(NRTR), [MEMORY, STEPS], *TEXTS)


# --- SATRN's way: a buffer of tokens that is filled step by step --------------------------------------------------------------


class SATRN(nn.Layer):
    def __init__(self, width=8, heads=2, classes=7, max_seq_len=5):
        super().__init__()
        self.trg_word_emb = nn.Embedding(classes, width, padding_idx=PAD)
        self.layer_stack = nn.LayerList([TransformerBlock(width, heads) for _ in range(2)])
        self.layer_norm = nn.LayerNorm(width)
        self.classifier = nn.Linear(width, classes - 1)
        self.max_seq_len = max_seq_len
        self.register_buffer("position_table", paddle.to_tensor(memory(9, 1, max_seq_len + 1, width)))

    def _attention(self, trg_seq, src):
        tgt_seq = self.trg_word_emb(trg_seq)
        output = tgt_seq + self.position_table[:, : tgt_seq.shape[1]].clone().detach()
        len_s = trg_seq.shape[1]
        subsequent_mask = 1 - paddle.triu(paddle.ones((len_s, len_s)), diagonal=1)
        pad_mask = (trg_seq != PAD).unsqueeze(-2).astype("float32")
        mask = (pad_mask * subsequent_mask.unsqueeze(0)).unsqueeze(1)
        for dec_layer in self.layer_stack:
            output = dec_layer(output, src, self_mask=(1 - mask) * -1e9)
        return self.layer_norm(output)

    def forward(self, out_enc, steps):
        N = out_enc.shape[0]
        init_target_seq = paddle.full((N, self.max_seq_len + 1), PAD, dtype="int64")
        init_target_seq[:, 0] = BOS
        outputs = []
        for step in range(0, paddle.minimum(steps, paddle.to_tensor(self.max_seq_len))):
            decoder_output = self._attention(init_target_seq, out_enc)
            step_result = F.softmax(self.classifier(decoder_output[:, step, :]), axis=-1)
            outputs.append(step_result)
            step_max_index = paddle.argmax(step_result, axis=-1)
            init_target_seq[:, step + 1] = step_max_index
        return paddle.stack(outputs, axis=1), init_target_seq


def test_satrn(agree):
    agree(seeded(SATRN), [MEMORY, STEPS], *TEXTS)


# --- ParseQ's way: queries by position, then iterations of refinement ---------------------------------------------------------


class ParseQ(nn.Layer):
    def __init__(self, width=8, heads=2, classes=7, max_label_length=4, refine_iters=2):
        super().__init__()
        self.max_label_length, self.refine_iters = max_label_length, refine_iters
        self.pos_queries = self.create_parameter([1, max_label_length + 1, width])
        self.text_embed = nn.Embedding(classes, width)
        self.decoder = nn.LayerList([TransformerBlock(width, heads) for _ in range(2)])
        self.head = nn.Linear(width, classes - 2)

    def decode(self, tgt, memory, query, mask=None):
        null_ctx = self.text_embed(tgt[:, :1])
        if tgt.shape[1] > 1:
            context = paddle.concat([null_ctx, self.pos_queries[:, : tgt.shape[1] - 1] + self.text_embed(tgt[:, 1:])], axis=1)
        else:
            context = null_ctx
        for i, mod in enumerate(self.decoder):
            last = i == len(self.decoder) - 1
            query = mod(query, context + memory.mean(axis=1, keepdim=True), mask if last else None)
        return query

    def forward(self, memory, steps):
        bs = memory.shape[0]
        num_steps = self.max_label_length + 1
        pos_queries = self.pos_queries.expand([bs, -1, -1])
        tgt_in = paddle.full((bs, num_steps), PAD, dtype="int64")
        tgt_in[:, 0] = BOS
        logits = []
        for i in range(num_steps):
            j = i + 1
            tgt_out = self.decode(tgt_in[:, :j], memory, query=pos_queries[:, i:j])
            p_i = self.head(tgt_out)
            logits.append(p_i)
            if j < num_steps:
                tgt_in[:, j] = p_i.squeeze(1).argmax(axis=-1)
                if (tgt_in == EOS).any(axis=-1).all() or i >= steps:
                    break
        logits = paddle.concat(logits, axis=1)
        if self.refine_iters:
            bos = paddle.full((bs, 1), BOS, dtype="int64")
            for _ in range(self.refine_iters):
                tgt_in = paddle.concat([bos, logits[:, :-1].argmax(axis=-1)], axis=1)
                tgt_out = self.decode(tgt_in, memory, query=pos_queries[:, : tgt_in.shape[1]])
                logits = self.head(tgt_out)
        return F.softmax(logits, axis=-1)


def test_parseq(agree):
    agree(seeded(ParseQ), [MEMORY, STEPS], *TEXTS)


# --- TableMaster's way: two branches of layers, structure and boxes -----------------------------------------------------------


class TableMaster(nn.Layer):
    def __init__(self, width=8, heads=2, classes=7):
        super().__init__()
        self.layers = nn.LayerList([TransformerBlock(width, heads) for _ in range(1)])
        self.cls_layer = nn.LayerList([TransformerBlock(width, heads) for _ in range(1)])
        self.bbox_layer = nn.LayerList([TransformerBlock(width, heads) for _ in range(1)])
        self.cls_fc, self.norm = nn.Linear(width, classes), nn.LayerNorm(width)
        self.bbox_fc = nn.Sequential(nn.Linear(width, 4), nn.Sigmoid())
        self.embedding = nn.Embedding(classes, width)

    def make_mask(self, tgt):
        length = tgt.shape[1]
        pad = (tgt != PAD).unsqueeze([1, 3]).astype("int32")
        sub = paddle.tril(paddle.ones([length, length], dtype="int32"))
        return (1 - (pad * sub).astype("float32")) * -1e9

    def decode(self, input, feature, tgt_mask):
        x = self.embedding(input)
        for i, layer in enumerate(self.layers):
            x = layer(x, feature, tgt_mask)
        cls_x = x
        for layer in self.cls_layer:
            cls_x = layer(x, feature, tgt_mask)
        cls_x = self.norm(cls_x)
        bbox_x = x
        for layer in self.bbox_layer:
            bbox_x = layer(x, feature, tgt_mask)
        return self.cls_fc(cls_x), self.bbox_fc(self.norm(bbox_x))

    def greedy_forward(self, SOS, feature, max_len):
        input = SOS
        output = paddle.zeros([input.shape[0], max_len + 1, 7])
        bbox_output = paddle.zeros([input.shape[0], max_len + 1, 4])
        for i in range(max_len + 1):
            target_mask = self.make_mask(input)
            output_step, bbox_output_step = self.decode(input, feature, target_mask)
            prob = F.softmax(output_step, axis=-1)
            next_word = prob.argmax(axis=2, dtype="int64")
            input = paddle.concat([input, next_word[:, -1].unsqueeze(-1)], axis=1)
            if i == max_len:
                output, bbox_output = output_step, bbox_output_step
        return output, bbox_output

    def forward(self, feat, max_len):
        N = feat.shape[0]
        SOS = paddle.zeros([N, 1], dtype="int64")
        output, bbox_output = self.greedy_forward(SOS, feat, int(max_len))
        return {"structure_probs": F.softmax(output), "loc_preds": bbox_output}


def test_table_master(agree):
    agree(seeded(TableMaster), [MEMORY, STEPS], *TEXTS)


# --- generate(): the cache travels in keyword arguments -----------------------------------------------------------------------


class CachedBlock(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v, self.out = [nn.Linear(width, width) for _ in range(4)]

    def forward(self, x, past=None, mask=None, use_cache=False):
        q, k, v = self.q(x), self.k(x), self.v(x)
        if past is not None:
            k, v = paddle.concat([past[0], k], axis=1), paddle.concat([past[1], v], axis=1)
        scores = paddle.matmul(q, k, transpose_y=True)
        if mask is not None:
            scores = scores + (1 - mask.unsqueeze(1)) * -1e9
        y = x + self.out(paddle.matmul(F.softmax(scores), v))
        return (y, (k, v)) if use_cache else (y, None)


class CausalLM(nn.Layer):
    def __init__(self, classes=7, width=8):
        super().__init__()
        self.embed = nn.Embedding(classes, width)
        self.layers = nn.LayerList([CachedBlock(width) for _ in range(2)])
        self.lm_head = nn.Linear(width, classes)

    def forward(self, input_ids, past_key_values=None, attention_mask=None, use_cache=True, **unused):
        x = self.embed(input_ids)
        if past_key_values is None:
            past_key_values = tuple([None] * len(self.layers))
        presents = []
        for layer, past in zip(self.layers, past_key_values):
            x, present = layer(x, past=past, mask=attention_mask, use_cache=use_cache)
            presents.append(present)
        return self.lm_head(x), tuple(presents)


class Generation(nn.Layer):
    def __init__(self):
        super().__init__()
        self.model = CausalLM()

    def prepare_inputs_for_generation(self, input_ids, past_key_values=None, attention_mask=None, **kwargs):
        if past_key_values is not None:
            input_ids = input_ids[:, -1:]
        return {"input_ids": input_ids, "past_key_values": past_key_values, "attention_mask": attention_mask, **kwargs}

    def update_model_kwargs_for_generation(self, outputs, model_kwargs):
        model_kwargs["past_key_values"] = outputs[1]
        if model_kwargs.get("attention_mask") is not None:
            mask = model_kwargs["attention_mask"]
            model_kwargs["attention_mask"] = paddle.concat([mask, paddle.ones([mask.shape[0], 1])], axis=-1)
        return model_kwargs

    def greedy_search(self, input_ids, max_length, **model_kwargs):
        unfinished = paddle.full([input_ids.shape[0], 1], True, dtype="bool")
        scores = paddle.full([input_ids.shape[0], 1], 0.0)
        cur_len = input_ids.shape[1]
        while cur_len < max_length:
            model_inputs = self.prepare_inputs_for_generation(input_ids, **model_kwargs)
            outputs = self.model(**model_inputs)
            logits = outputs[0][:, -1, :]
            next_tokens = paddle.argmax(logits, axis=-1).unsqueeze(-1)
            next_scores = paddle.take_along_axis(F.log_softmax(logits), next_tokens, axis=1)
            next_tokens = paddle.where(unfinished, next_tokens, paddle.full_like(next_tokens, PAD))
            scores = paddle.where(unfinished, scores + next_scores, scores)
            cur_len += 1
            input_ids = paddle.concat([input_ids, next_tokens], axis=1)
            unfinished = paddle.logical_and(unfinished, next_tokens != EOS)
            if not paddle.any(unfinished):
                break
            model_kwargs = self.update_model_kwargs_for_generation(outputs, model_kwargs)
        return input_ids, scores, len(model_kwargs)

    def forward(self, input_ids, max_length, attention_mask=None):
        model_kwargs = {"use_cache": True}
        if attention_mask is not None:
            model_kwargs["attention_mask"] = attention_mask
        return self.greedy_search(input_ids, max_length, **model_kwargs)


PROMPTS = [np.array([[3, 4]]), np.array([[5, 3, 6], [4, 4, 4]]), np.array([[0]])]
IDS = InputSpec([None, None], "int64", "input_ids")


def test_generate_with_a_cache_in_keywords(agree):
    agree(seeded(Generation), [IDS, STEPS], *([ids, np.int64(n)] for ids, n in zip(PROMPTS, (7, 5, 1))))


def test_generate_with_a_mask(agree):
    specs = [IDS, STEPS, InputSpec([None, None], "float32", "mask")]
    agree(seeded(Generation), specs, *([ids, np.int64(n), np.ones(ids.shape, np.float32)] for ids, n in zip(PROMPTS, (7, 5, 1))))


# --- beam search ---------------------------------------------------------------------------------------------------------------


class BeamSearch(nn.Layer):
    """Beams of each sentence, their scores by length, an end as soon as no beam can become better than what is complete."""

    def __init__(self, beam_size=2, length_penalty=0.6):
        super().__init__()
        self.model = CausalLM()
        self.beam_size, self.length_penalty = beam_size, length_penalty

    def penalty(self, length):
        return ((5.0 + length) / 6.0) ** self.length_penalty

    def forward(self, input_ids, max_len):
        beam, batch = self.beam_size, input_ids.shape[0]
        ids = paddle.repeat_interleave(input_ids, beam, axis=0)
        scores = paddle.to_tensor([0.0] + [-1e9] * (beam - 1)).expand([batch, beam])
        finished_scores, finished_ids, finished_count = paddle.full([batch], -1e9), ids[::beam], 0
        past, token, steps = None, ids, 0
        while steps < max_len:
            logits, past = self.model(token, past_key_values=past)
            log_probs = F.log_softmax(logits[:, -1]).reshape([batch, beam, -1])
            vocab = log_probs.shape[-1]
            total = (scores.unsqueeze(-1) + log_probs).reshape([batch, beam * vocab])
            scores, index = paddle.topk(total, beam, axis=-1)
            rows = (index // vocab + paddle.arange(batch).unsqueeze(-1) * beam).flatten()
            token = (index % vocab).reshape([-1, 1])
            ids = paddle.concat([paddle.gather(ids, rows), token], axis=1)
            past = tuple(tuple(paddle.gather(x, rows) for x in layer) for layer in past)
            steps += 1
            ended = token.reshape([batch, beam]) == EOS
            if ended.any():
                candidates = paddle.where(ended, scores / self.penalty(steps), paddle.full_like(scores, -1e9))
                best, which = candidates.max(axis=1), candidates.argmax(axis=1)
                better = best > finished_scores
                chosen = paddle.gather(ids, which + paddle.arange(batch) * beam)
                finished_ids = F.pad(finished_ids, [0, ids.shape[1] - finished_ids.shape[1]], value=PAD)
                finished_ids = paddle.where(better.unsqueeze(-1), chosen, finished_ids)
                finished_scores = paddle.maximum(best, finished_scores)
                finished_count += 1
                scores = paddle.where(ended, paddle.full_like(scores, -1e9), scores)
            if (finished_scores >= scores.max(axis=1) / self.penalty(max_len.astype("float32"))).all():
                break
        return ids, finished_ids, scores, finished_scores, finished_count


def test_beam_search_with_a_length_penalty(agree):
    agree(seeded(BeamSearch), [IDS, STEPS], *([ids, np.int64(n)] for ids, n in zip(PROMPTS, (7, 5, 2))))


# --- Tacotron: attention by place, frames until the gate opens -----------------------------------------------------------------


class LocationAttention(nn.Layer):
    def __init__(self, query_dim, key_dim, attention_dim, filters=2, kernel=3):
        super().__init__()
        self.query_layer = nn.Linear(query_dim, attention_dim, bias_attr=False)
        self.key_layer = nn.Linear(key_dim, attention_dim, bias_attr=False)
        self.value = nn.Linear(attention_dim, 1, bias_attr=False)
        self.location_conv = nn.Conv1D(2, filters, kernel, padding=(kernel - 1) // 2, bias_attr=False, data_format="NLC")
        self.location_layer = nn.Linear(filters, attention_dim, bias_attr=False)

    def forward(self, query, processed_key, value, attention_weights_cat, mask=None):
        processed_query = self.query_layer(query.unsqueeze(1))
        processed_attention_weights = self.location_layer(self.location_conv(attention_weights_cat))
        alignment = self.value(paddle.tanh(processed_attention_weights + processed_key + processed_query))
        if mask is not None:
            alignment = alignment + (1.0 - mask) * -1e9
        attention_weights = F.softmax(alignment, axis=1)
        attention_context = paddle.matmul(attention_weights, value, transpose_x=True).squeeze(1)
        return attention_context, attention_weights.squeeze(-1)


class TacotronDecoder(nn.Layer):
    def __init__(self, d_encoder=8, d_mels=3, reduction_factor=2, d_rnn=6, max_decoder_steps=6):
        super().__init__()
        self.d_mels, self.reduction_factor, self.d_rnn, self.d_encoder = d_mels, reduction_factor, d_rnn, d_encoder
        self.max_decoder_steps = max_decoder_steps
        self.prenet = nn.Sequential(nn.Linear(d_mels * reduction_factor, 4), nn.ReLU())
        self.attention_rnn = nn.LSTMCell(4 + d_encoder, d_rnn)
        self.attention_layer = LocationAttention(d_rnn, d_encoder, 5)
        self.decoder_rnn = nn.LSTMCell(d_rnn + d_encoder, d_rnn)
        self.linear_projection = nn.Linear(d_rnn + d_encoder, d_mels * reduction_factor)
        self.stop_layer = nn.Linear(d_rnn + d_encoder, 1)

    def _initialize_decoder_states(self, key):
        batch_size, encoder_steps, _ = key.shape
        self.attention_hidden = paddle.zeros([batch_size, self.d_rnn])
        self.attention_cell = paddle.zeros([batch_size, self.d_rnn])
        self.decoder_hidden = paddle.zeros([batch_size, self.d_rnn])
        self.decoder_cell = paddle.zeros([batch_size, self.d_rnn])
        self.attention_weights = paddle.zeros([batch_size, encoder_steps])
        self.attention_weights_cum = paddle.zeros([batch_size, encoder_steps])
        self.attention_context = paddle.zeros([batch_size, self.d_encoder])
        self.key, self.processed_key = key, self.attention_layer.key_layer(key)

    def _decode(self, query):
        cell_input = paddle.concat([query, self.attention_context], axis=-1)
        states = self.attention_hidden, self.attention_cell
        _, (self.attention_hidden, self.attention_cell) = self.attention_rnn(cell_input, states)
        attention_weights_cat = paddle.stack([self.attention_weights, self.attention_weights_cum], axis=-1)
        self.attention_context, self.attention_weights = self.attention_layer(
            self.attention_hidden, self.processed_key, self.key, attention_weights_cat
        )
        self.attention_weights_cum += self.attention_weights
        decoder_input = paddle.concat([self.attention_hidden, self.attention_context], axis=-1)
        _, (self.decoder_hidden, self.decoder_cell) = self.decoder_rnn(decoder_input, (self.decoder_hidden, self.decoder_cell))
        decoder_hidden = paddle.concat([self.decoder_hidden, self.attention_context], axis=-1)
        return self.linear_projection(decoder_hidden), self.stop_layer(decoder_hidden), self.attention_weights

    def forward(self, key, stop_threshold):
        query = paddle.zeros([key.shape[0], self.d_mels * self.reduction_factor])
        self._initialize_decoder_states(key)
        mel_outputs, alignments, stop_logits = [], [], []
        first_hit_end = None
        for i in range(self.max_decoder_steps):
            query = self.prenet(query)
            mel_output, stop_logit, alignment = self._decode(query)
            mel_outputs.append(mel_output)
            alignments.append(alignment)
            stop_logits.append(stop_logit)
            if F.sigmoid(stop_logit).max() > stop_threshold:
                if first_hit_end is None:
                    first_hit_end = i
                elif i > first_hit_end + 1:
                    break
            query = mel_output
        mel_outputs = paddle.stack(mel_outputs, axis=1).reshape([key.shape[0], -1, self.d_mels])
        return mel_outputs, paddle.stack(alignments, axis=1), paddle.concat(stop_logits, axis=1)


def test_tacotron(agree):
    specs = [MEMORY, InputSpec([], "float32", "stop_threshold")]
    agree(seeded(TacotronDecoder), specs, *([text, np.float32(at)] for (text, _), at in zip(TEXTS, (0.5, 0.01, 0.99))))


# --- boxes and labels ----------------------------------------------------------------------------------------------------------


class NMSHead(nn.Layer):
    """Boxes [n, 4] and scores [n, classes] -> the boxes that are left, with class and score, best first."""

    def __init__(self, score_threshold=0.3, nms_threshold=0.5, keep_top_k=4):
        super().__init__()
        self.score_threshold, self.nms_threshold, self.keep_top_k = score_threshold, nms_threshold, keep_top_k

    @staticmethod
    def iou(box, boxes):
        top_left, bottom_right = paddle.maximum(box[:2], boxes[:, :2]), paddle.minimum(box[2:], boxes[:, 2:])
        wh = paddle.clip(bottom_right - top_left, min=0.0)
        inter = wh[:, 0] * wh[:, 1]
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        return inter / ((box[2] - box[0]) * (box[3] - box[1]) + area - inter)

    def nms(self, boxes, scores):
        order = paddle.argsort(scores, descending=True)
        keep = []
        while order.shape[0] > 0:
            i = order[0]
            keep.append(i)
            if order.shape[0] == 1:
                break
            rest = order[1:]
            left = paddle.nonzero(self.iou(boxes[i], boxes[rest]) <= self.nms_threshold).flatten()
            order = rest[left]
        return keep

    def forward(self, boxes, scores):
        found = []
        for c in range(scores.shape[1]):
            chosen = paddle.nonzero(scores[:, c] > self.score_threshold).flatten()
            if chosen.shape[0] == 0:
                continue
            c_boxes, c_scores = boxes[chosen], scores[:, c][chosen]
            for i in self.nms(c_boxes, c_scores):
                found.append((c_scores[i], c, c_boxes[i]))
        found = sorted(found, key=lambda each: -float(each[0]))[: self.keep_top_k]
        if len(found) == 0:
            return paddle.full([1, 6], -1.0), 0
        rows = [paddle.concat([paddle.to_tensor([float(c)]), score.reshape([1]), box]) for score, c, box in found]
        return paddle.stack(rows), len(rows)


def boxes(seed, count):
    rng = np.random.default_rng(seed)
    corner = rng.random((count, 2), dtype=np.float32) * 2
    size, scores = rng.random((2, count, 2), dtype=np.float32)
    return np.concatenate([corner, corner + 1 + size], 1), scores


def test_an_nms_head(agree):
    specs = [InputSpec([None, 4]), InputSpec([None, 2])]
    agree(NMSHead, specs, list(boxes(0, 6)), list(boxes(1, 1)), [boxes(2, 3)[0], np.zeros((3, 2), np.float32)], list(boxes(3, 9)))


class LinearChainCrf(nn.Layer):
    """Scores [n, t, labels] and lengths [n] -> the best labels [n, t], padded with 0, their scores, and those of each path."""

    def __init__(self, labels=3):
        super().__init__()
        self.transitions = self.create_parameter([labels, labels], default_initializer=nn.initializer.Normal())
        self.start, self.stop = self.create_parameter([labels]), self.create_parameter([labels])

    def forward(self, emissions, lengths):
        batch, steps, labels = emissions.shape
        alpha = self.start.unsqueeze(0) + emissions[:, 0]
        history = []
        for t in range(1, steps):
            total = alpha.unsqueeze(2) + self.transitions.unsqueeze(0)
            best, back = total.max(axis=1), total.argmax(axis=1)
            active = (t < lengths).unsqueeze(1)
            alpha = paddle.where(active, best + emissions[:, t], alpha)
            history.append(paddle.where(active, back, paddle.arange(labels).unsqueeze(0).expand_as(back)))
        alpha = alpha + self.stop.unsqueeze(0)
        scores, last = alpha.max(axis=1), alpha.argmax(axis=1)
        path = [last]
        for back in reversed(history):
            last = paddle.take_along_axis(back, last.unsqueeze(1), axis=1).squeeze(1)
            path.insert(0, last)
        path = paddle.stack(path, axis=1)
        sentences = []
        for row, length in zip(path, lengths):
            sentences.append(row[: int(length)])
        mask = (paddle.arange(steps).unsqueeze(0) < lengths.unsqueeze(1)).astype("int64")
        return path * mask, scores, sentences


def test_crf_decoding(agree):
    rng = np.random.default_rng(4)
    calls = [[rng.standard_normal((n, t, 3), dtype=np.float32), np.array(lengths)] for n, t, lengths in
             ((2, 4, [4, 2]), (1, 1, [1]), (3, 5, [3, 5, 1]))]
    agree(seeded(LinearChainCrf), [InputSpec([None, None, 3]), InputSpec([None], "int64")], *calls)


# --- greedy search over a stack of cells ---------------------------------------------------------------------------------------


class StackedCells(nn.Layer):
    def __init__(self, width=8, classes=7):
        super().__init__()
        self.embed, self.cells = nn.Embedding(classes, width), nn.LayerList([nn.GRUCell(width, width) for _ in range(3)])
        self.norms = nn.LayerList([nn.LayerNorm(width) for _ in range(3)])
        self.head = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, classes))

    def step(self, token, states):
        x, new_states = self.embed(token), []
        for i, (cell, norm, state) in enumerate(zip(self.cells, self.norms, states)):
            out, state = cell(x, state)
            new_states.append(state)
            x = norm(out) + x if i > 0 else out
        for layer in self.head:
            x = layer(x)
        return x, new_states

    def forward(self, memory, steps):
        token = paddle.full([memory.shape[0]], BOS, dtype="int64")
        states, tokens, i = [memory.mean(axis=1) for _ in self.cells], [], 0
        ended = paddle.zeros([memory.shape[0]], dtype="bool")
        while i < steps and not ended.all():
            logits, states = self.step(token, states)
            token = paddle.where(ended, paddle.full_like(token, PAD), logits.argmax(axis=-1))
            ended = ended | (token == EOS)
            tokens.append(token)
            i += 1
        return paddle.stack(tokens, axis=1), states[-1], i


def test_greedy_search_over_a_stack_of_cells(agree):
    agree(seeded(StackedCells), [MEMORY, STEPS], *TEXTS)


# --- trained further where they are loaded -------------------------------------------------------------------------------------


def train(net, calls):
    """Some steps that draw what a decoder gives, as far as it is differentiable, to 0; gives the losses."""
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    losses = []
    for arrays in calls:
        found = paddle.utils.flatten(net(*[paddle.to_tensor(a) for a in arrays]))
        floats = [x.clip(-9.0, 9.0) for x in found if isinstance(x, paddle.Tensor) and "float" in str(x.dtype)]
        loss = sum([(x * x).mean() for x in floats])
        if not loss.stop_gradient:
            loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    return losses


TUNED = """
import dy2st as paddle

{train}

def answer(path, calls):
    net = paddle.jit.load(path)
    return train(net, calls), {{name: value.numpy() for name, value in net.state_dict().items()}}
"""


class TrainedSATRN(SATRN):
    """Trained with the true tokens, since the search overwrites what gradients need, in plain Python as well."""

    def forward(self, out_enc, targets):
        return F.softmax(self.classifier(self._attention(targets[:, :-1], out_enc)), axis=-1)


class Detector(nn.Layer):
    """Features [n, 8] -> boxes and scores of a linear layer each, and the head that keeps the best ones."""

    def __init__(self):
        super().__init__()
        self.corner, self.size, self.score = nn.Linear(8, 2), nn.Linear(8, 2), nn.Linear(8, 2)
        self.head = NMSHead()

    def forward(self, features):
        corner = self.corner(features)
        boxes = paddle.concat([corner, corner + 1 + F.sigmoid(self.size(features))], axis=1)
        found, count = self.head(boxes, F.sigmoid(self.score(features)))
        return found[:, 1:], count


DECODERS = {
    "satrn": (
        TrainedSATRN,
        [MEMORY, InputSpec([None, None], "int64", "targets")],
        [[memory(n, n, 4), np.random.default_rng(n).integers(0, 6, (n, n + 2))] for n in (1, 2, 3)],
    ),
    "generate": (Generation, [IDS, STEPS], [[ids, np.int64(n)] for ids, n in zip(PROMPTS, (7, 5, 3))]),
    "generate with a mask": (
        Generation,
        [IDS, STEPS, InputSpec([None, None], "float32", "mask")],
        [[ids, np.int64(n), np.ones(ids.shape, np.float32)] for ids, n in zip(PROMPTS, (7, 5, 3))],
    ),
    "nms": (Detector, [InputSpec([None, 8])], [[memory(seed, 1, count)[0]] for seed, count in ((0, 6), (1, 1), (2, 9))]),
    "nrtr": (NRTR, [MEMORY, STEPS], TEXTS),
    "parseq": (ParseQ, [MEMORY, STEPS], TEXTS),
    "table master": (TableMaster, [MEMORY, STEPS], TEXTS),
    "beam search": (BeamSearch, [IDS, STEPS], [[ids, np.int64(n)] for ids, n in zip(PROMPTS, (7, 5, 2))]),
    "tacotron": (
        TacotronDecoder,
        [MEMORY, InputSpec([], "float32", "stop_threshold")],
        [[text, np.float32(at)] for (text, _), at in zip(TEXTS, (0.5, 0.01, 0.99))],
    ),
    "crf": (
        LinearChainCrf,
        [InputSpec([None, None, 3]), InputSpec([None], "int64")],
        [[memory(n, n, 4, 3), np.full(n, 3)] for n in (1, 2, 3)],
    ),
    "cells": (StackedCells, [MEMORY, STEPS], TEXTS),
}


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(list(DECODERS), 2))
def test_fine_tuned_in_another_process(name, tmp_path, other_process, same):
    make, specs, calls = DECODERS[name]
    eager, static = seeded(make)(), paddle.jit.to_static(seeded(make)(), input_spec=specs)
    paddle.jit.save(static, str(tmp_path / "net"))
    expected = train(eager, calls), {key: value.numpy() for key, value in eager.state_dict().items()}
    same(expected[0], train(static, calls), "static", rtol=1e-4, atol=1e-5)
    losses, state = other_process.ask(TUNED.format(train=inspect.getsource(train)), str(tmp_path / "net"), calls)
    same(expected[0], losses, "losses", rtol=1e-4, atol=1e-5)
    same(expected[1], {key: state[key] for key in expected[1]}, "fine-tuned", rtol=1e-4, atol=1e-4)
