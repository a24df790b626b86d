"""The short converters give what gast's own give, and lead back to the tree that was parsed."""

import ast
from pathlib import Path

import gast
import pytest
from support.sampling import sampled

from dy2st.transformers import gast_trees

HERE = Path(__file__).resolve().parent
FILES = [*sorted(HERE.glob("*.py")), *sorted((HERE.parent / "staging").glob("*.py"))]


class Opened(gast.NodeTransformer):
    """Converts the assignments that were left as they are."""

    def visit_Straight(self, node):
        return gast_trees.opened(node)


@pytest.mark.long
@pytest.mark.parametrize("file", sampled(FILES, 15), ids=lambda file: file.stem)
def test_there_and_back(file):
    tree = ast.parse(file.read_text())
    there = Opened().visit(gast_trees.ast_to_gast(tree))
    assert gast.dump(there, include_attributes=True) == gast.dump(gast.ast_to_gast(tree), include_attributes=True)
    assert ast.dump(gast_trees.gast_to_ast(there), include_attributes=True) == ast.dump(tree, include_attributes=True)
