"""Methods of layers, optimizers, schedulers; loaders, metrics, what saves, and contexts."""

_STATE = "{'0.weight': x.t()[:, :2] * 0 + 5, 'other': x}"

CALLS = {
    "_": """
net.buffers(include_sublayers=False)
net.named_buffers(prefix='a', include_sublayers=False)
net.named_parameters(prefix='a')
net.named_parameters(include_sublayers=False)
nn.Sequential(net, net).named_parameters(remove_duplicate=False)
nn.Sequential(net, net).named_buffers(remove_duplicate=False)
net.parameters(include_sublayers=False)
net.state_dict(include_sublayers=False, structured_name_prefix='a.')
net.to_static_state_dict(include_sublayers=False, structured_name_prefix='a.')
net.create_parameter([2], attr=const(0.3), dtype='float64', is_bias=True, default_initializer=nn.initializer.Constant(2.0))
net.create_parameter([2], is_bias=True, default_initializer=None)
net.create_parameter([2], default_initializer=nn.initializer.Constant(2.0))
nn.Layer(dtype='float64').create_parameter([2], default_initializer=nn.initializer.Constant(2.0))  # differs: there float32
nn.LayerDict(sublayers=[('a', nn.Linear(2, 2, const(0.3), False))])
nn.LayerList(sublayers=[nn.Linear(2, 2, const(0.3), False)])
nn.ParameterList(parameters=[nn.Parameter(x)])
nn.ParameterDict(parameters={'a': nn.Parameter(x)})
nn.initializer.calculate_gain('leaky_relu', param=0.5)
paddle.optimizer.lr.LinearLR(0.5, 5, start_factor=0.5, end_factor=0.7, last_epoch=2)()  # differs: there a step from the rate before
list(paddle.io.BatchSampler(dataset=list(range(10)), batch_size=3, drop_last=True))
list(paddle.io.BatchSampler(sampler=paddle.io.SequenceSampler(list(range(10))), batch_size=3))
list(paddle.io.BatchSampler(dataset=list(range(10)), shuffle=True, batch_size=20))  # either
list(paddle.io.RandomSampler(list(range(10)), replacement=True, num_samples=4))  # either
list(paddle.io.WeightedRandomSampler([0.1, 0.2, 5.0], 3, replacement=False))  # either
list(paddle.io.SubsetRandomSampler([1, 2, 3]))  # either
list(paddle.io.DistributedBatchSampler(list(range(10)), 2, num_replicas=2, rank=1, shuffle=False, drop_last=True))
list(paddle.io.DataLoader([x.numpy()] * 5, return_list=False, batch_size=2, drop_last=True))  # differs: refused
list(paddle.io.DataLoader([x.numpy()] * 5, batch_size=2, collate_fn=len))  # differs: there an error
list(paddle.io.DataLoader([x.numpy()] * 5, batch_sampler=paddle.io.BatchSampler(dataset=[1] * 5, batch_size=4)))
list(paddle.io.DataLoader([[k] for k in range(20)], shuffle=True, batch_size=4))  # either
paddle.metric.accuracy(p, t.unsqueeze(-1), k=2)
paddle.metric.accuracy(p, t.unsqueeze(-1))
paddle.utils.map_structure(lambda a: a * 2, [x, {'a': p}])
paddle.utils.flatten([x, {'a': p}])
paddle.utils.pack_sequence_as([1, [2, 3]], [4, 5, 6])
nn.utils.parameters_to_vector(net.parameters())
paddle.static.InputSpec([None, 3], dtype='float64', name='x', stop_gradient=True)  # differs: their repr
paddle.static.InputSpec.from_tensor(x, name='abc')  # differs: their repr
paddle.static.InputSpec.from_numpy(x.numpy(), name='abc')  # differs: their repr
paddle.static.InputSpec([3]).batch(2)  # differs: their repr
paddle.iinfo('int16')  # differs: their repr
paddle.finfo(paddle.float64)  # differs: their repr
paddle.CPUPlace()
paddle.broadcast_shape([2, 1], [3])
""",
    "net": f"""
net.load_state_dict({_STATE}, use_structured_name=False)
net.to(device='gpu')
net.set_sublayer('0', nn.Linear(3, 4, const(0.3)), strict=True)
net.set_sublayer('new', nn.Linear(3, 4, const(0.3)), strict=True)
net.set_submodule('new', nn.Linear(3, 4, const(0.3)), strict=True)
net.set_state_dict({_STATE}, use_structured_name=False)
net.set_dict({_STATE}, use_structured_name=False)
net.load_dict({_STATE}, use_structured_name=False)
net.register_buffer('more', x, persistable=False)
net.to(dtype='float64')
net.float16(excluded_layers=[nn.Linear])  # differs: there not without a GPU
net.bfloat16(excluded_layers=[nn.Linear])
net.astype('float64').float(excluded_layers=[nn.Linear])  # differs: there without effect
net.astype(dtype='float64')  # differs: there without effect
nn.utils.vector_to_parameters(paddle.ones([11]), net.parameters())
paddle.amp.decorate(net, level='O2', dtype='bfloat16')
paddle.amp.decorate(net, level='O2', dtype='bfloat16', excluded_layers=[nn.Linear])
""",
    "[layer.training for layer in net.sublayers(True)]": """
net.train(mode=False)
net.eval()
""",
    "[p.stop_gradient for p in net.parameters()]": """
net.requires_grad_(requires_grad=False)
""",
    "_.state_dict(), shown(_, x)": """
nn.utils.weight_norm(nn.Linear(3, 2, const(0.3), const(0.2)), dim=1)
nn.utils.spectral_norm(nn.Linear(3, 2), n_power_iterations=3, eps=2.0, dim=0)  # either
""",
    "_, x.grad.numpy()": """
x.requires_grad_().multiply(p).backward(grad_tensor=p)
""",
    "_.name, _.learning_rate, _.regularizer is None, _.trainable, _.need_clip": """
paddle.ParamAttr(name='a', initializer=nn.initializer.Constant(1.0), learning_rate=0.3, regularizer=paddle.regularizer.L1Decay(0.1), trainable=False, need_clip=False)
""",
    "[name for name, _ in _]": """
net.named_sublayers(prefix='a', include_self=True)
net.named_modules(prefix='a')
net.named_sublayers(layers_set={net[1]})
nn.Sequential(net, net).named_sublayers(remove_duplicate=False)
""",
    "_.dtype, _.name, _.persistable": """
net.create_tensor(name='abc', persistable=True, dtype='float64')  # differs: another name
net.create_variable(name='abc', persistable=True, dtype='float64')  # differs: another name
""",
    "np.random.seed(3), list(_)": """
paddle.io.RandomSampler(list(range(10)), replacement=True)  # either
paddle.io.RandomSampler(list(range(10)), replacement=True, num_samples=4)  # either
paddle.io.WeightedRandomSampler([0.1, 0.2, 5.0], 3, replacement=False)  # either
paddle.io.SequenceSampler(data_source=list(range(4)))
paddle.io.BatchSampler(dataset=list(range(4)))
""",
    "_(x).sum().backward(), _.weight.grad.numpy(), _.clear_gradients()": """
nn.Linear(3, 2, const(0.3, regularizer=paddle.regularizer.L1Decay(coeff=0.5)))
""",
    "[name for name, _ in _ ]": """
net.named_modules(memo={net[1]})
nn.Sequential(net, net).named_modules(remove_duplicate=False)
""",
    "x.grad.numpy()": """
(x.requires_grad_() * p).sum().backward(retain_graph=True)
""",
    "_[0]": """
paddle.grad(x.requires_grad_() * p, x, grad_outputs=p)
paddle.grad(paddle.grad((x.requires_grad_() ** 3).sum(), x, create_graph=True)[0].sum(), x)
paddle.grad(p.sum(), [x.requires_grad_()], allow_unused=True)
paddle.grad(x.requires_grad_() * p, [x], only_inputs=False)
paddle.grad(x.requires_grad_() * p, [x], no_grad_vars=[x])
""",
    "_.full_name()": """
nn.Layer(name_scope='abc')  # differs: another number
""",
}
