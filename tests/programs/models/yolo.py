"""A YOLO-style detector: two scales, anchors, boxes decoded on the grid, and non-maximum suppression class by class."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec


class ConvBNLeaky(nn.Layer):
    def __init__(self, ch_in, ch_out, filter_size=3, stride=1):
        super().__init__()
        self.conv = nn.Conv2D(ch_in, ch_out, filter_size, stride, padding=(filter_size - 1) // 2, bias_attr=False)
        self.batch_norm = nn.BatchNorm2D(ch_out)

    def forward(self, inputs):
        out = self.conv(inputs)
        out = self.batch_norm(out)
        out = F.leaky_relu(out, 0.1)
        return out


class YOLOv3Head(nn.Layer):
    """Raw maps [n, anchors * (5 + classes), h, w], one for each scale, the coarse one first."""

    def __init__(self, in_channels, anchors, anchor_masks, num_classes):
        super().__init__()
        self.anchors = [[anchors[i] for i in mask] for mask in anchor_masks]
        self.num_classes = num_classes
        self.yolo_outputs = []
        for i, channels in enumerate(in_channels):
            filters = len(self.anchors[i]) * (num_classes + 5)
            yolo_output = self.add_sublayer(f"yolo_output.{i}", nn.Conv2D(channels, filters, 1))
            self.yolo_outputs.append(yolo_output)

    def forward(self, feats):
        assert len(feats) == len(self.anchors)
        yolo_outputs = []
        for i, feat in enumerate(feats):
            yolo_output = self.yolo_outputs[i](feat)
            yolo_outputs.append(yolo_output)
        return yolo_outputs


class YOLOv3Loss(nn.Layer):
    """The raw maps and, for each, targets [n, anchors, h, w, 5 + classes] (box, whether there is one, classes) -> the loss."""

    def __init__(self, num_classes, ignore_thresh=0.7):
        super().__init__()
        self.num_classes = num_classes
        self.ignore_thresh = ignore_thresh

    def forward(self, inputs, targets):
        total = 0.0
        for x, t in zip(inputs, targets):
            b, c, h, w = x.shape
            na = t.shape[1]
            x = x.reshape((b, na, -1, h, w)).transpose((0, 1, 3, 4, 2))
            tobj = t[:, :, :, :, 4]
            scale = 2.0 - t[..., 2] * t[..., 3]
            loss_xy = F.binary_cross_entropy_with_logits(x[..., 0:2], t[..., 0:2], reduction="none").sum(axis=-1)
            loss_wh = paddle.abs(x[..., 2:4] - t[..., 2:4]).sum(axis=-1)
            obj = F.sigmoid(x[..., 4])
            ignored = paddle.cast((obj > self.ignore_thresh), "float32") * (1.0 - tobj)
            ignored.stop_gradient = True
            loss_obj = F.binary_cross_entropy_with_logits(x[..., 4], tobj, weight=1.0 - ignored, reduction="none")
            loss_cls = F.binary_cross_entropy_with_logits(x[..., 5:], t[..., 5:], reduction="none").sum(axis=-1)
            loss = tobj * (scale * (loss_xy + loss_wh) + loss_cls) + loss_obj
            total = total + loss.sum([1, 2, 3]).mean()
        return total


class YOLO(nn.Layer):
    """images [n, 3, h, w] -> the raw maps at 1/8 and 1/4 of the size; in training, with the targets of both, the loss."""

    anchors = [[6, 6], [12, 8], [3, 3], [4, 6]]
    anchor_masks = [[0, 1], [2, 3]]

    def __init__(self, num_classes=2, width=6):
        super().__init__()
        self.num_classes = num_classes
        self.stem = nn.Sequential(ConvBNLeaky(3, width, stride=2), ConvBNLeaky(width, width * 2, stride=2))
        self.down = ConvBNLeaky(width * 2, width * 2, stride=2)
        self.route = ConvBNLeaky(width * 2, width, 1)
        self.yolo_head = YOLOv3Head([width * 2, width * 3], self.anchors, self.anchor_masks, num_classes)
        self.loss = YOLOv3Loss(num_classes)

    def forward(self, image, coarse=None, fine=None):
        c2 = self.stem(image)
        c3 = self.down(c2)
        route = F.interpolate(self.route(c3), scale_factor=2.0)
        outputs = self.yolo_head([c3, paddle.concat([route, c2], axis=1)])
        if self.training:
            return self.loss(outputs, [coarse, fine])
        else:
            return outputs


def box_area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(box, boxes):
    """[4], [n, 4] -> [n]"""
    lt = paddle.maximum(box[:2], boxes[:, :2])
    rb = paddle.minimum(box[2:], boxes[:, 2:])
    wh = (rb - lt).clip(min=0)
    inter = wh[:, 0] * wh[:, 1]
    return inter / (box_area(box.unsqueeze(0)) + box_area(boxes) - inter + 1e-9)


def nms(boxes, scores, iou_threshold=0.5, top_k=None):
    """The numbers of the boxes that no better one covers, best first."""
    order = paddle.argsort(scores, descending=True)
    keep = []
    while order.shape[0] > 0:
        i = order[0]
        keep.append(i)
        if top_k is not None and len(keep) >= top_k:
            break
        if order.shape[0] == 1:
            break
        rest = order[1:]
        iou = box_iou(boxes[i], boxes[rest])
        order = rest[iou <= iou_threshold]
    return paddle.stack(keep)


class YOLODetector(nn.Layer):
    """image [1, 3, h, w] -> rows of (class, score, x0, y0, x1, y1), and their number; class by class, best first."""

    def __init__(self, model, conf_thresh=0.3, iou_thresh=0.45, keep_top_k=2):
        super().__init__()
        self.model = model
        self.conf_thresh = conf_thresh
        self.iou_thresh = iou_thresh
        self.keep_top_k = keep_top_k

    def decode(self, x, anchors, downsample):
        b, c, h, w = x.shape
        na = len(anchors)
        x = x.reshape([b, na, -1, h, w]).transpose([0, 1, 3, 4, 2])
        yv, xv = paddle.meshgrid([paddle.arange(h), paddle.arange(w)])
        grid = paddle.stack((xv, yv), axis=-1).reshape([1, 1, h, w, 2]).astype("float32")
        sizes = paddle.to_tensor(anchors, dtype="float32").reshape([1, na, 1, 1, 2])
        centre = (F.sigmoid(x[..., :2]) + grid) * downsample
        wh = paddle.exp(x[..., 2:4].clip(-4, 4)) * sizes
        boxes = paddle.concat([centre - wh / 2, centre + wh / 2], axis=-1)
        scores = F.sigmoid(x[..., 4:5]) * F.softmax(x[..., 5:], axis=-1)
        return boxes.reshape([-1, 4]), scores.reshape([-1, self.model.num_classes])

    def forward(self, image):
        all_boxes, all_scores = [], []
        for i, out in enumerate(self.model(image)):
            boxes, scores = self.decode(out, self.model.yolo_head.anchors[i], 8 // 2**i)
            all_boxes.append(boxes)
            all_scores.append(scores)
        boxes, scores = paddle.concat(all_boxes), paddle.concat(all_scores)
        boxes = boxes.clip(0.0, float(image.shape[2]))

        results = []
        for c in range(self.model.num_classes):
            index = paddle.nonzero(scores[:, c] > self.conf_thresh).flatten()
            if index.shape[0] == 0:
                continue
            class_boxes = paddle.index_select(boxes, index)
            class_scores = paddle.index_select(scores[:, c], index)
            keep = nms(class_boxes, class_scores, self.iou_thresh, self.keep_top_k)
            label = paddle.full([keep.shape[0], 1], c, dtype="float32")
            results.append(paddle.concat([label, class_scores[keep].unsqueeze(-1), class_boxes[keep]], axis=-1))
        if len(results) == 0:
            return paddle.zeros([0, 6]), 0
        pred = paddle.concat(results)
        return pred, pred.shape[0]


SPECS = [
    InputSpec([None, 3, None, None], "float32", "image"),
    InputSpec([None, 2, None, None, 7], "float32", "coarse"),
    InputSpec([None, 2, None, None, 7], "float32", "fine"),
]
DEPLOYED_SPECS = [InputSpec([1, 3, None, None], "float32", "image")]


def build():
    return YOLO()


def deployed(model):
    return YOLODetector(model)


def batches(rng):
    found = []
    for _ in range(4):
        images = rng.normal(size=[2, 3, 32, 32]).astype("float32") * 0.1
        targets = [np.zeros([2, 2, size, size, 7], "float32") for size in (4, 8)]
        for n in range(2):
            for scale, target in enumerate(targets):
                anchor, kind, (y, x) = rng.integers(0, 2), rng.integers(0, 2), rng.integers(0, target.shape[2], [2])
                target[n, anchor, y, x, :5] = [*rng.uniform(0, 1, 2), *rng.uniform(-0.5, 0.5, 2), 1]
                target[n, anchor, y, x, 5 + kind] = 1
                step = 32 // target.shape[2]
                images[n, kind, y * step : (y + 1) * step, x * step : (x + 1) * step] += 2
        found.append((images, targets))
    return found


def calls(rng):
    noise = rng.normal(size=[1, 3, 32, 40]).astype("float32")
    return [(noise,), (noise[:, :, :16, :24] * 4,), (np.zeros([1, 3, 16, 16], "float32"),)]


def train(model, data):
    scheduler = paddle.optimizer.lr.PiecewiseDecay(boundaries=[3, 6], values=[0.02, 0.01, 0.005])
    optimizer = paddle.optimizer.Momentum(
        learning_rate=scheduler, momentum=0.9, weight_decay=5e-4, parameters=model.parameters(),
        grad_clip=paddle.nn.ClipGradByNorm(5.0),
    )  # fmt: skip
    model.train()
    losses = []
    for epoch in range(2):
        for image, targets in data:
            loss = model(paddle.to_tensor(image), *[paddle.to_tensor(t) for t in targets])
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            scheduler.step()
            losses.append(loss.item())
    return losses
