"""Layers: what they hold, and what they give for their inputs."""

_CONV = "stride=2, padding=1, dilation=2, groups=2, weight_attr=const(0.3, learning_rate=0.5), bias_attr=const(0.2)"
_NORM = "epsilon=0.5, weight_attr=const(0.3, trainable=False), bias_attr=const(0.2)"
_BATCH = f"momentum=0.5, {_NORM}, use_global_stats=True"
_CELL = "weight_ih_attr=const(0.3), weight_hh_attr=const(0.2), bias_ih_attr=const(0.1), bias_hh_attr=const(0.4)"
_RNN = f"num_layers=2, direction='bidirect', time_major=True, {_CELL}"

CALLS = {
    "shown(_, seq)": f"""
nn.Linear(3, 2, weight_attr=const(0.3, learning_rate=0.5), bias_attr=const(0.2, trainable=False))
nn.Linear(3, 2, weight_attr=const(0.3, regularizer=paddle.regularizer.L2Decay(0.1)), bias_attr=False)
nn.Linear(3, 2, weight_attr=const(0.3, need_clip=False))
nn.Conv1D(4, 2, 2, {_CONV})
nn.Conv1D(4, 2, 2, padding=1, padding_mode='reflect')
nn.Conv1D(3, 2, 2, data_format='NLC')
nn.Conv1DTranspose(4, 2, 2, stride=2, padding=1, output_padding=1, groups=2, dilation=2, weight_attr=const(0.3), bias_attr=const(0.2))
nn.Conv1DTranspose(3, 2, 2, data_format='NLC')
nn.BatchNorm1D(4, {_BATCH})
nn.BatchNorm1D(3, momentum=0.5, data_format='NLC')
nn.BatchNorm(4, act='relu', is_test=True, momentum=0.5, epsilon=0.5, param_attr=const(0.3), bias_attr=const(0.2))
nn.BatchNorm(4, moving_mean_name='mm', moving_variance_name='mv', use_global_stats=True)
nn.SyncBatchNorm(4, momentum=0.5, {_NORM})
nn.InstanceNorm1D(3, data_format='NLC')
nn.Conv1D(4, 2, 2, dtype='float64')
nn.BatchNorm(4, dtype='float64')
nn.MultiHeadAttention(3, 1, kdim=2)
nn.MultiHeadAttention(3, 1, vdim=2)
nn.InstanceNorm1D(4, {_NORM})
nn.LayerNorm(3, {_NORM})
nn.GroupNorm(2, 4, {_NORM})  # differs: there a weight is always trained
nn.PReLU(num_parameters=4, init=0.5, weight_attr=paddle.ParamAttr(learning_rate=0.5))
nn.PReLU(num_parameters=3, data_format='NLC')
nn.SimpleRNN(3, 2, {_RNN}, activation='relu')
nn.GRU(3, 2, {_RNN})
nn.LSTM(3, 2, {_RNN})
nn.LSTM(3, 4, proj_size=2)  # differs: there without the name weight_ho_l0
nn.RNN(nn.GRUCell(3, 2), is_reverse=True)
nn.RNN(nn.GRUCell(3, 2), time_major=True)
nn.BiRNN(nn.GRUCell(3, 2), nn.GRUCell(3, 2), time_major=True)
nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0, activation='gelu', attn_dropout=0.0, act_dropout=0.0, normalize_before=True, weight_attr=const(0.3), bias_attr=const(0.2))
nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0, layer_norm_eps=0.5)
nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0, attn_dropout=0.5)  # either
nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0, act_dropout=0.5)  # either
nn.TransformerEncoder(nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0), 2, norm=nn.LayerNorm(3))
nn.MultiHeadAttention(3, 1, dropout=0.0, weight_attr=const(0.3), bias_attr=const(0.2))
nn.MultiHeadAttention(3, 1, dropout=0.5)  # either
nn.MultiHeadAttention(3, 1, need_weights=True)
nn.LogSoftmax(axis=1)
nn.Softmax(axis=1)
nn.Softplus(beta=2.0, threshold=0.5)
nn.ELU(alpha=0.5)
nn.CELU(alpha=0.5)
nn.GLU(axis=1)
nn.GELU(approximate=True)
nn.LeakyReLU(negative_slope=0.3)
nn.Hardshrink(threshold=0.9)
nn.Softshrink(threshold=0.9)
nn.Hardtanh(min=-0.5, max=0.5)
nn.ThresholdedReLU(threshold=0.5, value=0.25)
nn.SELU(scale=1.5, alpha=1.2)
nn.RReLU(lower=0.3, upper=0.4)  # either
nn.Flatten(start_axis=0, stop_axis=1)
nn.Unflatten(axis=1, shape=[2, 2])
nn.Dropout(p=0.3, axis=1, mode='downscale_in_infer')  # either
nn.AlphaDropout(p=0.3)  # either
nn.FeatureAlphaDropout(p=0.3)  # either
nn.Pad1D([1, 2], mode='replicate')
nn.Pad1D([1, 2], value=3.0, data_format='NLC')
nn.ConstantPad1D([1, 2], value=3.0, data_format='NLC')
nn.ReflectionPad1D([1, 1], data_format='NLC')
nn.ReplicationPad1D([1, 1], data_format='NLC')
nn.CircularPad1D([1, 1], data_format='NLC')
nn.ZeroPad1D([1, 1], data_format='NLC')
nn.AvgPool1D(2, stride=1, padding=1, exclusive=False)
nn.AvgPool1D(2, ceil_mode=True)
nn.AvgPool1D(2, padding=1)
nn.MaxPool1D(2, stride=1, padding=1, return_mask=True)  # differs: there the mask has a gradient
nn.MaxPool1D(2, ceil_mode=True)
nn.LPPool1D(2.0, 2, stride=1, padding=1)
nn.LPPool1D(2.0, 2, ceil_mode=True)
nn.LPPool1D(2.0, 2, data_format='NLC')
nn.AdaptiveMaxPool1D(2, return_mask=True)  # differs: there the mask has a gradient
nn.Upsample(size=7, mode='linear', align_corners=True)
nn.Upsample(scale_factor=2, mode='linear', align_mode=1)
nn.Upsample(scale_factor=2, mode='linear', data_format='NWC')
nn.MaxUnPool1D(2)
nn.Identity()
nn.Silu()
nn.ChannelShuffle(2)
""",
    "shown(_, img)": f"""
nn.Conv2D(4, 2, 2, {_CONV})
nn.Conv2D(4, 2, 2, padding=1, padding_mode='circular')
nn.Conv2D(6, 2, 2, data_format='NHWC')
nn.Conv2DTranspose(4, 2, 2, stride=2, padding=1, output_padding=1, dilation=2, groups=2, weight_attr=const(0.3), bias_attr=const(0.2))
nn.Conv2DTranspose(6, 2, 2, data_format='NHWC')
nn.BatchNorm2D(4, {_BATCH})
nn.BatchNorm2D(6, momentum=0.5, data_format='NHWC')
nn.BatchNorm(6, momentum=0.5, data_layout='NHWC')
nn.BatchNorm(4, in_place=True, do_model_average_for_mean_and_var=False, trainable_statistics=True)
nn.SyncBatchNorm(6, data_format='NHWC')
nn.InstanceNorm2D(6, data_format='NHWC')
nn.Conv2D(4, 2, 2, dtype='float64')
nn.SpectralNorm([2, 4, 5, 6], dtype='float64')  # either
nn.InstanceNorm2D(4, {_NORM})
nn.GroupNorm(2, 6, data_format='NHWC')
nn.LocalResponseNorm(3, alpha=0.5, beta=0.5, k=2.0)
nn.LocalResponseNorm(3, alpha=0.5, data_format='NHWC')
nn.Dropout2D(p=0.3, data_format='NHWC')  # either
nn.AvgPool2D(2, stride=1, padding=1, exclusive=False, divisor_override=3)
nn.AvgPool2D(2, ceil_mode=True)
nn.AvgPool2D(2, stride=2, padding=1, exclusive=False)
nn.AvgPool2D(2, data_format='NHWC')
nn.MaxPool2D(2, stride=1, padding=1, return_mask=True)  # differs: there the mask has a gradient
nn.MaxPool2D(2, data_format='NHWC')
nn.MaxPool2D(2, dilation=2)
nn.MaxPool2D(2, stride=2, ceil_mode=True)
nn.LPPool2D(2.0, 2, stride=1, padding=1)
nn.LPPool2D(2.0, 2, ceil_mode=True)
nn.LPPool2D(2.0, 2, data_format='NHWC')
nn.AdaptiveAvgPool2D(2, data_format='NHWC')
nn.AdaptiveMaxPool2D(2, return_mask=True)  # differs: there the mask has a gradient
nn.Pad2D([1, 2, 1, 1], mode='reflect')
nn.Pad2D([1, 2, 1, 1], value=3.0, data_format='NHWC')
nn.ConstantPad2D([1, 2, 1, 1], value=3.0, data_format='NHWC')
nn.ReflectionPad2D([1, 2, 1, 1], data_format='NHWC')
nn.ReplicationPad2D([1, 2, 1, 1], data_format='NHWC')
nn.CircularPad2D([1, 2, 1, 1], data_format='NHWC')
nn.ZeroPad2D([1, 2, 1, 1], data_format='NHWC')
nn.Upsample(size=[7, 7], mode='bicubic', align_corners=True)
nn.Upsample(size=[7, 7], mode='bilinear', align_mode=1)
nn.Upsample(scale_factor=1.3, mode='bilinear', recompute_scale_factor=True)
nn.Upsample(scale_factor=2, mode='nearest', data_format='NHWC')
nn.UpsamplingBilinear2D(size=[7, 7])
nn.UpsamplingBilinear2D(scale_factor=2, data_format='NHWC')
nn.UpsamplingNearest2D(size=[7, 7])
nn.UpsamplingNearest2D(scale_factor=2, data_format='NHWC')
nn.ChannelShuffle(2, data_format='NHWC')
nn.Unfold([2, 2], dilations=2, paddings=1, strides=2)
nn.SpectralNorm([2, 4, 5, 6], dim=1, power_iters=3, eps=9.0)  # either
nn.Flatten(start_axis=2, stop_axis=3)
nn.Softmax2D()
nn.Maxout(2, axis=3)
""",
    "shown(_, vol)": f"""
nn.Conv3D(2, 2, 2, {_CONV})
nn.Conv3D(2, 2, 2, padding=1, padding_mode='replicate')
nn.Conv3D(6, 2, 2, data_format='NDHWC')
nn.BatchNorm3D(2, {_BATCH})
nn.BatchNorm3D(6, momentum=0.5, data_format='NDHWC')
nn.InstanceNorm3D(2, {_NORM})
nn.AvgPool3D(2, stride=1, padding=1, exclusive=False, divisor_override=3)
nn.AvgPool3D(2, ceil_mode=True)
nn.AvgPool3D(2, data_format='NDHWC')
nn.MaxPool3D(2, stride=1, padding=1)
nn.MaxPool3D(2, ceil_mode=True)
nn.MaxPool3D(2, data_format='NDHWC')
nn.AdaptiveAvgPool3D(2, data_format='NDHWC')
nn.Dropout3D(p=0.3, data_format='NDHWC')  # either
nn.ConstantPad3D([1, 2, 1, 1, 1, 1], value=3.0, data_format='NDHWC')
nn.ReflectionPad3D([1, 2, 1, 1, 1, 1], data_format='NDHWC')
nn.ReplicationPad3D([1, 2, 1, 1, 1, 1], data_format='NDHWC')
nn.CircularPad3D([1, 2, 1, 1, 1, 1], data_format='NDHWC')
nn.Conv3D(2, 2, 2, dtype='float64')
nn.InstanceNorm3D(6, data_format='NDHWC')
nn.Pad3D([1, 2, 1, 1, 1, 1], mode='replicate')
nn.Pad3D([1, 2, 1, 1, 1, 1], value=3.0, data_format='NDHWC')
nn.ZeroPad3D([1, 2, 1, 1, 0, 1], data_format='NDHWC')
nn.Upsample(scale_factor=2, mode='trilinear', align_corners=True)
nn.Upsample(scale_factor=2, mode='trilinear', align_mode=1, data_format='NDHWC')
""",
    "shown(_, x)": f"""
nn.SimpleRNNCell(3, 2, activation='relu', {_CELL})
nn.GRUCell(3, 2, {_CELL})
nn.LSTMCell(3, 2, {_CELL})
nn.LSTMCell(3, 4, proj_size=2)
nn.Sequential(nn.Linear(3, 2))
""",
    "shown(_, n)": """
nn.Embedding(8, 3, padding_idx=int(n[0, 0]))
nn.Embedding(8, 3, weight_attr=const(0.3))
nn.Embedding(8, 3, scale_grad_by_freq=True)  # differs: refused
nn.Embedding(8, 3, max_norm=0.5)  # differs: refused
""",
    "shown(_, x, p)": """
nn.Bilinear(3, 3, 2, weight_attr=const(0.3), bias_attr=const(0.2))
nn.CosineSimilarity(axis=0, eps=2.0)
nn.PairwiseDistance(p=3.0, epsilon=0.5, keepdim=True)
nn.MSELoss(reduction='sum')
nn.L1Loss(reduction='none')
nn.SmoothL1Loss(reduction='sum', delta=0.3, is_huber=False)
nn.KLDivLoss(reduction='sum', log_target=True)  # differs: there without a gradient to the label
nn.KLDivLoss(reduction='batchmean')  # differs: there without a gradient to the label
nn.BCEWithLogitsLoss(weight=p, reduction='sum', pos_weight=p[0])  # differs: there another gradient to the label
nn.MultiLabelSoftMarginLoss(weight=p, reduction='sum')
nn.SoftMarginLoss(reduction='none')
nn.PoissonNLLLoss(full=True, reduction='sum')
nn.PoissonNLLLoss(log_input=False)
nn.CrossEntropyLoss(soft_label=True, reduction='sum', label_smoothing=0.2)  # differs: there the gradient of labels that sum to 1
nn.CrossEntropyLoss(soft_label=True, axis=0)  # differs: there the gradient of labels that sum to 1
""",
    "shown(_, p, b.astype('float32'))": """
nn.BCELoss(weight=p, reduction='sum')  # differs: there without a gradient to the label
""",
    "shown(_, x, t)": """
nn.CrossEntropyLoss(weight=p[0], reduction='sum', label_smoothing=0.2)
nn.CrossEntropyLoss(ignore_index=0)
nn.CrossEntropyLoss(use_softmax=False)
nn.NLLLoss(weight=p[0], ignore_index=0, reduction='sum')
nn.MultiMarginLoss(p=2, margin=0.5, weight=p[0], reduction='sum')
""",
    "shown(_, x, p, x * 0.5)": """
nn.TripletMarginLoss(margin=5.0, p=3, epsilon=0.5, swap=True, reduction='sum')
nn.TripletMarginWithDistanceLoss(distance_function=nn.CosineSimilarity(), margin=5.0, swap=True, reduction='sum')  # differs: there the function is dropped
nn.GaussianNLLLoss(full=True, epsilon=1.0, reduction='sum')
""",
    "shown(_, p, x * 0.5, 1 - 2 * b[0].astype('float32')[:2])": """
nn.CosineEmbeddingLoss(margin=0.5, reduction='sum')
""",
    "shown(_, p[:, 0], x[:, 0] * 0.1, 1 - 2 * b[:, 1].astype('float32'))": """
nn.MarginRankingLoss(margin=0.5, reduction='sum')
""",
    "shown(_, p, p * 3)": """
nn.PoissonNLLLoss(log_input=False, full=True, epsilon=0.3)
""",
    "shown(_, x, 1 - 2 * b.astype('float32'))": """
nn.HingeEmbeddingLoss(margin=2.0, reduction='sum')
""",
    "shown(_, *F.max_pool1d(v.reshape([1, 2, 12]), 2, 3, return_mask=True))": """
nn.MaxUnPool1D(2, stride=3)
""",
    "shown(_, *F.max_pool2d(img[:, :, :, :5], 2, 3, return_mask=True))": """
nn.MaxUnPool2D(2, stride=3)
""",
    "shown(_, img.transpose([0, 2, 3, 1])[:, :, :, :4])": """
nn.PixelShuffle(2, data_format='NHWC')
""",
    "shown(_, img[:, :, :4])": """
nn.PixelUnshuffle(2, data_format='NHWC')
""",
    "shown(_, *F.max_pool1d(v.reshape([1, 2, 12]), 2, 2, return_mask=True))": """
nn.MaxUnPool1D(2, output_size=[1, 2, 13])
""",
    "shown(_, *F.max_pool1d(v.reshape([1, 2, 12]), 2, 2, 1, return_mask=True))": """
nn.MaxUnPool1D(2, padding=1)
""",
    "shown(_, *F.max_pool2d(img[:, :, :4], 2, 2, 1, return_mask=True))": """
nn.MaxUnPool2D(2, padding=1)
""",
    "shown(_, seq, seq * 0.5)  ": """
nn.Transformer(d_model=3, nhead=1, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, dropout=0.0, custom_encoder=nn.TransformerEncoder(nn.TransformerEncoderLayer(3, 1, 5, dropout=0.0), 2))
nn.Transformer(d_model=3, nhead=1, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, dropout=0.0, custom_decoder=nn.TransformerDecoder(nn.TransformerDecoderLayer(3, 1, 5, dropout=0.0), 2))
""",
    "shown(_, seq, seq * 0.5)": """
nn.Transformer(d_model=3, nhead=1, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, dropout=0.0, activation='gelu', normalize_before=True, weight_attr=const(0.3), bias_attr=const(0.2))
nn.Transformer(d_model=3, nhead=1, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, dropout=0.0, attn_dropout=0.5)  # either
nn.Transformer(d_model=3, nhead=1, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4, dropout=0.0, act_dropout=0.5)  # either
nn.TransformerDecoderLayer(3, 1, 4, dropout=0.0, activation='gelu', normalize_before=True, weight_attr=const(0.3), bias_attr=const(0.2), layer_norm_eps=0.5)
nn.TransformerDecoderLayer(3, 1, 4, dropout=0.0, attn_dropout=0.5)  # either
nn.TransformerDecoderLayer(3, 1, 4, dropout=0.0, act_dropout=0.5)  # either
nn.TransformerDecoder(nn.TransformerDecoderLayer(3, 1, 4, dropout=0.0), 2, norm=nn.LayerNorm(3))
""",
    "shown(_, *F.max_pool1d(seq, 2, 1, return_mask=True))": """
nn.MaxUnPool1D(2, data_format='NLC')
""",
    "shown(_, *F.max_pool2d(img, 2, 2, return_mask=True))": """
nn.MaxUnPool2D(2, output_size=[2, 4, 5, 6])
nn.MaxUnPool2D(2, stride=3, data_format='NHWC')
""",
}
