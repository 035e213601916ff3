"""A life in one line of Chinese: who it is, how old, where they work and as what, and where they want to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.script_lists import name_lists

_HAN = r"[\u3400-\u9fff]"
_WHO = re.compile(
    rf"(?:\A|(?<=[\n。；]))\s*(?P<s>{_HAN}{{2,4}})(?=[，,、|\s]{{1,2}}(?:[男女][，,、|\s]|\d{{2}}\s?[岁歲]|[男女]性?[，,]|\d{{4}}年(?:\d{{1,2}}月)?(?:出生|生)))"
)
_FIRM = r"(?:公司|集团|集團|科技|银行|銀行|大学|大學|医院|醫院|学院|學院|研究院|研究所|事务所|事務所|工作室|股份|传媒|傳媒|网络|網絡|软件|軟件|信息|电子|電子|汽车|汽車|地产|置业|中学|小学|超市|酒店|餐饮|物流|证券|保险|生物|医药|制药|建筑|设计院|教育|文化|咨询|资本|出版社|幼儿园|商贸|贸易|食品|服饰)"
_JOB = r"(?:工程师|工程師|经理|經理|总监|總監|主管|顾问|顧問|设计师|設計師|教师|老师|讲师|教授|分析师|專員|专员|助理|会计|會計|律师|医生|医师|护士|厨师|司机|编辑|記者|记者|架构师|程序员|研究员|负责人|主任|院长|校长|店长|董事长|秘书|销售|文员|技术员|操作员|翻译|策划|运营|开发|CEO|CTO|CFO|COO)"
_WORKS = re.compile(
    rf"(?:[现現]任|曾任|[历歷]任|就[职職]于|任[职職](?:于|在)?|供[职職]于|[现現]在|目前在|就任|[担擔]任|入[职職]|加入|服务于)(?:于|在)?(?P<firm>{_HAN}{{2,10}}?{_FIRM}(?:有限公司|股份有限公司|集团|公司)?)?(?:的|任|[担擔]任|，任|[，,]?职位)?(?P<job>{_HAN}{{0,10}}?{_JOB}(?:兼{_HAN}{{1,6}}?{_JOB})?)?(?=[，,。；;、|\n ]|\Z)"
)


def find_lives(text: str) -> Iterable[Finding]:
    """Yield the person, the employer and the position of such a line."""
    if len(text) > 2_000 or not re.search(_HAN, text):
        return
    surnames, compounds = name_lists()["zh surnames"], name_lists()["zh compounds"]
    for match in _WHO.finditer(text):
        if match["s"][0] in surnames or match["s"][:2] in compounds:
            yield Finding(*match.span("s"), "PERSON", 0.7)
    for match in _WORKS.finditer(text):
        if match["firm"]:
            yield Finding(*match.span("firm"), "ORGANIZATION", 0.7)
        if match["job"]:
            yield Finding(*match.span("job"), "TITLE", 0.7)
