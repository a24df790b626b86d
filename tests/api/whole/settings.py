"""What a setting of a scheduler, an optimizer, a rule for gradients, a printed tensor or a sampler changes."""

_RATE = "said(_.step)"
_TRAINED = "trained(_, w)"

CALLS = {
    _RATE: """
LRScheduler(learning_rate=0.3, last_epoch=2, verbose=True)
paddle.optimizer.lr.NoamDecay(64, 4, verbose=True)
paddle.optimizer.lr.PiecewiseDecay([2, 5], [1.0, 0.5, 0.1], verbose=True)
paddle.optimizer.lr.NaturalExpDecay(0.5, 0.9, verbose=True)
paddle.optimizer.lr.InverseTimeDecay(0.5, 0.9, verbose=True)
paddle.optimizer.lr.ExponentialDecay(0.5, 0.9, verbose=True)
paddle.optimizer.lr.PolynomialDecay(0.5, 5, verbose=True)
paddle.optimizer.lr.LinearWarmup(0.5, 4, 0.0, 0.5, verbose=True)
paddle.optimizer.lr.MultiStepDecay(0.5, [3, 6], verbose=True)
paddle.optimizer.lr.StepDecay(0.5, 3, verbose=True)
paddle.optimizer.lr.LambdaDecay(0.5, lambda k: 0.95**k, verbose=True)
paddle.optimizer.lr.MultiplicativeDecay(0.5, lambda k: 0.95 - k / 100, verbose=True)
paddle.optimizer.lr.CosineAnnealingDecay(0.5, 5, verbose=True)
paddle.optimizer.lr.CosineAnnealingWarmRestarts(0.5, 3, verbose=True)
paddle.optimizer.lr.LinearLR(0.5, 5, verbose=True)
paddle.optimizer.lr.OneCycleLR(1.0, 20, verbose=True)  # differs: in the last digit
paddle.optimizer.lr.CyclicLR(0.1, 1.0, 3, verbose=True)
""",
    "said(lambda: [_.step(0.5 * 0.7**k) for k in range(9)])": """
paddle.optimizer.lr.ReduceOnPlateau(1.0, patience=1, factor=0.5, threshold=0.2, threshold_mode='abs', verbose=True)
""",
    "[(_(), _.step())[0] for k in range(12)]": """
paddle.optimizer.lr.CyclicLR(0.1, 1.0, 3, mode='exp_range', exp_gamma=0.8)
paddle.optimizer.lr.CyclicLR(0.1, 1.0, 3, scale_fn=lambda k: 0.9**k, scale_mode='iterations')
""",
    _TRAINED: """
paddle.optimizer.Lamb(0.1, lamb_weight_decay=0.0, always_adapt=True, parameters=[w])
paddle.optimizer.Rprop(0.1, parameters=[w], grad_clip=nn.ClipGradByValue(-0.1, -0.5))
""",
    "trained(paddle.optimizer.SGD(0.1, parameters=[w], weight_decay=_), w)": """
paddle.regularizer.L1Decay(coeff=0.5)
paddle.regularizer.L2Decay(coeff=0.5)
""",
    "trained(paddle.optimizer.SGD(0.1, parameters=[w], grad_clip=_), w)": """
nn.ClipGradByValue(max=9.0, min=5.0)
""",
    "_.get_lr(), len(_._parameter_list), _._grad_clip is None, _._weight_decay == 0": """
paddle.optimizer.Optimizer(learning_rate=0.3, parameters=[w, x], weight_decay=0.1, grad_clip=nn.ClipGradByNorm(0.5))  # differs: an abstract class there
""",
    "drawn(_, paddle)": """
nn.initializer.KaimingNormal(negative_slope=2.0, nonlinearity='leaky_relu')  # either
nn.initializer.KaimingUniform(negative_slope=2.0, nonlinearity='leaky_relu')  # either
""",
    "paddle.create_parameter([4, 2, 3], 'float32', default_initializer=_)": """
nn.initializer.Dirac(groups=2)
""",
    "nn.Linear(3, 2).parameters(), nn.initializer.set_global_initializer(None)": """
nn.initializer.set_global_initializer(nn.initializer.Constant(0.5), bias_init=nn.initializer.Constant(0.25))
""",
    "_, w.grad.numpy()": """
nn.utils.clip_grad_norm_(stepped(w), 0.5, norm_type=1.0)
""",
    "_": """
nn.utils.clip_grad_norm_(stepped(w, np.inf), 0.5, error_if_nonfinite=True)
paddle.linalg.qr(q, mode='r')
q.qr(mode='r')
F.multi_label_margin_loss(x, paddle.to_tensor([[0, 2, -1], [1, -1, -1]]), reduction='none')
paddle.summary(net, input_size=(2, 3))
paddle.summary(net, input=x)
paddle.summary(nn.Embedding(4, 2), (2,), dtypes='int64')
paddle.Tensor(x.numpy(), stop_gradient=False)
""",
    "_[0].stop_gradient": """
paddle.grad((x.requires_grad_() ** 3).sum(), x, create_graph=True)
""",
    "paddle.grad(later, w)": """
paddle.grad(later, w, retain_graph=True)
""",
    "_().stop_gradient": """
paddle.no_grad(func=lambda: w * 2)  # differs: no such keyword there
paddle.enable_grad(func=paddle.no_grad(lambda: w * 2))  # differs: without effect there
""",
    "list(_)": """
paddle.io.RandomSampler(list(range(10)), num_samples=3, generator=iter([3, 1, 2, 0]))
""",
    "_.data_source": """
paddle.io.Sampler(data_source=[1, 2])
""",
    "len(_), [_[k] for k in range(len(_))]": """
paddle.io.TensorDataset(tensors=[seq, n])
paddle.io.ComposeDataset(datasets=[paddle.io.TensorDataset([x]), paddle.io.TensorDataset([n, p])])
paddle.io.ConcatDataset(datasets=[paddle.io.TensorDataset([x]), paddle.io.TensorDataset([n, p])])
paddle.io.Subset(dataset=paddle.io.TensorDataset([v]), indices=[3, 1, 3])
""",
    "[len(part) for part in _], sorted(int(k) for part in _ for k in part)": """
paddle.io.random_split(dataset=list(range(10)), lengths=[3, 7])
paddle.io.random_split(dataset=list(range(11)), lengths=[0.25, 0.5, 0.25])
paddle.io.random_split(dataset=list(range(10)), lengths=[3, 6])
""",
    "[sample for sample in _]": """
paddle.io.ChainDataset(datasets=[stream(1), stream(2)])
""",
    "len(_)": """
net.sublayers(include_self=True)
""",
    "said(lambda: print(img)), said(lambda: print(v[:3] * 1e-7, img[0, 0, 0])), paddle.set_printoptions(8, 1000, 3, False, 80)": """
paddle.set_printoptions(precision=3, threshold=20, edgeitems=1, sci_mode=True, linewidth=40)  # differs: their layout
""",
    "w.grad is None or w.grad.numpy()": """
stepped(w)[0].clear_grad(set_to_zero=False)  # differs: no such argument there
stepped(w)[0].clear_gradient(set_to_zero=False)  # differs: by position only there
""",
    "[p.grad is None for p in net.parameters()]": """
(net(x).sum().backward(), net)[1].clear_gradients(set_to_zero=False)
(net(x).sum().backward(), net)[1].zero_grad(set_to_none=False)  # differs: another name there
""",
    "_, other": """
net.state_dict(destination=other)
net.to_static_state_dict(destination=other)
""",
    "x": """
F.silu(x, inplace=True)
F.dropout(x, 0.5, inplace=True)  # either
""",
    "_(x), x": """
nn.Dropout(0.5, inplace=True)  # either
""",
    "b": """
x.eq(p, out=b)
x.ge(p, out=b)
x.greater(p, out=b)
x.gt(p, out=b)
x.le(p, out=b)
x.less(p, out=b)
x.lt(p, out=b)
x.ne(p, out=b)
""",
    "p": """
x.mul(p, out=p)
x.sub(p, out=p)
x.true_divide(p, out=p)
""",
    "n": """
n.bitwise_invert(out=n)  # differs: without effect there
""",
    "_.create_parameter([2]).dtype, _.full_name()": """
nn.Layer(dtype='float64', name_scope='abc')  # differs: float32 there
nn.Module(dtype='float64')  # differs: another name there
nn.RNNCellBase(dtype='float64', name_scope='abc')  # differs: float32 there
""",
    "warned(_)": """
paddle.autocast('cpu', dtype='bfloat16')  # differs: no warning there
paddle.autocast('cpu', enabled=False)  # differs: no warning there
""",
}
