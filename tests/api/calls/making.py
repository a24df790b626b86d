"""Making tensors, complex numbers, random numbers, limits."""

CALLS = """
paddle.zeros([2, 3])
paddle.ones([2], 'int32')
paddle.full([2], 1.5)
paddle.full([2], 3)
paddle.full_like(n, 2)
paddle.zeros_like(x, 'int64')
paddle.ones_like(x)
paddle.empty_like(x)  # either
paddle.empty([2])  # either
paddle.arange(5)
paddle.arange(1.0, 2.0, 0.25)
paddle.linspace(0, 1, 5)
paddle.logspace(0, 2, 3)
paddle.logspace(0, 3, 4, 2.0, 'float64')
paddle.range(0, 3)  # eager
paddle.eye(2, 3)
paddle.to_tensor([[1, 2], [3, 4]])
paddle.tensor([1.5, 2.0])
paddle.as_tensor([1, 2], dtype='float32')
paddle.asarray([True, False])
paddle.assign(x)
paddle.clone(x)
paddle.increment(s.reshape([1]).clone())
paddle.hann_window(8)
paddle.hamming_window(7, False)
paddle.blackman_window(8, dtype='float64')
paddle.bartlett_window(6)
paddle.kaiser_window(8, beta=8.0)
paddle.complex(x, y)
paddle.polar(p, x)
paddle.real(g)
paddle.imag(g)
paddle.conj(g)
g.angle()
g + 1
g * g
g.abs()
paddle.as_real(g)
paddle.as_complex(x.t()[:, :2].contiguous())
paddle.view_as_real(g)
paddle.sgn(g)
paddle.isreal(g)
paddle.is_complex(g)  # eager
paddle.is_tensor(x)  # eager
paddle.is_floating_point(x)  # eager
paddle.is_integer(n)  # eager
paddle.rand([2, 3])  # either
paddle.randn([2, 3])  # either
paddle.rand_like(x)  # either
paddle.randn_like(x)  # either
paddle.randint(0, 5, [2])  # either
paddle.randint_like(n, 0, 5)  # either
paddle.randperm(4)  # either
paddle.uniform([2])  # either
paddle.normal(0.0, 1.0, [2])  # either
paddle.log_normal(0.0, 1.0, [2])  # either
paddle.standard_normal([2])  # either
paddle.poisson(p)  # either
paddle.standard_gamma(p)  # either
paddle.binomial(p * 0 + 5, p)  # either
paddle.bernoulli(p)  # either
paddle.multinomial(p, 2)  # either
p.multinomial(5, True)  # either
x.clone().bernoulli_()  # either
x.clone().exponential_()  # either
x.clone().cauchy_()  # either
x.clone().geometric_(0.3)  # either
x.clone().log_normal_()  # either
x.clone().uniform_()  # either
x.clone().normal_()  # either
n.clone().random_(0, 5)  # either
x.clone().zero_()
x.clone().fill_(2.0)
paddle.iinfo('int8').max  # eager
paddle.finfo('float32').eps  # eager
paddle.shape(x)
paddle.get_default_dtype()  # eager
paddle.in_dynamic_mode()  # eager
paddle.is_compiled_with_cuda()  # eager
"""
