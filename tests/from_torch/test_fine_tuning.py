"""Training through the wrapper with torch.optim: the losses are torch's, and so is what a training loop does besides."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static
F = nn.functional


def cnn():
    return nn.Sequential(
        nn.Conv2d(3, 6, 3, padding=1),
        nn.BatchNorm2d(6),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 8, 3, stride=2),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 4),
    )


class Classifier(nn.Module):
    """A transformer whose classes are scored by the embeddings of the first tokens."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(16, 20, bias=False)
        self.out.weight = self.embedding.weight

    def forward(self, tokens, mask=None):
        x = self.encoder(self.embedding(tokens), src_key_padding_mask=mask)
        return self.out(x.mean(1))[:, :4]


def pictures():
    return torch.randn(8, 3, 8, 8), torch.randint(0, 4, (8,))


def sentences():
    return torch.randint(0, 20, (8, 6)), torch.randint(0, 4, (8,))


def losses(module, call, batches, optimizer, schedule=None, each=None):
    """The loss of each step, of a step of the optimizer for each batch."""
    found = []
    for number, (x, y) in enumerate(batches):
        loss = F.cross_entropy(call(x), y)
        optimizer.zero_grad()
        loss.backward()
        if each is not None:
            each(module, call, number, x)
        optimizer.step()
        if schedule is not None:
            schedule.step()
        found.append(loss.item())
    return found


def trained(make, draw, optimizer, scheduler=None, each=None, steps=20):
    """The losses and the module after the steps: by torch, and through the wrapper."""
    torch.manual_seed(0)
    first = make()
    batches = [draw() for _ in range(steps)]
    found = []
    for module in (first, copy.deepcopy(first)):
        call = to_static(module) if found else module
        made = optimizer(module.parameters())
        found.append((losses(module, call, batches, made, scheduler and scheduler(made), each), module))
    return found


def the_same(found):
    (right, theirs), (mine, ours) = found
    torch.testing.assert_close(mine, right, rtol=1e-3, atol=1e-4)
    for name, x in theirs.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[name], x, rtol=1e-2, atol=1e-3, msg=name)


def sgd(parameters):
    return torch.optim.SGD(parameters, 0.05, momentum=0.9, weight_decay=1e-4)


def adamw(parameters):
    return torch.optim.AdamW(parameters, 3e-3, eps=1e-4)  # some gradients are nothing but rounding


def test_a_network_with_batch_norm_trains_as_in_torch():
    the_same(trained(cnn, pictures, sgd))


def test_a_transformer_with_tied_weights_trains_as_in_torch():
    schedule = lambda made: torch.optim.lr_scheduler.OneCycleLR(made, 1e-2, total_steps=20)  # noqa: E731
    the_same(trained(Classifier, sentences, adamw, schedule))


def clip(module, call, number, x):
    nn.utils.clip_grad_norm_(module.parameters(), 0.1)


def freeze(module, call, number, x):
    """Frozen from the fourth step on, and thawed at the eighth."""
    if number in (3, 7):
        module[0].requires_grad_(number == 7)
        module[9].bias.requires_grad_(number == 7)


def evaluate(module, call, number, x):
    with torch.no_grad():
        module.eval()
        assert not call(x).requires_grad
        module.train()


def evaluate_inside(module, call, number, x):
    with torch.inference_mode():
        call(x)


def replace(module, call, number, x):
    if number == 3:
        module[9].bias = nn.Parameter(torch.ones(4))
    if number == 5:
        module[9].weight.data = module[9].weight.data * 2


@pytest.mark.parametrize("each", [clip, freeze, evaluate, evaluate_inside, replace], ids=lambda f: f.__name__)
def test_what_is_done_between_steps(each):
    the_same(trained(cnn, pictures, sgd, each=each, steps=10))


@pytest.mark.parametrize("set_to_none", [True, False])
def test_gradients_are_accumulated(set_to_none):
    torch.manual_seed(0)
    first, batches, found = cnn(), [pictures() for _ in range(8)], []
    for module in (first, copy.deepcopy(first)):
        call, optimizer, seen = to_static(module) if found else module, sgd(module.parameters()), []
        for number, (x, y) in enumerate(batches):
            loss = F.cross_entropy(call(x), y) / 2
            loss.backward()
            seen.append(loss.item())
            if number % 2:
                optimizer.step()
                optimizer.zero_grad(set_to_none=set_to_none)
                assert all((p.grad is None) == set_to_none for p in module.parameters())
        found.append((seen, module))
    the_same(found)


