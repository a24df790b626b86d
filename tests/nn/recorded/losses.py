"""Losses and distances."""

import numpy as np

from .case import array, call, integers, layer, positive

F = "nn.functional."
X, Y = array(3, 4, seed=1), array(3, 4, seed=2)
SIGNS = np.sign(array(3, 4, seed=3))
ZERO_ONE = (SIGNS > 0).astype("float32")
COUNTS = integers(3, 4).astype("float32")
CLASSES = integers(3, high=4)
TARGETS = np.array([[1, 3, -1, 2], [-1, 0, 1, 2], [2, -1, -1, -1]])
STEPS, LABELS = array(6, 3, 5, seed=4), integers(3, 3, low=1, high=5, seed=1).astype("int32")
TIMES, LENGTHS = np.array([6, 5, 4]), np.array([3, 2, 1])
P = positive(3, 4)

CASES = {
    "F.cosine_similarity": call(F + "cosine_similarity", X, Y),
    "F.cosine_similarity axis 0": call(F + "cosine_similarity", X, Y[:, :1], axis=0),
    "F.pairwise_distance": call(F + "pairwise_distance", X, Y, 3.0, keepdim=True),
    "F.margin_ranking_loss": call(F + "margin_ranking_loss", X, Y, SIGNS, 0.3),
    "F.hinge_embedding_loss": call(F + "hinge_embedding_loss", X, SIGNS, 0.7, "sum"),
    "F.cosine_embedding_loss": call(F + "cosine_embedding_loss", X, Y, SIGNS[:, 0], 0.1, "none"),
    "F.triplet_margin_loss": call(F + "triplet_margin_loss", X, Y, X[::-1].copy(), swap=True),
    "F.triplet_margin_loss p 1": call(F + "triplet_margin_loss", X, Y, X[::-1].copy(), 0.5, 1, reduction="none"),
    "F.triplet_distance": call(F + "triplet_margin_with_distance_loss", X, Y, X[::-1].copy(), margin=2.0),
    "F.soft_margin_loss": call(F + "soft_margin_loss", X, SIGNS),
    "F.multi_label_soft_margin_loss": call(F + "multi_label_soft_margin_loss", X, ZERO_ONE, P[0]),
    "F.multi_margin_loss": call(F + "multi_margin_loss", X, CLASSES, reduction="none"),
    "F.multi_margin_loss weight": call(F + "multi_margin_loss", X, CLASSES, 2, 0.5, P[0]),
    "F.multi_label_margin_loss": call(F + "multi_label_margin_loss", X, TARGETS, reduction="none"),
    "F.square_error_cost": call(F + "square_error_cost", X, Y),
    "F.log_loss": call(F + "log_loss", P[:, :1], ZERO_ONE[:, :1]),
    "F.poisson_nll_loss": call(F + "poisson_nll_loss", X, COUNTS),
    "F.poisson_nll_loss plain": call(F + "poisson_nll_loss", P, COUNTS, False, reduction="sum"),
    "F.gaussian_nll_loss": call(F + "gaussian_nll_loss", X, Y, P, full=True),
    "F.gaussian_nll_loss of rows": call(F + "gaussian_nll_loss", X, Y, P[:, 0]),
    "F.sigmoid_focal_loss": call(F + "sigmoid_focal_loss", X, ZERO_ONE),
    "F.sigmoid_focal_loss mean": call(F + "sigmoid_focal_loss", X, ZERO_ONE, np.float32([3.0]), 0.4, 1.5, "mean"),
    "F.dice_loss": call(F + "dice_loss", P, CLASSES[:, None]),
    "F.softmax_with_cross_entropy": call(F + "softmax_with_cross_entropy", X, CLASSES[:, None]),
    "F.softmax_with_cross_entropy both": call(
        F + "softmax_with_cross_entropy", X, CLASSES[:, None], return_softmax=True, gradients=False
    ),
    "F.npair_loss": call(F + "npair_loss", X, Y, np.float32([1, 2, 1])),
    "F.ctc_loss": call(F + "ctc_loss", STEPS, LABELS, TIMES, LENGTHS, open=(0, 1)),
    "F.ctc_loss none": call(F + "ctc_loss", STEPS, LABELS - 1, TIMES, LENGTHS, 4, "none"),
    "F.smooth_l1_loss": call(F + "smooth_l1_loss", X, Y, delta=0.5),
    "F.smooth_l1_loss not huber": call(F + "smooth_l1_loss", X, Y, delta=0.5, is_huber=False),
    "F.binary_cross_entropy": call(F + "binary_cross_entropy", P, ZERO_ONE, P),
    "F.bce logits": call(F + "binary_cross_entropy_with_logits", X, ZERO_ONE, P, "none", P[0]),
    "F.cross_entropy": call(F + "cross_entropy", X, CLASSES, P[0]),
    "F.cross_entropy of each": call(F + "cross_entropy", X, CLASSES[:, None], reduction="none"),
    "F.cross_entropy smoothed": call(F + "cross_entropy", X, CLASSES, label_smoothing=0.1),
    "F.kl_div": call(F + "kl_div", X, P, "batchmean"),
    "CosineSimilarity": layer("nn.CosineSimilarity", 1)(X, Y),
    "PairwiseDistance": layer("nn.PairwiseDistance")(X, Y),
    "MarginRankingLoss": layer("nn.MarginRankingLoss", 0.2)(X, Y, SIGNS),
    "HingeEmbeddingLoss": layer("nn.HingeEmbeddingLoss")(X, SIGNS),
    "CosineEmbeddingLoss": layer("nn.CosineEmbeddingLoss")(X, Y, SIGNS[:, 0]),
    "TripletMarginLoss": layer("nn.TripletMarginLoss")(X, Y, X[::-1].copy()),
    "TripletMarginWithDistanceLoss": layer("nn.TripletMarginWithDistanceLoss")(X, Y, X[::-1].copy()),
    "SoftMarginLoss": layer("nn.SoftMarginLoss")(X, SIGNS),
    "MultiLabelSoftMarginLoss": layer("nn.MultiLabelSoftMarginLoss")(X, ZERO_ONE),
    "MultiMarginLoss": layer("nn.MultiMarginLoss")(X, CLASSES),
    "MultiLabelMarginLoss": layer("nn.MultiLabelMarginLoss")(X, TARGETS),
    "PoissonNLLLoss": layer("nn.PoissonNLLLoss")(X, COUNTS),
    "GaussianNLLLoss": layer("nn.GaussianNLLLoss")(X, Y, P),
    "KLDivLoss": layer("nn.KLDivLoss", "sum")(X, P),
    "CTCLoss": layer("nn.CTCLoss")(STEPS, LABELS, TIMES, LENGTHS),
    "SmoothL1Loss": layer("nn.SmoothL1Loss", "sum", 0.5)(X, Y),
}

for _case in CASES.values():
    _case.of = (0,)  # targets have no gradient
