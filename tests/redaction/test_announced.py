"""What a text in one box says of the one beside it, where nobody puts blanks between words."""

from __future__ import annotations

import pytest

from pagereel.redaction.content.adjacent_labels import is_label_of_value


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("APP密码", "附加到摘要,而不是替换它"),
        ("メールアドレス:", "この語数より少ない返答は，回答ではなく"),
        ("输入email地址", "增加用户名需要提供邮箱"),
        ("更改密码", "修改忘记密码"),
    ],
)
def test_a_sentence_and_another_label_are_no_values(label: str, text: str) -> None:
    assert not is_label_of_value(label, text)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("密码", "天王盖地虎"),
        ("用户名", "王小明"),
        ("メール", "tanaka@example.com"),
        ("邮箱", "王@例子.中国"),
        ("パスワード", "とりのうた3"),
    ],
)
def test_values_are(label: str, text: str) -> None:
    assert is_label_of_value(label, text)
