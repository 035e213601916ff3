"""An errand list made with Remi: each change goes over a WebSocket."""

import sys

import remi
from remi import gui

ERRANDS = [("Glue the jug", 12), ("Order clay", 80), ("Sweep the kiln", 7)]


class Errands(remi.App):
    def main(self):
        self.held = list(ERRANDS)
        self.rows = gui.ListView()
        self.total = gui.Label("")
        self.more = gui.Label("Nothing more is known.")
        self.name = gui.Input(attributes={"placeholder": "Errand"})
        self.remark = gui.Input(attributes={"placeholder": "Remark", "name": "remark"})
        self.rank = gui.DropDown.new_from_list(("low", "high"))
        add, done, tell = gui.Button("Add errand"), gui.Button("Done with the first"), gui.Button("Tell me more")
        add.onclick.do(self.add)
        done.onclick.do(self.done)
        tell.onclick.do(lambda _: self.more.set_text("Errands are done on Fridays, between ten and twelve."))
        self.draw()
        return gui.VBox(
            children=[
                gui.Label("What is to be done"),
                self.rows,
                self.total,
                self.name,
                self.remark,
                self.rank,
                add,
                done,
                tell,
                self.more,
            ]
        )

    def draw(self):
        self.rows.empty()
        for number, (name, cost) in enumerate(self.held):
            self.rows.append(gui.ListItem(f"{name}, {cost} EUR"), str(number))
        self.total.set_text(f"{len(self.held)} errands, {sum(cost for _, cost in self.held)} EUR in all")

    def add(self, _):
        self.held.append((f"{self.name.get_value()} ({self.rank.get_value()})", 5))
        self.draw()

    def done(self, _):
        self.held.pop(0)
        self.draw()


remi.start(
    Errands, address="127.0.0.1", port=int(sys.argv[1]), start_browser=False, multiple_instance=True, debug=False
)
