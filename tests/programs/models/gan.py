"""A GAN: two networks, two optimizers, what one made is judged by the other with and without gradients."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

LATENT = 6


def normal_init(layer):
    classname = layer.__class__.__name__
    if classname.find("Conv") != -1:
        paddle.assign(paddle.normal(0.0, 0.02, layer.weight.shape), layer.weight)
    elif classname.find("BatchNorm") != -1:
        paddle.assign(paddle.normal(1.0, 0.02, layer.weight.shape), layer.weight)
        paddle.assign(paddle.zeros(layer.bias.shape), layer.bias)


class Generator(nn.Layer):
    """noise [n, latent, 1, 1] -> images [n, 1, 16, 16]."""

    def __init__(self, width=8):
        super().__init__()
        self.gen = nn.Sequential(
            nn.Conv2DTranspose(LATENT, width * 2, 4, 1, 0, bias_attr=False),
            nn.BatchNorm2D(width * 2),
            nn.ReLU(True),
            nn.Conv2DTranspose(width * 2, width, 4, 2, 1, bias_attr=False),
            nn.BatchNorm2D(width),
            nn.ReLU(True),
            nn.Conv2DTranspose(width, 1, 4, 2, 1, bias_attr=False),
            nn.Tanh(),
        )

    def forward(self, x):
        return self.gen(x)


class Discriminator(nn.Layer):
    """images [n, 1, 16, 16] -> how real they are [n, 1, 1, 1]."""

    def __init__(self, width=8):
        super().__init__()
        self.dis = nn.Sequential(
            nn.Conv2D(1, width, 4, 2, 1, bias_attr=False),
            nn.LeakyReLU(0.2),
            nn.Conv2D(width, width * 2, 4, 2, 1, bias_attr=False),
            nn.BatchNorm2D(width * 2),
            nn.LeakyReLU(0.2),
            nn.Conv2D(width * 2, 1, 4, 1, 0, bias_attr=False),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.dis(x)


class Sampler(nn.Layer):
    """noise [n, latent] -> the images that the critic takes for real more than `least`, or the best one, and their number."""

    def __init__(self, generator, discriminator):
        super().__init__()
        self.generator = generator
        self.discriminator = discriminator

    def forward(self, noise, least):
        images = self.generator(noise.reshape([-1, LATENT, 1, 1]))
        real = self.discriminator(images).flatten()
        chosen = [image for image, score in zip(images, real) if score > least]
        if len(chosen) == 0:
            chosen = [images[real.argmax()]]
        return paddle.stack(chosen), len(chosen)


SPECS = (
    [InputSpec([None, LATENT, 1, 1], "float32", "noise")],
    [InputSpec([None, 1, 16, 16], "float32", "image")],
)
DEPLOYED_SPECS = [InputSpec([None, LATENT], "float32", "noise"), InputSpec([], "float32", "least")]


def build():
    netG = Generator()
    netD = Discriminator()
    netG.apply(normal_init)
    netD.apply(normal_init)
    return netG, netD


def deployed(generator, discriminator):
    return Sampler(generator, discriminator)


def batches(rng):
    x, y = np.meshgrid(np.linspace(-1, 1, 16), np.linspace(-1, 1, 16))
    found = []
    for step in range(4):
        centre = rng.uniform(-0.4, 0.4, [4, 2, 1, 1])
        real = np.tanh(3 - 8 * ((x - centre[:, 0]) ** 2 + (y - centre[:, 1]) ** 2))[:, None]
        found.append((real.astype("float32"), rng.normal(size=[4, LATENT, 1, 1]).astype("float32")))
    return found


def calls(rng):
    return [(rng.normal(size=[5, LATENT]).astype("float32"), np.float32(least)) for least in (0.0, 0.5, 1.0)]


def train(netG, netD, data):
    loss = paddle.nn.BCELoss()
    optimizerD = paddle.optimizer.Adam(parameters=netD.parameters(), learning_rate=0.002, beta1=0.5, beta2=0.999)
    optimizerG = paddle.optimizer.Adam(parameters=netG.parameters(), learning_rate=0.002, beta1=0.5, beta2=0.999)
    netG.train()
    netD.train()
    losses = []
    for image, noise in data:
        real, noise = paddle.to_tensor(image), paddle.to_tensor(noise)
        real_label = paddle.full([real.shape[0], 1, 1, 1], 1.0, dtype="float32")
        fake_label = paddle.full([real.shape[0], 1, 1, 1], 0.0, dtype="float32")

        # The discriminator: real images, then ones whose gradients don't reach the generator.
        optimizerD.clear_grad()
        errD_real = loss(netD(real), real_label)
        errD_real.backward()
        fake = netG(noise)
        errD_fake = loss(netD(fake.detach()), fake_label)
        errD_fake.backward()
        optimizerD.step()

        # The generator, through the discriminator.
        optimizerG.clear_grad()
        errG = loss(netD(fake), real_label)
        errG.backward()
        optimizerG.step()
        losses.extend([(errD_real + errD_fake).item(), errG.item()])
    return losses
