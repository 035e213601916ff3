"""Whatever of the injector's the browser calls is one of error-guard.ts's functions: an error in it stays with us."""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "injector_js" / "src"
CALLED_BACK = re.compile(
    r"(?:\b(?:window|world|root|document)\.(?:setTimeout|setInterval|requestAnimationFrame|requestIdleCallback)|\.addEventListener|\.toBlob"
    r"|new [\w.]*(?:Mutation|Resize|Intersection|Performance)Observer)\((?!\)).{0,160}",
    re.DOTALL,
)


def test_no_callback_goes_to_the_browser_without_its_guard() -> None:
    bare = [
        f"{path.name}: {call[0][:80]}"
        for path in sorted(SOURCE.rglob("*.ts"))
        for call in CALLED_BACK.finditer(path.read_text())
        if "wrapToReportErrors(" not in call[0] and not path.name.endswith(".test.ts")
    ]
    assert bare == []