def test_frozen_parameters_have_no_gradient():
    module = cnn()
    module[0].requires_grad_(False)
    net = to_static(module)
    net(pictures()[0]).sum().backward()
    assert module[0].weight.grad is None and module[4].weight.grad is not None
    module.requires_grad_(False)
    assert not net(pictures()[0]).requires_grad


def test_two_calls_and_a_call_of_torchs_share_one_graph():
    torch.manual_seed(0)
    first, x, found = nn.Linear(3, 3), torch.randn(2, 3), []
    for module in (first, copy.deepcopy(first)):
        call = to_static(module) if found else module
        y = torch.relu(call(x)) * 2
        (call(y).sum() + call(x * 3).square().sum() + y.sum()).backward()
        found.append([p.grad for p in module.parameters()])
    torch.testing.assert_close(*found)


def test_gradients_are_asked_for_by_torch_autograd_grad():
    torch.manual_seed(0)
    module = cnn().eval()
    net, (x, _) = to_static(module), pictures()
    x.requires_grad_()
    wanted = [x, *module.parameters()]
    mine, right = (torch.autograd.grad(call(x).square().sum(), wanted) for call in (net, module))
    torch.testing.assert_close(mine, right)
    assert all(p.grad is None for p in wanted)
    loss = net(x).sum()
    first = torch.autograd.grad(loss, x, retain_graph=True)
    torch.testing.assert_close(torch.autograd.grad(loss, x), first)


def test_what_was_overwritten_since_is_an_error():
    net = to_static(lambda x: x * x)
    for _ in range(2):
        w = torch.ones(2, requires_grad=True)
        y = net(w)
        with torch.no_grad():
            w.mul_(2)
        with pytest.raises(RuntimeError, match="changed in place"):
            y.sum().backward()
        w.grad = None
        net(w).sum().backward()
        assert w.grad.tolist() == [4, 4]


def test_results_may_be_changed_in_place():
    found = []
    for call in (lambda x: x * 3, to_static(lambda x: x * 3)):
        w = torch.ones(2, requires_grad=True)
        y = call(w)
        y.add_(1)
        (y * y.detach()).sum().backward()
        found.append((y.detach(), w.grad))
    torch.testing.assert_close(*found)


def test_results_that_the_gradient_needs_may_not_be_changed():
    net, w = to_static(lambda x: torch.exp(x)), torch.ones(2, requires_grad=True)
    net(w).sum().backward()
    y = net(w)
    y.add_(1)
    with pytest.raises(RuntimeError, match="changed in place"):
        y.sum().backward()


def test_a_parameter_that_a_function_names_has_a_gradient():
    w = nn.Parameter(torch.ones(2))
    scaled = torch.ones(2, requires_grad=True)
    history = scaled * 2

    def function(x):
        return x * w * history

    to_static(function)(torch.full((2,), 3.0)).sum().backward()
    assert w.grad.tolist() == [6, 6] and scaled.grad.tolist() == [6, 6]


def relu_(x):
    return F.relu(x, inplace=True)


def doubled(x):
    x.mul_(2)
    return x.sum()


def both(x, w):
    x.add_(w)
    y = x + w
    x.mul_(y.detach())
    return x, y


def a_row(x, w):
    x[0] = w[1] * 2
    return x.sum()


@pytest.mark.parametrize("function", [relu_, doubled, both, a_row], ids=lambda f: f.__name__)
def test_arguments_that_are_written_have_a_new_history(function):
    found = []
    for call in (function, to_static(function)):
        w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
        x = w * 3
        before = x + 1
        results = call(*(x, w)[: function.__code__.co_argcount])
        results = results if isinstance(results, tuple) else (results,)
        sum((r.sum() for r in results), (x * 1.5).sum() + before.sum()).backward()
        found.append((w.grad, x.detach(), *(r.detach() for r in results)))
    torch.testing.assert_close(found[1], found[0])
    leaf = torch.ones(2, 2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        to_static(function)(*(leaf, torch.ones(2, 2))[: function.__code__.co_argcount])
