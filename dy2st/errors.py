"""Every exception and warning that dy2st raises on its own account.

An error says what was given, what is expected and where. Errors that plain Python would raise keep Python's type; the classes
here either stand alone or derive from the built-in type that a caller would catch.
"""


class Dy2stError(Exception):
    """Base of every error of dy2st."""


class ConversionError(Dy2stError):
    """Python code that can't become a Program: names the user's line, the reason and what to write instead."""

    def __init__(self, message: str, filename: str | None = None, lineno: int | None = None):
        self.filename, self.lineno = filename, lineno
        super().__init__(f"{filename}:{lineno}: {message}" if filename and lineno else message)


class EndlessTypeError(ConversionError):
    """Values nested without end, or of ever new kinds: no type fits. Staging adds the line to what types say."""


class SourceUnavailableError(ConversionError, OSError):
    """The source text of a function can't be found (typed at a prompt, made by `exec`, a C function)."""

    def __str__(self) -> str:      # OSError's own would show errno and filename instead
        return str(self.args[0])


class ShapeError(Dy2stError, ValueError):
    """Shapes that don't fit an operator."""


class DTypeError(Dy2stError, TypeError):
    """Element types that don't fit an operator."""


class _LinAlgError(RuntimeError):
    """torch.linalg.LinAlgError, by the name it has there, of a model of torch's that runs without torch."""


class TraceError(ConversionError, RuntimeError):
    """A forward that can't become the graph of a TracedModule, or a call that can't be inserted into one."""


class VerifyError(Dy2stError):
    """A Program that breaks a rule of the IR."""


class ParseError(Dy2stError, ValueError):
    """Program text that doesn't follow the grammar; the message names the line."""


class ModelFileError(Dy2stError, ValueError):
    """A model file that is missing, damaged, truncated, mixed or hostile.

    A message tells of what stands in the file, so a long one is cut.
    """

    LONGEST = 4000  # characters

    def __init__(self, message: str = ""):
        super().__init__(message if len(message) <= self.LONGEST else message[: self.LONGEST - 3] + "...")


class EngineError(Dy2stError):
    """A Program that the chosen engine can't run: names the operator and the user's line."""


class OperatorError(Dy2stError, ValueError):
    """What an operator can't do, beyond shapes and dtypes: a name outside its table, a number beyond its limit."""


class InternalError(Dy2stError):
    """A fault of dy2st itself, which it met while it worked on the user's code; names the place in dy2st."""


class StagedValueError(Dy2stError, TypeError):
    """A staged value used where only a Python value known while staging will do."""


class Dy2stWarning(UserWarning):
    """Base of the warnings of dy2st."""


class JoinWarning(Dy2stWarning):
    """Where two paths met, a value was promoted to a common element type."""


class TraceWarning(Dy2stWarning):
    """A value that a TracedModule keeps as it was when traced, although it follows the inputs."""


class UnconvertedCallWarning(Dy2stWarning):
    """A function that can't be converted was called once, while staging."""
