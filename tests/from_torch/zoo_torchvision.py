"""torchvision's builders: each of `torchvision.models.list_models()`, the smallest of each family before the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch

import dy2st.torch

from .vision import nms, torchvision
from .zoo import Case, images

dy2st.torch.register(torch.ops.torchvision.nms)(nms)
dy2st.torch.register(torch.ops.torchvision.roi_align)(torchvision.ops.roi_align.__globals__["_roi_align"].__wrapped__)

KINDS = ("detection", "segmentation", "video", "optical_flow", "quantization")
SIDES = {"maxvit_t": 224, "inception_v3": 96, "vit_h_14": 56, "quantized_inception_v3": 96}
OPTIONS: dict[str, dict[str, Any]] = {name: {"init_weights": False} for name in ("inception_v3", "googlenet")}
FEW = {"num_classes": 5, "weights_backbone": None}  # boxes are few, so that torch's own order of them is sure
SMALL = {"min_size": 64, "max_size": 128, **FEW}
TWO_STAGES = {"rpn_pre_nms_top_n_test": 100, "rpn_post_nms_top_n_test": 20, "box_score_thresh": 0.1, **SMALL}
FEW_MAPS = {"num_classes": 2, "box_detections_per_img": 2}  # of many heat maps there is one with two places as warm
ONE_STAGE = {"score_thresh": 0.0, "topk_candidates": 20}
DETECTORS = {
    "fasterrcnn": TWO_STAGES,
    "maskrcnn": TWO_STAGES,
    "keypointrcnn": {**TWO_STAGES, **FEW_MAPS},
    "fcos": {**ONE_STAGE, **SMALL},
    "retinanet": {**ONE_STAGE, **SMALL, "topk_candidates": 6},
    "ssd": {**ONE_STAGE, **FEW},
}


def cases() -> Iterator[Case]:
    """Each builder, as `torchvision/resnet18`."""
    names = sorted(torchvision.models.list_models(), key=_parameters)
    homes = {name: torchvision.models.get_model_builder(name).__module__ for name in names}
    smallest = set({homes[name]: name for name in reversed(names)}.values())
    for name in sorted(names, key=lambda name: name not in smallest):
        kind = next((kind for kind in KINDS if f".{kind}." in homes[name]), "classification")
        yield Case(f"torchvision/{name}", f"torchvision, {kind}", *_made(kind, name))


def _parameters(name: str) -> int:
    """How many parameters a model has, by what is told of its weights."""
    (weights, *_) = torchvision.models.get_model_weights(name)
    return weights.meta["num_params"]


def _made(kind: str, name: str) -> tuple[Any, Any]:
    """How a model is built, and what it takes."""
    side = SIDES.get(name, 64)
    options = {"image_size": side} if name.startswith("vit") else OPTIONS.get(name, {})
    inputs: Any = partial(images, "x", side)
    if kind == "detection":
        options = next(own for start, own in DETECTORS.items() if name.startswith(start))
        return partial(_detector, name, options), _two_images
    if kind == "segmentation":
        options = {"weights_backbone": None}
        inputs = partial(images, "input" if name.startswith("lraspp") else "x", side)
    if kind == "video":
        frames, side = (16, 224) if name.startswith(("s3d", "mvit")) else (16, 64)
        inputs = lambda batch: {"x": torch.randn(batch, 3, frames, side, side)}  # noqa: E731
    if kind == "optical_flow":
        inputs = lambda batch: {f"image{k}": torch.randn(batch, 3, 128, 128) for k in (1, 2)}  # noqa: E731
    return partial(torchvision.models.get_model, name, **options), inputs


def _two_images(size: int) -> dict[str, Any]:
    """Two images, of other heights and widths for each size."""
    return {"images": [torch.rand(3, 40 + 8 * size, 56), torch.rand(3, 48, 40 + 12 * size)]}


def _detector(name: str, options: dict[str, Any]) -> torch.nn.Module:
    """A detector whose norms have seen images, so that its scores, by which boxes are sorted, aren't all the same.

    Its masks have weights of the size of its boxes': with the larger ones that they begin with, torch's own are 0.006 off.
    """
    model = torchvision.models.get_model(name, **options).eval()
    for part in model.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.train().momentum = 1.0
        if isinstance(part, torchvision.models.detection.mask_rcnn.MaskRCNNPredictor):
            torch.nn.init.normal_(part.mask_fcn_logits.weight, std=0.01)
    with torch.no_grad():
        model([image for _ in range(4) for image in _two_images(4)["images"]])
    return model
