"""A small desktop program: a field for text, a list that scrolls, a pad of digits, a second window."""

from __future__ import annotations

import tkinter as tk

WORDS = [
    "order",
    "parcel",
    "window",
    "garden",
    "lamp",
    "river",
    "paper",
    "station",
    "bottle",
    "market",
    "engine",
    "letter",
    "basket",
    "valley",
    "button",
]


def main() -> None:
    root = tk.Tk()
    root.title("Notes of Ada Miller")
    root.geometry("760x560+40+60")
    bar = tk.Frame(root)
    bar.pack(fill="x")
    text = tk.Text(root, height=12, font=("monospace", 11))

    def about() -> None:
        window = tk.Toplevel(root)
        window.title("About Notes")
        window.geometry("320x160+420+300")
        tk.Label(window, text="Notes 1.0\nKeeps what you write.").pack(expand=True)
        tk.Button(window, text="Close", command=window.destroy).pack(pady=8)

    tk.Button(bar, text="Clear", command=lambda: text.delete("1.0", "end")).pack(side="left")
    tk.Button(bar, text="About", command=about).pack(side="left")
    text.pack(fill="x", padx=8, pady=6)
    text.focus_set()
    below = tk.Frame(root)
    below.pack(fill="both", expand=True, padx=8, pady=6)
    rows = tk.Listbox(below, font=("monospace", 10))
    for number in range(200):
        words = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 7, 2, 5))
        rows.insert("end", f"{number:4}  {words}  {number * 37 % 1000 / 10:7.2f} EUR")
    rows.pack(side="left", fill="both", expand=True)
    pad = tk.Frame(below)
    pad.pack(side="right", padx=10)
    shown = tk.Label(pad, text="PIN", width=12)
    shown.grid(row=0, columnspan=3)
    for number, digit in enumerate("123456789*0#"):
        press = lambda: shown.config(text=(shown["text"].replace("PIN", "") + "•")[:8])  # noqa: E731
        tk.Button(pad, text=digit, width=3, command=press).grid(row=1 + number // 3, column=number % 3)
    root.mainloop()


if __name__ == "__main__":
    main()
