"""A small BERT: optional arguments, a mask made of the ids, words and sentences predicted, tied weights."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec

PAD, CLS, SEP, MASK = 0, 1, 2, 3


class BertConfig:
    def __init__(self, vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, **kwargs):
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.num_attention_heads = num_attention_heads
        self.intermediate_size = kwargs.pop("intermediate_size", 32)
        self.hidden_act = kwargs.pop("hidden_act", "gelu")
        self.hidden_dropout_prob = kwargs.pop("hidden_dropout_prob", 0.1)
        self.max_position_embeddings = kwargs.pop("max_position_embeddings", 24)
        self.type_vocab_size = 2
        self.initializer_range = 0.02
        self.pad_token_id = PAD


class BertEmbeddings(nn.Layer):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.layer_norm = nn.LayerNorm(config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None, position_ids=None):
        if position_ids is None:
            ones = paddle.ones_like(input_ids, dtype="int64")
            seq_length = paddle.cumsum(ones, axis=-1)
            position_ids = seq_length - ones
            position_ids.stop_gradient = True
        if token_type_ids is None:
            token_type_ids = paddle.zeros_like(input_ids, dtype="int64")
        embeddings = self.word_embeddings(input_ids)
        embeddings = embeddings + self.position_embeddings(position_ids)
        embeddings = embeddings + self.token_type_embeddings(token_type_ids)
        return self.dropout(self.layer_norm(embeddings))


class BertPooler(nn.Layer):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = nn.Tanh()

    def forward(self, hidden_states):
        # We "pool" the model by simply taking the hidden state corresponding to the first token.
        first_token_tensor = hidden_states[:, 0]
        return self.activation(self.dense(first_token_tensor))


class BertModel(nn.Layer):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.pad_token_id = config.pad_token_id
        self.embeddings = BertEmbeddings(config)
        encoder_layer = nn.TransformerEncoderLayer(
            config.hidden_size,
            config.num_attention_heads,
            config.intermediate_size,
            dropout=config.hidden_dropout_prob,
            activation=config.hidden_act,
            attn_dropout=0,
            act_dropout=0,
        )
        self.encoder = nn.TransformerEncoder(encoder_layer, config.num_hidden_layers)
        self.pooler = BertPooler(config)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None, output_hidden_states=False):
        if attention_mask is None:
            attention_mask = paddle.unsqueeze(
                (input_ids == self.pad_token_id).astype(self.pooler.dense.weight.dtype) * -1e4, axis=[1, 2]
            )
        elif attention_mask.ndim == 2:
            attention_mask = attention_mask.unsqueeze(axis=[1, 2]).astype(paddle.get_default_dtype())
            attention_mask = (1.0 - attention_mask) * -1e4
        output = self.embeddings(input_ids, token_type_ids=token_type_ids)
        if output_hidden_states:
            all_outputs = []
            for mod in self.encoder.layers:
                output = mod(output, src_mask=attention_mask)
                all_outputs.append(output)
            if self.encoder.norm is not None:
                all_outputs[-1] = self.encoder.norm(all_outputs[-1])
            return all_outputs, self.pooler(all_outputs[-1])
        sequence_output = self.encoder(output, attention_mask)
        return sequence_output, self.pooler(sequence_output)


class BertLMPredictionHead(nn.Layer):
    def __init__(self, config, embedding_weights=None):
        super().__init__()
        self.transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = getattr(nn.functional, config.hidden_act)
        self.layer_norm = nn.LayerNorm(config.hidden_size)
        self.decoder_weight = embedding_weights
        self.decoder_bias = self.create_parameter(shape=[config.vocab_size], dtype="float32", is_bias=True)

    def forward(self, hidden_states, masked_positions=None):
        if masked_positions is not None:
            hidden_states = paddle.reshape(hidden_states, [-1, hidden_states.shape[-1]])
            hidden_states = paddle.gather(hidden_states, masked_positions)
        hidden_states = self.transform(hidden_states)
        hidden_states = self.activation(hidden_states)
        hidden_states = self.layer_norm(hidden_states)
        return paddle.matmul(hidden_states, self.decoder_weight, transpose_y=True) + self.decoder_bias


class BertForPretraining(nn.Layer):
    """ids [n, t] and what belongs to them -> logits of the words, masked [m, vocabulary] or all, and of the sentences [n, 2]."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.bert = BertModel(config)
        self.predictions = BertLMPredictionHead(config, self.bert.embeddings.word_embeddings.weight)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)
        self.apply(self.init_weights)

    def init_weights(self, layer):
        if isinstance(layer, (nn.Linear, nn.Embedding)):
            layer.weight.set_value(
                paddle.tensor.normal(mean=0.0, std=self.config.initializer_range, shape=layer.weight.shape)
            )
        elif isinstance(layer, nn.LayerNorm):
            layer._epsilon = 1e-12

    def forward(self, input_ids, token_type_ids=None, attention_mask=None, masked_positions=None):
        outputs = self.bert(input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        sequence_output, pooled_output = outputs[:2]
        prediction_scores = self.predictions(sequence_output, masked_positions)
        return prediction_scores, self.seq_relationship(pooled_output)


class Features(nn.Layer):
    """ids [n, t] -> what each layer gives, averaged over the words; the sentences; the likeliest words where one is masked."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        outputs, pooled = self.model.bert(input_ids, output_hidden_states=True)
        known = (input_ids != PAD).astype("float32").unsqueeze(-1)
        means = [(output * known).sum(axis=1) / known.sum(axis=1) for output in outputs]
        masked = paddle.nonzero((input_ids == MASK).flatten()).flatten()
        if masked.shape[0] > 0:
            words = self.model.predictions(outputs[-1], masked).argmax(axis=-1)
        else:
            words = paddle.zeros([0], dtype="int64")
        return {"layers": means, "pooled": pooled, "words": words}


IDS = InputSpec([None, None], "int64", "input_ids")
SPECS = [
    IDS,
    InputSpec([None, None], "int64", "token_type_ids"),
    InputSpec([None, None], "int64", "attention_mask"),
    InputSpec([None], "int64", "masked_positions"),
]
DEPLOYED_SPECS = [IDS]


def build():
    return BertForPretraining(BertConfig())


def deployed(model):
    return Features(model)


def sentences(rng, count, longest):
    ids = rng.integers(4, 40, [count, longest])
    ids[:, 0] = CLS
    for row in ids[1:]:
        row[rng.integers(2, longest) :] = PAD
    return ids


def batches(rng):
    found = []
    for length in (8, 10, 8, 9):
        ids = sentences(rng, 3, length)
        positions = np.flatnonzero((ids != PAD) & (ids != CLS))[::3]
        labels = ids.flatten()[positions]
        ids.reshape(-1)[positions] = MASK
        kinds = (np.arange(length) > length // 2).astype("int64") * (ids != PAD)
        found.append((ids, kinds, (ids != PAD).astype("int64"), positions, labels, rng.integers(0, 2, [3])))
    return found


def calls(rng):
    some, none = sentences(rng, 3, 9), sentences(rng, 2, 5)
    some[:, 1:3] = MASK
    return [(some,), (none,)]


def train(model, data):
    paddle.seed(5)
    lr_scheduler = paddle.optimizer.lr.LambdaDecay(0.01, lambda step: min((step + 1) / 3, 1.0) * 0.98**step)
    decay_params = [p.name for n, p in model.named_parameters() if not any(nd in n for nd in ["bias", "norm"])]
    optimizer = paddle.optimizer.AdamW(
        learning_rate=lr_scheduler,
        parameters=model.parameters(),
        weight_decay=0.01,
        epsilon=1e-6,
        apply_decay_param_fun=lambda x: x in decay_params,
        grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0),
    )
    model.train()
    losses = []
    for ids, kinds, mask, positions, labels, next_sentence in data:
        ids, kinds, mask, positions, labels, next_sentence = [
            paddle.to_tensor(x) for x in (ids, kinds, mask, positions, labels, next_sentence)
        ]
        words, sentences = model(ids, kinds, mask, positions)
        loss = F.cross_entropy(words, labels, reduction="none").mean() + F.cross_entropy(sentences, next_sentence)
        loss.backward()
        optimizer.step()
        lr_scheduler.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    return losses
