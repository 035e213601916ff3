"""A writer that writes whatever it is given, as a program other than ours may: for what a reader does with it."""

from __future__ import annotations

from pagereel.reel import Event, ReelWriter, encode_event


class AsTold(ReelWriter):
    """Writes events as they are, without a look at the format."""

    def write(self, event: Event) -> Event:
        self._add_line(event, encode_event(event))
        self.flush_if_due()
        return event
