"""For which dtypes onnxruntime's CPU has kernels, by operator and type parameter: of those that have kernels at all.

Written by `python tests/onnx_models/kernel_table.py` from onnxruntime 1.32.0.
"""

from __future__ import annotations

_TABLE = """
Abs T uint8 int8 int16 int32 int64 float32 float64
Acos T float32
Acosh T float32
Add T uint8 int8 int16 int32 int64 float32 float64
Affine T float32
AffineGrid T1 float32 float64
AffineGrid T2 int64
And T bool
And T1 bool
ArgMax T uint8 int8 int32 int64 float32 float64
ArgMin T uint8 int8 int32 int64 float32 float64
Asin T float32
Asinh T float32
Atan T float32
Atanh T float32
Attention T1 float16 float32
Attention T2 float16 float32
Attention U bool float16 float32
AveragePool T float32
BatchNormalization T float32 float64
BatchNormalization T1 float32 float64
BatchNormalization T2 float32 float64
BitCast T1 uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
BitCast T2 uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
BitShift T uint8 int8 int16 int32 int64
BitwiseAnd T uint8 int8 int16 int32 int64
BitwiseNot T uint8 int8 int16 int32 int64
BitwiseOr T uint8 int8 int16 int32 int64
BitwiseXor T uint8 int8 int16 int32 int64
BlackmanWindow T1 int32 int64
BlackmanWindow T2 uint8 int8 int16 int32 int64 float32 float64
Cast T1 bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Cast T2 bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Ceil T float32 float64
Celu T float16 bfloat16 float32 float64
Clip T uint8 int8 int32 int64 float16 float32 float64
Col2Im T float32
Compress T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Compress T1 bool
Concat T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
ConstantOfShape T1 int64
ConstantOfShape T2 bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
Conv T float32
ConvInteger T1 uint8 int8
ConvInteger T2 uint8 int8
ConvInteger T3 int32
ConvTranspose T float32
Cos T float32 float64
Cosh T float32
Crop T float32
CumProd T int32 int64 float32 float64
CumProd T2 int32 int64
CumSum T int32 int64 float32 float64
CumSum T2 int32 int64
DFT T1 float32 float64
DFT T2 int32 int64
DeformConv T float32 float64
DepthToSpace T uint8 int8 float32 float64
DequantizeLinear T uint8 int8 int32
DequantizeLinear T1 uint8 int8 int16 int32
DequantizeLinear T2 float16 float32
DequantizeLinear T3 float16 float32
Det T float32
Div T uint8 int8 int16 int32 int64 float32 float64
Dropout T float32 float64
Dropout T1 float32 float64
Dropout T2 bool
DynamicQuantizeLinear T2 uint8
DynamicSlice T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
DynamicSlice Tind int32 int64
Einsum T int32 int64 bfloat16 float32 float64
Elu T float32
Equal T bool uint8 int8 int16 int32 int64 float32 float64 string
Equal T1 bool
Erf T float32
Exp T float32 float64
Expand T bool uint8 int8 int16 int32 int64 float16 float32 float64 string
EyeLike T1 int32 int64 float32 float64
EyeLike T2 int32 int64 float32 float64
Flatten T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Floor T float32 float64
GRU T float32 float64
GRU T1 int32
Gather T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Gather Tind int32 int64
GatherElements T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
GatherElements Tind int32 int64
GatherND T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
GatherND indices int64
Gelu T float32
Gemm T float32 float64
GlobalAveragePool T float32
GlobalLpPool T float32
GlobalMaxPool T float32
Greater T uint8 int8 int16 int32 int64 float32 float64
Greater T1 bool
GreaterOrEqual T uint8 int8 int16 int32 int64 float32 float64
GreaterOrEqual T1 bool
GridSample T1 float32
GridSample T2 float32
HammingWindow T1 int32 int64
HammingWindow T2 uint8 int8 int16 int32 int64 float32 float64
HannWindow T1 int32 int64
HannWindow T2 uint8 int8 int16 int32 int64 float32 float64
HardSigmoid T float32
Hardmax T float32
Identity V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
If B bool
If V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
ImageScaler T float32
InstanceNormalization T float32
IsInf T1 float16 bfloat16 float32 float64
IsInf T2 bool
IsNaN T1 float16 float32 float64
IsNaN T2 bool
LRN T float32
LSTM T float32 float64
LSTM T1 int32
LayerNormalization T float16 bfloat16 float32 float64
LayerNormalization U float32
LeakyRelu T float32
Less T uint8 int8 int16 int32 int64 float32 float64
Less T1 bool
LessOrEqual T uint8 int8 int16 int32 int64 float32 float64
LessOrEqual T1 bool
Log T float32 float64
LogSoftmax T float32 float64
Loop B bool
Loop I int64
Loop V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
LpNormalization T float32 float64
LpPool T float32
MatMul T int32 int64 float32 float64
MatMulInteger T1 uint8 int8
MatMulInteger T2 uint8 int8
MatMulInteger T3 int32
Max T uint8 int8 int32 int64 float16 float32 float64
MaxPool I int64
MaxPool T uint8 int8 float32 float64
MaxRoiPool T float32
MaxUnpool T1 float32
MaxUnpool T2 int64
Mean T float32
MeanVarianceNormalization T float32
MelWeightMatrix T1 int32 int64
MelWeightMatrix T2 float32
MelWeightMatrix T3 uint8 int8 int16 int32 int64 float32 float64
MemcpyFromHost T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
MemcpyToHost T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
Min T uint8 int8 int32 int64 float16 float32 float64
Mod T uint8 int8 int16 int32 int64 float16 float32 float64
Mul T uint8 int8 int16 int32 int64 float32 float64
Multinomial T1 float32
Multinomial T2 int32 int64
Neg T int8 int16 int32 int64 float32 float64
NonZero T bool uint8 int32 int64 float32
Not T bool
OneHot T1 int32 int64 float32
OneHot T2 int32 int64 float32
OneHot T3 int32 int64 bfloat16 float32 string
Optional V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
OptionalGetElement O bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
OptionalGetElement V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
OptionalHasElement B bool
OptionalHasElement O bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Or T bool
Or T1 bool
PRelu T float32
Pad T bool uint8 int8 int32 int64 float32 float64
ParametricSoftplus T float32
Pow T int32 int64 float32 float64
Pow T1 int32 int64 float32 float64
QLinearConv T1 uint8 int8
QLinearConv T2 uint8 int8
QLinearConv T3 uint8 int8
QLinearConv T4 int32
QLinearMatMul T1 uint8 int8
QLinearMatMul T2 uint8 int8
QLinearMatMul T3 uint8 int8
QLinearMatMul TS float32
QuantizeLinear T1 float16 float32
QuantizeLinear T2 uint8 int8 int16 float16 float32
QuantizeLinear T3 uint8 int8 int16
RMSNormalization T float16 float32 float64
RMSNormalization V float16 float32 float64
RNN T float32
RNN T1 int32
RandomNormal T float32 float64
RandomNormalLike T1 bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
RandomNormalLike T2 float32 float64
RandomUniform T float32 float64
RandomUniformLike T1 bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
RandomUniformLike T2 float32 float64
Range T int16 int32 int64 float32 float64
Reciprocal T float32 float64
ReduceL1 T int32 int64 float32 float64
ReduceL2 T int32 int64 float32 float64
ReduceLogSum T int32 int64 float32 float64
ReduceLogSumExp T int32 int64 float32 float64
ReduceMax T bool uint8 int8 int32 int64 float32 float64
ReduceMean T int32 int64 float32 float64
ReduceMin T bool uint8 int8 int32 int64 float32 float64
ReduceProd T int32 int64 float32 float64
ReduceSum T int32 int64 float32 float64
ReduceSumSquare T int32 int64 float32 float64
RegexFullMatch T1 string
RegexFullMatch T2 bool
Relu T int8 int32 float32 float64
Reshape T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Reshape shape int64
Resize T1 uint8 int8 int32 float32
ReverseSequence T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
RoiAlign T1 float32 float64
RoiAlign T2 int64
RotaryEmbedding M int64
RotaryEmbedding T float16 float32
Round T float16 float32 float64
STFT T1 float32 float64
STFT T2 int32 int64
Scale T float32
ScaledTanh T float32
Scan V bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
ScatterElements T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
ScatterElements Tind int32 int64
ScatterND T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Selu T float32
SequenceAt I int32 int64
SequenceAt T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
SequenceConstruct T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
SequenceErase I int32 int64
SequenceInsert I int32 int64
SequenceLength I int64
Shape T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Shape T1 int64
Shrink T uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
Sigmoid T float32 float64
Sign T uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
SimplifiedLayerNormalization T float16 bfloat16 float32 float64
SimplifiedLayerNormalization U float32
SimplifiedLayerNormalization V float16 bfloat16 float32 float64
Sin T float32 float64
Sinh T float32
Size T bool uint8 int8 int16 int32 int64 float32 float64 string
Size T1 int64
Slice T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Slice Tind int32 int64
Softmax T float32 float64
Softplus T float32
Softsign T float32
SpaceToDepth T uint8 int8 float32 float64
Split T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
SplitToSequence I int32 int64
SplitToSequence T bool int32 int64 float16 float32 float64 string
Sqrt T float32 float64
Squeeze T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
StringConcat T string
StringNormalizer X string
StringSplit T1 string
StringSplit T2 string
StringSplit T3 int64
Sub T uint8 int8 int16 int32 int64 float32 float64
Sum T float32 float64
Tan T float32
Tanh T float32 float64
TensorScatter T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64
TfIdfVectorizer T int32 int64 string
TfIdfVectorizer T1 float32
ThresholdedRelu T float32
Tile T bool uint8 int8 int16 int32 int64 float32 float64 string
Tile T1 int64
TopK I int64
TopK T uint8 int8 int16 int32 int64 float32 float64
Transpose T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Trilu T bool int32 int64 float32 float64
Unique T int8 int64 bfloat16 float32 float64 string
Unsqueeze T bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 string
Where T uint8 int8 int32 int64 float32 float64 string
Xor T bool
Xor T1 bool
"""


def _row(line: str) -> tuple[tuple[str, str], frozenset[str]]:
    operator, parameter, *dtypes = line.split()
    return (operator, parameter), frozenset(dtypes)


KERNELS = dict(map(_row, _TABLE.split("\n")[1:-1]))
