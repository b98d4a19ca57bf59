import pytest

pytest.register_assert_rewrite("tests.fix.harness")
